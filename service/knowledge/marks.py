"""Citation marks in a model's text: [1], and what models write in its place: 【1】, ［1］, [1,2], [资料1]."""

import re

_NUMBER = r"(?:资料|来源)?\s?\d{1,3}"
MARK = rf"[\[【［]{_NUMBER}(?:\s*[,，、]\s*{_NUMBER})*[\]】］]"
BROKEN_MARK = r"[\[【［][资料来源\s\d,，、]{0,12}"
"""What may still become a mark when the next piece of a stream arrives."""

_MARK = re.compile(MARK)
_DIGITS = re.compile(r"\d+")


def normalised(text: str) -> str:
    """Every mark as [n], one number in each."""
    return _MARK.sub(lambda found: "".join(f"[{int(n)}]" for n in _DIGITS.findall(found[0])), text)


def numbers_in(text: str) -> tuple[int, ...]:
    """The numbers a sentence cites, each once, in order."""
    return tuple(dict.fromkeys(int(n) for mark in _MARK.findall(text) for n in _DIGITS.findall(mark)))


def without_marks(text: str) -> str:
    return _MARK.sub("", text)


def without(text: str, numbers: tuple[int, ...]) -> str:
    """`text`, normalised, without the marks of `numbers`."""
    for number in numbers:
        text = text.replace(f"[{number}]", "")
    return text
