"""Retrieval on its own: what is found for a question, with both scores and the reason for every cut."""
