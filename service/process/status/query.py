"""A question about progress read offline: which application, which process, which days. No model is asked."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from rules.mentions.dates import Day, read_days

_MARKED = re.compile(
    r"(?:编号|单号|单据号|申请号|流程号|审批号)[是为:\s]*(?P<id>(?=[\w\-]*\d)[\w\-]{2,100})", re.ASCII
)
_BARE = re.compile(r"(?<![\w\-./])(?P<id>[A-Za-z0-9][A-Za-z0-9_\-]{5,99})(?![\w\-./])", re.ASCII)
_DIGITS_ALONE = 10  # fewer are an amount, a day or an extension
_DIGITS_AMONG_LETTERS = 4  # fewer are a model, e.g. YS-M200
_PHONE = re.compile(r"1[3-9]\d{9}")
_UNIT_BEHIND = re.compile(r"\s*(?:元|块|万|千|百|台|个|件|年|月|日|号|%|天)")
_NOW = re.compile(r"今天|今日|现在")
_HANDED_IN = re.compile(r"\s*(?:刚|才|上午|下午|早上|中午|晚上)?\s*(?:我)?(?:的|提|交|发|报|申请|填|办)")
_ID = re.compile(r"[\w.@:#/()（）\-]{1,100}")


@dataclass(frozen=True, slots=True)
class Days:
    """From `first` to `last`, None where open; `said` is the user's own words."""

    first: date | None
    last: date | None
    said: str

    def holds(self, day: date) -> bool:
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)


@dataclass(frozen=True, slots=True)
class StatusQuery:
    """What is not said is empty. Several processes may be named; their words are kept for the answer."""

    application_id: str = ""
    process_ids: tuple[str, ...] = ()
    days: Days | None = None


def read_query(text: str, process_words: Mapping[str, Sequence[str]], today: date) -> StatusQuery:
    """`process_words`: names and aliases of each process, by its id."""
    folded = unicodedata.normalize("NFKC", text)
    application_id = _id_in(folded, today)
    rest = folded.replace(application_id, " ") if application_id else folded
    return StatusQuery(application_id, _processes_in(rest, process_words), _days_in(rest, today))


def is_application_id(text: str) -> bool:
    """Whether any approval system would give such an id; `.` and `..` would lead out of an address."""
    return _ID.fullmatch(text) is not None and text.strip(".") != ""


def _id_in(text: str, today: date) -> str:
    marked = _MARKED.search(text)
    if marked:
        return marked["id"]
    return next((each["id"] for each in _BARE.finditer(text) if _looks_like_id(text, each, today)), "")


def _looks_like_id(text: str, match: re.Match[str], today: date) -> bool:
    piece = match["id"]
    if _UNIT_BEHIND.match(text, match.end()) or _PHONE.fullmatch(piece):
        return False
    if any(day.start <= match.start() and match.end() <= day.end for day in read_days(text, today)):
        return False
    lettered = any(letter.isalpha() for letter in piece)
    return sum(map(str.isdigit, piece)) >= (_DIGITS_AMONG_LETTERS if lettered else _DIGITS_ALONE)


def _processes_in(text: str, process_words: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The longest word wins where words overlap."""
    return tuple(dict.fromkeys(_named(text, process_words)))


def _named(text: str, process_words: Mapping[str, Sequence[str]]) -> Iterator[str]:
    words = [(word, process) for process, said in process_words.items() for word in said if word.strip()]
    words.sort(key=lambda each: len(each[0]), reverse=True)
    taken = [False] * len(text)
    for word, process in words:
        at = text.find(word)
        while at >= 0:
            if not any(taken[at : at + len(word)]):
                taken[at : at + len(word)] = [True] * len(word)
                yield process
            at = text.find(word, at + 1)


def _days_in(text: str, today: date) -> Days | None:
    """The first days named; 今天到哪了 is no day it was handed in."""
    for day in read_days(text, today):
        if (day.low is None and day.high is None) or _is_now(text, day):
            continue
        return Days(day.low, day.high, day.text.strip())
    return None


def _is_now(text: str, day: Day) -> bool:
    return bool(_NOW.fullmatch(day.text.strip())) and not _HANDED_IN.match(text, day.end)
