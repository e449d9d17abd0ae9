"""Retrieval: one gate for every path. Order and confidence are two things; see `fusion` and `confidence`."""
