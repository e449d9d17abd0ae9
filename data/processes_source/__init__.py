"""Where the sample process workbooks come from: `text/*.md` is what they say, `make.py` writes them."""
