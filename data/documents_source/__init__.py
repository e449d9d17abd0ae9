"""Where the sample documents come from: `text/*.md` is what they say, one writer per file format.

The files in `data/documents` are made from here by `data/documents/build.py`; edit the text, then run it.
"""
