"""The way cues are written in `intent.csv`, and what they are matched against.

A message is matched in one normal form: folded, quotes dropped, a question mark a 「?」 and every other
punctuation a 「，」, with one at both ends, so that a clause is what stands between two of them.
"""

import re
from collections.abc import Iterable, Mapping

from ingestion.analyzer import fold

GAP = 8  # characters at most that `*` stands for: a qualifier or a short object, not another clause
MOST_READ = 300  # characters of a message; of a longer one the beginning and the end, where people ask

_BOUND = "，"
_ASKED = "?"
_BOUNDS = f"{_BOUND}{_ASKED}"
_QUOTES = re.compile(r"[\"'“”‘’「」『』《》〈〉【】()\[\]]")
_BREAK = re.compile(r"(?!(?<=\d)[.,](?=\d)|(?<=[a-z0-9])-(?=[a-z0-9]))[^\w]+|_+")
_EMPTY = re.compile(rf"[{_BOUNDS}]{{2,}}")
_NUMERALS = "零〇一二两三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟半"
_NUMBER = rf"(?:\d[\d,.]{{0,14}}|[{_NUMERALS}]{{1,12}})"  # bounded: a message of numerals costs linear time
_UNIT = r"(?:[美欧日港澳台]?元|英镑|块钱?)"
_AMOUNT = (
    rf"(?:{_NUMBER}(?<=[万千百亿佰仟])|{_NUMBER}(?:万|千|百|亿|[wk](?![a-z])))"
    rf"(?:{_NUMBER})?(?:多|来|余)?{_UNIT}?整?|{_NUMBER}(?:多|来|余)?{_UNIT}整?"
)
_REFERENCE = r"(?<![a-z0-9])(?:[a-z]{1,8}-?\d{6,20}(?:-\d{1,9})?|\d{10,24})(?![a-z0-9])"
OWN_CLASSES: Mapping[str, str] = {
    "数": _NUMBER,
    "金额": rf"(?:{_AMOUNT})",
    "单号": f"(?:{_REFERENCE})",
}
"""Classes of words that are written by rule and not by list; the file and the processes give the others."""

_TOKEN = re.compile(r"\{(?P<name>[^{}]*)\}|(?P<sign>[*^$，(/)])|(?P<text>[^*^$，(/){}]+)|(?P<wrong>[{}])")


class CueSyntaxError(ValueError):
    """A cue that is not written as the head of `intent.csv` describes; the message is for its keeper."""


def normal(text: str) -> str:
    """The form of a message that cues are matched against: 「我想买，急」 -> 「，我想买，急，」."""
    if len(text) > MOST_READ:
        half = MOST_READ // 2
        text = f"{text[:half]}{_BOUND}{text[-half:]}"
    broken = _BREAK.sub(_boundary, _QUOTES.sub("", fold(text)))
    return _ended(_EMPTY.sub(_boundary, broken))  # two kinds of breaks may touch


def said(normal_text: str) -> str:
    """What is left of a normal form between its ends."""
    return normal_text.strip(_BOUNDS)


def without(normal_text: str, pattern: re.Pattern[str]) -> str:
    """The normal form without what matches, clauses that become empty taken out."""
    return _ended(_EMPTY.sub(_boundary, pattern.sub("", normal_text)))


def _boundary(found: re.Match[str]) -> str:
    return _ASKED if _ASKED in found.group() else _BOUND


def _ended(text: str) -> str:
    end = _ASKED if text.endswith(_ASKED) else _BOUND
    return f"{_BOUND}{said(text)}{end}"


def alternatives(words: Iterable[str]) -> str:
    """A pattern for any of the words, the longest first; one that matches nothing when there are none."""
    folded = sorted({fold(word) for word in words if word}, key=lambda word: (-len(word), word))
    return f"(?:{'|'.join(map(re.escape, folded))})" if folded else "(?!)"


def translated(cue: str, classes: Mapping[str, str]) -> str:
    """A cue as a regular expression on the normal form. Raises CueSyntaxError."""
    parts: list[str] = []
    depth = 0
    for token in _TOKEN.finditer(cue):
        if token["wrong"]:
            raise CueSyntaxError("「{」与「}」没有成对")
        if token["name"] is not None:
            parts.append(_class(token["name"], classes))
        elif token["text"]:
            parts.append(re.escape(fold(token["text"])))
        else:
            depth += {"(": 1, ")": -1}.get(token["sign"], 0)
            if depth < 0 or (token["sign"] == "/" and depth == 0):
                raise CueSyntaxError("「/」只用在「( )」里" if depth == 0 else "「(」与「)」没有成对")
            parts.append(_sign(token["sign"], token.start() == 0, token.end() == len(cue)))
    if depth:
        raise CueSyntaxError("「(」与「)」没有成对")
    return "".join(parts)


def _class(name: str, classes: Mapping[str, str]) -> str:
    if name not in classes:
        known = "、".join(classes)
        raise CueSyntaxError(f"没有叫「{name}」的词组，可用的有：{known}；自己的词组要先写后用")
    return classes[name]


def _sign(sign: str, first: bool, last: bool) -> str:
    any_bound = f"[{_BOUNDS}]"
    match sign:
        case "*":
            return f"[^{_BOUNDS}]{{0,{GAP}}}?"
        case "^":
            return rf"(?<=\A{_BOUND})"
        case "$":
            return rf"(?=[{_BOUNDS}]\Z)"
        case "，":
            return f"(?<={any_bound})" if first else f"(?={any_bound})" if last else any_bound
        case "(":
            return "(?:"
        case "/":
            return "|"
        case _:
            return ")"
