"""Signs in place of names and deadlines, so that one pattern of a cue serves every meeting.

A sign is as long as what it stands for: offsets stay.
"""

import re

from ingestion.minutes.due import DEADLINE as _DEADLINE
from ingestion.minutes.due import SOON as _SOON

_FIRST = {"who": "\ue000", "deadline": "\ue002", "soon": "\ue004"}
_NEXT = {"who": "\ue001", "deadline": "\ue003", "soon": "\ue005"}  # for each further character
_FOREIGN = re.compile("[\ue000-\ue005]")

WHO, DEADLINE, SOON = (f"(?:{_FIRST[name]}{_NEXT[name]}*)" for name in ("who", "deadline", "soon"))
"""Patterns of the signs."""

_DUE = re.compile(f"(?P<deadline>{_DEADLINE})|(?P<soon>{_SOON})")


def marked(text: str, anyone: re.Pattern[str]) -> str:
    """`anyone` finds names."""
    plain = _FOREIGN.sub("\ufffd", text)
    timed = _DUE.sub(lambda found: _sign(str(found.lastgroup), found[0]), plain)
    return anyone.sub(lambda found: _sign("who", found[0]), timed)


def _sign(name: str, words: str) -> str:
    return _FIRST[name] + _NEXT[name] * (len(words) - 1)
