"""White space of marked-up text: in html and md a line break is layout, between Chinese words nothing."""

import re

from ingestion.glyphs import HAN

_CJK = rf"{HAN}\u3000-\u303f\uff00-\uffef\u3040-\u30ff"
_BREAK_IN_CJK = re.compile(rf"(?<=[{_CJK}])[ \t]*[\r\n]\s*(?=[{_CJK}])")
_BLANKS = re.compile(r"\s+")


def collapse(text: str) -> str:
    """One line: runs of blanks become one, a line break between two Chinese characters none."""
    return _BLANKS.sub(" ", _BREAK_IN_CJK.sub("", text)).strip()
