"""Measuring Zhixing on any data in the JSONL forms of the command line, without touching the user's index."""
