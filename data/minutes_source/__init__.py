"""Where the docx minutes come from: `text/*.txt` is what was said, `make.py` writes the files."""
