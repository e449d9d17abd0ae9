"""From a file to chunks in the index. Knows nothing of HTTP, SQL, people or processes."""
