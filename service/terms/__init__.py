"""The deployment's own words 词表: its lists and their files, changing them while questions are answered."""
