"""Other people's words within our Markdown: they stay the words they are, and no mark, link or heading."""

import re

_MARK = re.compile(r"[\\`*\[\]<>]|(?<!\w)_|_(?!\w)|~~|^\s*[#|]", re.MULTILINE)


def escaped(text: str) -> str:
    """Lines stay lines. `[1]` in particular is no citation."""
    return _MARK.sub(lambda found: f"{found[0][:-1]}\\{found[0][-1]}", text)


def in_line(text: str) -> str:
    """The same on one line."""
    return escaped(" ".join(text.split()))
