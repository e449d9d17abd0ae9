"""The process path: free words in, a step card or a question out. Code decides, by the published tables."""
