"""What the first lines and the file's name say about a meeting: title, day, attendees."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePath

from ingestion.dates import date_in_name
from ingestion.minutes.lines import Line
from ingestion.minutes.names import is_chinese_name, is_label, is_latin_name, is_role, is_titled, without_role
from ingestion.minutes.prefixes import candidate

HEAD_LINES = 60  # attendance lists can be long
FIRST_LINES = 12  # where a title or a day without a label may stand
LONGEST_TITLE = 80
LONGEST_HEAD_LINE = 2_000
LONGEST_ENTRY = 120  # of a list of those present, a link to an account included

_TITLE = re.compile(
    r"\s*(?:会议)?(?:主题|名称|标题|题目)\s*[:：]\s*(?P<rest>\S.*)"
    r"|\s*(?:meeting )?(?:title|subject)\s*:\s*(?P<latin>\S.*)",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"\s*[A-Za-z ]{0,12}(?:会议|召开|开会)?(?:时间|日期)\s*[:：]|\s*(?:meeting )?(?:date|time)\b",
    re.IGNORECASE,
)
_PRESENT = re.compile(
    r"\s*(?:[A-Za-z]+ )?[（(]?(?:主要|全体|实际)?(?:参会|与会|出席|参加|到会|列席)(?:会议)?(?:的)?"
    r"(?:人员|人|者|嘉宾|领导|成员)?(?:名单)?\s*(?:[（(][^（）()]*[）)])?\s*(?:[:：]\s*|$)(?P<rest>.*)"
    r"|\s*(?:attendees|participants|present|attendance)\s*(?::\s*|$)(?P<latin>.*)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[、,，;；/|\t]+")
_BLANKS = re.compile(r"[\s、,，;；/|]+")
_ET_CETERA = re.compile(r"(?:等|共)?\s*\d*\s*人?[。.]?$")
_DAY_FIRST = re.compile(r"^(?:\d{4}[-_.]?\d{2}[-_.]?\d{2}|\d{4}年\d{1,2}月\d{1,2}日)[-_.\s]*(?=[^\W\d_])")
_EXTENSION = re.compile(r"\.(?:txt|md|markdown|docx|vtt|srt|json|jsonl|text|log)$", re.IGNORECASE)
_LIST_SIGN = re.compile("[、，,]")
_HAN = re.compile("[\u3400-\u9fff]+")
_LINK = re.compile(r"[(（][^（）()]*[)）]")
_LISTED = re.compile("[\u3400-\u9fff]{2,3}")  # in a list of those present any word of a name's length is one
_UNTITLED = re.compile(r"[\d\s:：./\\-]*")


@dataclass(frozen=True, slots=True)
class Heading:
    title: str
    day: date | None
    attendees: tuple[str, ...]


def read_heading(lines: Sequence[Line], name: str) -> Heading:
    """`name` is the file's. Empty where nothing says so; the title is then the file's name without the day
    that it begins with.
    """
    head = [replace(line, text=line.text[:LONGEST_HEAD_LINE]) for line in lines[:HEAD_LINES]]
    stem = _EXTENSION.sub("", PurePath(name).name)
    title = _title(head) or _DAY_FIRST.sub("", stem) or stem
    return Heading(title, _day(head, title, stem), tuple(_attendees(head)))


def _title(head: Sequence[Line]) -> str:
    for line in head[:FIRST_LINES]:
        if found := _TITLE.match(line.text):
            return (found["rest"] or found["latin"]).strip()[:LONGEST_TITLE]
    first = head[0].text.strip() if head else ""
    opens = candidate(first)
    untitled = not first or len(first) > LONGEST_TITLE or _UNTITLED.fullmatch(first) or _PRESENT.match(first)
    timed = bool(head and (head[0].speaker or head[0].time))
    spoken = timed or (opens is not None and (is_label(opens.name) or not head[0].fresh))
    return "" if untitled or spoken or first.endswith(("。", "，", "？", "！", "；")) else first


def _day(head: Sequence[Line], title: str, stem: str) -> date | None:
    labelled = [line.text for line in head if _DAY.match(line.text)]
    others = [line.text for line in head[:FIRST_LINES] if not _is_speech(line)]
    texts = (*labelled, title, stem.replace("_", "-"), *others)
    return next((day for text in texts if (day := date_in_name(text))), None)


def _is_speech(line: Line) -> bool:
    prefix = candidate(line.text)
    long = len(line.text) > LONGEST_TITLE or line.text.endswith(("。", "，", "？", "！"))
    return long or bool(line.speaker) or (prefix is not None and (prefix.colon or prefix.voice))


def _attendees(head: Sequence[Line]) -> Iterator[str]:
    """Those of every line of attendance, each once, in order."""
    found: dict[str, None] = {}
    for place, line in enumerate(head):
        if present := _PRESENT.match(line.text):
            rest = (present["rest"] or present["latin"] or "").strip()
            names = list(_names(rest)) if rest else list(_names_below(head[place + 1 :]))
            found.update(dict.fromkeys(names))
    yield from found


def _names(text: str) -> Iterator[str]:
    """Names with anything between them; a space is between names only where they are Chinese."""
    for piece in _BETWEEN.split(text):
        whole = without_role(piece)
        if is_latin_name(whole):
            yield whole
            continue
        for word in _BLANKS.split(whole):
            name = _ET_CETERA.sub("", without_role(word.rpartition("-")[2]))  # 某公司-张三
            if _is_someone(name) or (_LISTED.fullmatch(name) and not is_label(name) and not is_role(name)):
                yield name


def _names_below(lines: Sequence[Line]) -> Iterator[str]:
    """Names of a list or table, one person a line or all on one, up to a heading, a label or running text."""
    for line in lines:
        prefix = candidate(line.text)
        ends = prefix is not None and (prefix.colon or prefix.voice)
        if line.fresh or ends or "。" in line.text:
            return
        if len(_LIST_SIGN.findall(line.text)) > 1:
            yield from _names(line.text)
            continue
        if len(line.text) > LONGEST_ENTRY:
            return
        for word in _HAN.findall(_LINK.sub("", line.text)):
            if is_chinese_name(word) and not is_label(word):
                yield word


def _is_someone(name: str) -> bool:
    shaped = is_chinese_name(name) or is_titled(name) or (is_latin_name(name) and len(name) > 1)
    return shaped and not is_label(name) and not is_role(name)
