"""The knowledge path 知识问答: a question in, a cited answer or an honest refusal out."""
