"""One module per file format; each turns bytes into blocks and says what it dropped."""
