"""Decision tables: loading, checking and exact evaluation. Pure; I/O lives in the loader alone."""
