"""What the lines look like: how long they are, where they stand, how they are numbered, what recurs."""

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np

from ingestion.minutes.cues import Columns, Vector

LONGEST_COUNTED = 100  # units; records beyond this are not told apart by their length
_BEGINNING = 6  # letters by which lines are taken for the same kind: 主要内容：
_NUMBER = re.compile(
    r"^\W*(?:(?P<dotted>\d{1,2})[.、．:：)）](?!\d)|[（(](?P<bracketed>\d{1,2})[)）]"
    r"|第?(?P<chinese>[一二三四五六七八九十])[、，,.]|议题(?P<item>[一二三四五六七八九十]|\d{1,2}))"
)
_DIGITS = re.compile(r"\d+")
_CHINESE = "零一二三四五六七八九十"


def appearance_columns(texts: Sequence[str]) -> Columns:
    last = len(texts) - 1
    gaps = range(1, len(texts))
    numbers = np.array([number_of(text) for text in texts], dtype=np.float64)
    lengths = np.log1p(np.array([len(text) for text in texts], dtype=np.float64))
    recurring = _recurring(texts)
    return {
        "length": lengths[1:],
        "length_before": lengths[:-1],
        "first_gap": np.array([i == 1 for i in gaps], dtype=np.float64),
        "second_gap": np.array([i == 2 for i in gaps], dtype=np.float64),
        "last_gap": np.array([i == last for i in gaps], dtype=np.float64),
        "nearly_last_gap": np.array([i in (last - 1, last - 2) for i in gaps], dtype=np.float64),
        "numbered": (numbers[1:] > 0).astype(np.float64),
        "first_number": (numbers[1:] == 1).astype(np.float64),
        "next_number": ((numbers[1:] > 1) & (numbers[1:] == numbers[:-1] + 1)).astype(np.float64),
        "recurring": recurring[1:],
        "recurring_before": recurring[:-1],
        "record_length": np.full(max(last, 0), math.log(max(1, min(len(texts), LONGEST_COUNTED)))),
    }


def number_of(text: str) -> int:
    """The number a line begins with: 3 for 3、 and 三、 and （3） and 议题三; 0 without one."""
    match = _NUMBER.match(text)
    if match is None:
        return 0
    written = next(group for group in match.groups() if group)
    return int(written) if written.isdecimal() else _CHINESE.index(written)


def _recurring(texts: Sequence[str]) -> Vector:
    """1 where another line begins the same way, numbers aside."""
    beginnings = [_DIGITS.sub("", text)[:_BEGINNING] for text in texts]
    often = Counter(beginnings)
    return np.array([often[beginning] > 1 for beginning in beginnings], dtype=np.float64)
