"""The retrieval page: what is found for a question, both legs' scores, and why each candidate was cut."""
