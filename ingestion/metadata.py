"""What a document says about itself 自述: title, version, validity, repeals, issuer, each with its evidence.

Read from the file name, the file's properties, the revision record and the text. Whether two files are
revisions of one document is decided in `versions`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import PurePosixPath

from rapidfuzz import fuzz

from ingestion import clues
from ingestion.clues import Clue, Field, Origin
from ingestion.documents import BlockKind, Parsed
from ingestion.headings import numbering
from ingestion.repeals import Repeal, repeals
from ingestion.versions import title_key

HEAD_BLOCKS = 15  # title block, before the body begins
TAIL_BLOCKS = 6
TITLE_LIMIT = 60
FIRST_VERSION_AGE = timedelta(days=366)  # retroactive rules were met with up to a year, never more
SAME_TITLE = 60  # rapidfuzz partial ratio, 0..100, of two title keys that mean one document

_KIND_WORDS = re.compile(
    r"(办法|规定|制度|细则|规程|规范|条例|章程|准则|手册|指南|指引|通知|公告|通报|决定|意见|方案|计划|标准|流程|说明书|说明|"
    r"须知|协议|合同|报告|纪要|总结|问答|函|法)(?:\s*[（(【\[].{1,20}[）)】\]])?$"
)
_NOTICE = re.compile(r"通知|公告|通告|决定|通报")
_EXTENSION = re.compile(r"\.(docx?|xlsx?|xlsm|pptx?|pdf|html?|md|txt|csv|eml|msg|wps|et|rtf|ofd)$", re.I)
_COPY = re.compile(r"(?:\s*[-_（(]?\s*副本\s*\d*[）)]?|\s*[（(]\d{1,2}[）)]|[-_ ]copy\d*)$", re.I)
_LEADING = re.compile(r"^\s*(?:\d{1,3}[-_.、\s]+|附件\s*[\d一二三四五六七八九十]*\s*[:：、._-]+)")
_VERSION_TAIL = re.compile(
    r"[-_\s（(【\[]*(?:最终版?|定稿|终稿)?\s*"
    r"(?:[Vv]\s?\d+(?:\.\d+){0,3}|\d{2,4}[.．]\d{1,2}[.．]\d{1,2}\s*更新|20\d{6})[）)】\]]*\s*$"
)
_NO_TITLE = re.compile(
    r"^(?:microsoft (?:word|powerpoint|excel)\b.*|powerpoint 演示文稿|演示文稿\d*|文档\d*|"
    r"新建.*|untitled.*|无标题.*|前言|序言|序|目\s*[录次]|摘要|概述|引言|封面|总则|附件\d*|"
    r"(?:doc|document|img|scan|扫描件?|sheet|工作表)[-_ ]?\d*|[\d\W_]*)$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class SelfDescription:
    """The chosen values; `clues` holds every finding with its quote, `disagreements` where they differ.

    `effective_to` is exclusive. `draft_mark` is 征求意见稿 and the like, a document that is not in force;
    `is_trial` (试行, 暂行) is in force. Empty text or None: the document does not say.
    """

    title: str = ""
    version: str = ""
    effective_from: date | None = None
    effective_to: date | None = None
    published_on: date | None = None
    updated_on: date | None = None
    issuer: str = ""
    document_number: str = ""
    draft_mark: str = ""
    is_trial: bool = False
    repeals: tuple[Repeal, ...] = ()
    clues: tuple[Clue, ...] = ()
    disagreements: tuple[str, ...] = ()

    @property
    def is_draft(self) -> bool:
        return bool(self.draft_mark)

    @property
    def evidence(self) -> tuple[str, ...]:
        """Every finding as a sentence with its quote, then the repeals and the disagreements."""
        return (*map(str, self.clues), *map(str, self.repeals), *self.disagreements)


def describe(file_name: str, parsed: Parsed) -> SelfDescription:
    """Never raises: a file that could not be read is described by its name."""
    lines = [block.text for block in parsed.blocks if block.kind is not BlockKind.NOTE]
    stem = _stem(file_name)
    titles = list(_titles(stem, parsed))
    found = [*titles, *_clues(stem, parsed, lines)]
    title = _title(titles)
    start_clue = _start(_Chosen(found), title, lines)
    if start_clue is not None:
        found.append(start_clue)
    start = start_clue.day if start_clue is not None else None
    chosen = _Chosen(found)
    return SelfDescription(
        title,
        chosen.text(Field.VERSION),
        start,
        _end(chosen, start, lines),
        chosen.day(Field.PUBLISHED),
        chosen.day(Field.UPDATED),
        chosen.text(Field.ISSUER),
        chosen.text(Field.NUMBER),
        chosen.text(Field.DRAFT),
        bool(chosen.text(Field.TRIAL)),
        _distinct(repeals(lines)),
        tuple(dict.fromkeys(found)),
        tuple(_disagreements(found)),
    )


def _distinct(found: Iterable[Repeal]) -> tuple[Repeal, ...]:
    """One declaration per document: the first, unless a later one of the same title adds the number."""
    kept: dict[str, Repeal] = {}
    for repeal in found:
        key = repeal.title or repeal.document_number
        if key not in kept or (repeal.document_number and not kept[key].document_number):
            kept[key] = repeal
    return tuple(kept.values())


class _Chosen:
    """The winning clue per field: text over revision record over file name over properties.

    Of several days in the text the effective one is the last, since validity stands in the closing article
    and cited days before it; an amendment is the latest. Of the other fields the first wins.
    """

    _RANK = {origin: rank for rank, origin in enumerate(Origin)}

    def __init__(self, found: Sequence[Clue]) -> None:
        self._found = found

    def clue(self, field: Field) -> Clue | None:
        candidates = [clue for clue in self._found if clue.field is field]
        if field is Field.EFFECTIVE:
            candidates.reverse()
        if field is Field.UPDATED:
            candidates.sort(key=lambda clue: clue.value, reverse=True)
        return min(candidates, key=lambda clue: self._RANK[clue.origin], default=None)

    def text(self, field: Field) -> str:
        clue = self.clue(field)
        return clue.value if clue is not None else ""

    def day(self, field: Field) -> date | None:
        clue = self.clue(field)
        return clue.day if clue is not None else None


def _clues(stem: str, parsed: Parsed, lines: Sequence[str]) -> Iterator[Clue]:
    for line in (*parsed.metadata.running_headers, *lines[:HEAD_BLOCKS]):
        yield from clues.in_head(line)
    for line in lines:
        yield from clues.in_text(line)
    yield from clues.in_revision_table(parsed.metadata.revision_table)
    yield from clues.in_name(stem)
    yield from clues.sign_off(lines[-TAIL_BLOCKS:])


def _start(chosen: _Chosen, title: str, lines: Sequence[str]) -> Clue | None:
    """The stated day; the day of publication for 「自发布之日起施行」; the one day a notice applies from.

    An amended regulation keeps the day of its first version in the closing article. When this version is more
    than a year younger than that day, it counts from its own day, and the evidence says so.
    """
    published = chosen.clue(Field.PUBLISHED)
    stated = chosen.clue(Field.EFFECTIVE)
    if stated is not None:
        own = max(
            (c for c in (published, chosen.clue(Field.UPDATED)) if c is not None), key=_value, default=None
        )
        if own is None or own.day - stated.day <= FIRST_VERSION_AGE:
            return stated
        both = f"{stated.quote}（首次施行日）；{own.quote}（本版日期）"
        return Clue(Field.EFFECTIVE, own.value, both, own.origin)
    for line in lines:
        quote = clues.from_publication(line)
        if quote and published is not None:
            return Clue(Field.EFFECTIVE, published.value, f"{quote}；{published.quote}", published.origin)
    if _NOTICE.search(title):
        days = {clue.value: clue for line in lines if (clue := clues.from_day(line)) is not None}
        if len(days) == 1:
            return next(iter(days.values()))
    return None


def _end(chosen: _Chosen, start: date | None, lines: Sequence[str]) -> date | None:
    last_day = chosen.day(Field.EXPIRES)
    if last_day is not None:
        return last_day + timedelta(days=1)
    spans = [years for line in lines if (years := clues.years_valid(line)) is not None]
    return clues.expiry(start, spans[-1]) if start is not None and spans else None


def _value(clue: Clue) -> str:
    return clue.value


# --- title -------------------------------------------------------------------------------------------------


def _stem(file_name: str) -> str:
    name = PurePosixPath(file_name.replace("\\", "/")).name
    return _EXTENSION.sub("", name).strip()


def _titles(stem: str, parsed: Parsed) -> Iterator[Clue]:
    """Title candidates: the first title line of the text, the properties, the file name."""
    for block in parsed.blocks[:HEAD_BLOCKS]:
        line = " ".join(block.text.split())
        fits = 2 <= len(line) <= TITLE_LIMIT and not line.endswith(("。", "；", "：", "，"))
        top = block.kind is BlockKind.HEADING and block.level <= 1 and block.anchor.sheet is None
        named = block.kind is BlockKind.PARAGRAPH and bool(_KIND_WORDS.search(line)) and ":" not in line
        if fits and (top or named) and numbering(line) is None and not _NO_TITLE.match(line):
            yield Clue(Field.TITLE, line, line, Origin.TEXT)
            break
    stated = " ".join(parsed.metadata.title.split())
    if stated and not _NO_TITLE.match(stated) and len(stated) <= TITLE_LIMIT:
        yield Clue(Field.TITLE, _EXTENSION.sub("", stated), stated, Origin.METADATA)
    if stem:
        cleaned = _LEADING.sub("", _COPY.sub("", stem))
        bare = _VERSION_TAIL.sub("", cleaned).strip(" -_")
        yield Clue(Field.TITLE, bare or cleaned or stem, stem, Origin.FILE_NAME)


def _title(titles: Sequence[Clue]) -> str:
    """The title shown: the text's when it names a kind of document or agrees with the file's name, else the
    name, unless that says nothing (扫描件1)."""
    by_origin = {clue.origin: clue.value for clue in reversed(titles)}
    text, name = by_origin.get(Origin.TEXT, ""), by_origin.get(Origin.FILE_NAME, "")
    stated = by_origin.get(Origin.METADATA, "")
    if text and (_KIND_WORDS.search(text) or not name or _agree(text, name) or _NO_TITLE.match(name)):
        return text
    if name and not _NO_TITLE.match(name):
        return name
    return stated or text or name


def _agree(one: str, other: str) -> bool:
    return fuzz.partial_ratio(title_key(one), title_key(other)) >= SAME_TITLE


# --- disagreements -----------------------------------------------------------------------------------------


def _disagreements(found: Sequence[Clue]) -> Iterator[str]:
    """Where the file name says one thing and the text or its revision record another."""
    named = {clue.field: clue for clue in found if clue.origin is Origin.FILE_NAME}
    for field in (Field.TITLE, Field.VERSION, Field.DRAFT):
        inside = next((c for c in found if c.field is field and c.origin in _INSIDE), None)
        outside = named.get(field)
        if inside is None or outside is None or _NO_TITLE.match(outside.value):
            continue
        if not _same(field, outside.value, inside.value):
            yield f"文件名写“{outside.value}”，{inside.origin}写“{inside.value}”，{field}不一致"
    draft = next((c for c in found if c.field is Field.DRAFT and c.origin in _INSIDE), None)
    version = named.get(Field.VERSION)
    if draft is not None and version is not None and Field.DRAFT not in named:
        yield f"文件名写“{version.value}”，{draft.origin}写“{draft.value}”，是否定稿请核对"


_INSIDE = frozenset({Origin.TEXT, Origin.REVISION_TABLE})
_DIGITS = re.compile(r"\d+(?:\.\d+)*")


def _same(field: Field, one: str, other: str) -> bool:
    if field is Field.TITLE:
        return _agree(one, other)
    if field is Field.VERSION:
        first, second = _DIGITS.search(one), _DIGITS.search(other)
        comparable = first is not None and second is not None and ("年" in one) == ("年" in other)
        return not comparable or (first and first[0]) == (second and second[0])
    return one == other
