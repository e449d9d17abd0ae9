"""Which files are revisions of one document 版本关系, and which of them is in force when.

Decisions only; storing them is the caller's business. Two files belong together when their normalised titles
agree and their content overlaps. Titles alone do not decide: every department has its 「工作总结」.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import zip_longest

from ingestion.documents import NEVER_IN_FORCE, RevisionStatus

SHINGLE = 8  # characters; short enough for reworded articles, long enough that office phrases differ
SAME_DOCUMENT = 0.3  # share of the shorter text's shingles found in the longer one

START_INFERRED = "未注明施行日期，以入库日期为准"

_VERSION_WORDS = re.compile(
    r"(?:(?:19|20)\d{2}\s*年?(?:\d{1,2}月)?)?(?:最终|修订|修正|更新|正式|发布|试行|暂行|征求意见|送审)[版稿]"
    r"|试行|暂行|征求意见|(?:最终|定稿)(?=$|[vV\d])|(?:19|20)\d{2}\s*年?(?:\d{1,2}月)?(?:修订|修正|版)"
    r"|(?<![A-Za-z])[vV]\s*\d+(?:\.\d+)*|第[一二三四五六七八九十\d]+版|副本|(?<![A-Za-z])copy(?![A-Za-z])",
    re.IGNORECASE,
)
# 「2021年度…」 and 「关于2021年…的通知」 are about a year, they are not the version of that year.
_YEAR_AT_AN_END = re.compile(
    r"^(?:19|20)\d{2}\s*(?:年(?![\d月度])|(?![\d\s年号室楼栋座幢型系#]))|(?<!\d)(?:19|20)\d{2}\s*年?$"
)
# 「（财务部）」 and 「（全日制）」 tell documents apart; 「（2023年修订）」 and 「(1)」 tell versions apart.
_BRACKETED = re.compile(
    r"[(\[【（](?:\d{1,2}|[^()\[\]【】（）]{0,30}(?:修订|修正|版|稿|试行|暂行|草案|最终|征求意见|作废|废止|现行"
    r"|副本|copy|[vV]\s*\d|(?:19|20)\d{2})[^()\[\]【】（）]{0,30})[)\]】）]",
    re.IGNORECASE,
)
_NOT_WORD = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Stated:
    """What is known of a revision by itself: from its text, from its upload, from a person.

    `starts` inclusive, `ends` exclusive. `loaded` decides between revisions that begin on one day.
    `replaces` names the revision that the same source held before. `ends_by_hand`: a person has said when it
    ends or that it does not, so no other document does.
    """

    id: str
    loaded: datetime
    status: RevisionStatus = RevisionStatus.ACTIVE
    starts: date | None = None
    ends: date | None = None
    replaces: str | None = None
    ends_by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """Another document ends this one on `day`; `evidence` says which."""

    day: date
    evidence: str


@dataclass(frozen=True, slots=True)
class Place:
    """A revision among the others of its document; the fields mean what they mean in `Revision`."""

    id: str
    status: RevisionStatus
    effective_from: date | None
    effective_to: date | None
    supersedes: str | None = None
    evidence: tuple[str, ...] = ()


def line_up(revisions: Iterable[Stated], endings: Sequence[Ending] = ()) -> list[Place]:
    """Let every revision end where the next begins, so that no day has two of them in force.

    Depends on nothing but what is given: not on the order of loading where dates decide, not on revisions
    that have been deleted. Withdrawn, archived and draft revisions stand aside, and the line closes up over
    them. A revision without a date begins when it was loaded if it replaces another file of its source;
    else it is older than every dated one. Repeals end what began before them.
    """
    known = list(revisions)
    aside = [_aside(one) for one in known if one.status in NEVER_IN_FORCE]
    line = [one for one in known if one.status not in NEVER_IN_FORCE]
    starts = _starts(line)
    line.sort(key=lambda one: (*_order(one, starts), one.loaded, one.id))
    places: list[Place] = []
    for one, following in zip_longest(line, line[1:]):
        inferred = starts[one.id] != one.starts
        place = Place(
            id=one.id,
            status=one.status if following is None else RevisionStatus.SUPERSEDED,
            effective_from=starts[one.id],
            effective_to=_earlier(one.ends, starts[following.id] if following else None),
            supersedes=places[-1].id if places else None,
            evidence=(START_INFERRED,) if inferred else (),
        )
        places.append(place if one.ends_by_hand else _ended(place, endings))
    return places + aside


def title_key(title: str) -> str:
    """A title without version marks, blanks and punctuation; empty when it holds no word at all."""
    folded = unicodedata.normalize("NFKC", title).strip()
    bare = _VERSION_WORDS.sub("", _BRACKETED.sub("", folded)).strip(" -_.")
    bare = _YEAR_AT_AN_END.sub("", bare)
    return _NOT_WORD.sub("", bare).casefold() or _NOT_WORD.sub("", folded).casefold()


def overlap(one: str, other: str) -> float:
    """Share of the shorter text's character shingles that the other holds, 0..1."""
    first, second = shingles(one), shingles(other)
    shorter = min(len(first), len(second))
    return len(first & second) / shorter if shorter else 0.0


def same_document(one: str, other: str) -> bool:
    """Whether two texts with equal `title_key` are revisions of one document."""
    return overlap(one, other) >= SAME_DOCUMENT


def _starts(line: Sequence[Stated]) -> dict[str, date | None]:
    """The day each revision begins; at most one has none, and begins before all others."""
    starts = {one.id: one.starts for one in line}
    first_dated = min((one.starts for one in line if one.starts is not None), default=date.max)
    open_start = True
    for one in sorted(line, key=lambda one: (one.loaded, one.id)):
        if one.starts is not None:
            continue
        loaded_on = one.loaded.astimezone().date()
        if _replaces_one_of(starts, one):
            starts[one.id] = loaded_on
        elif open_start:
            open_start = False
        else:
            starts[one.id] = min(loaded_on, first_dated)
    return starts


def _order(one: Stated, starts: Mapping[str, date | None]) -> tuple[bool, date, bool]:
    """By start; one that borrows the start of the first dated revision stands before it."""
    start = starts[one.id]
    return start is not None, start or date.min, one.starts is not None or _replaces_one_of(starts, one)


def _replaces_one_of(known: Mapping[str, date | None], one: Stated) -> bool:
    return one.replaces in known and one.replaces != one.id


def _ended(place: Place, endings: Sequence[Ending]) -> Place:
    start = place.effective_from or date.min
    after = [ending for ending in endings if ending.day > start]
    if not after:
        return place
    first = min(after, key=lambda ending: (ending.day, ending.evidence))
    if place.effective_to is not None and place.effective_to <= first.day:
        return place
    return replace(place, effective_to=first.day, evidence=(*place.evidence, first.evidence))


def _aside(one: Stated) -> Place:
    return Place(one.id, one.status, one.starts, one.ends)


def _earlier(one: date | None, other: date | None) -> date | None:
    return min((day for day in (one, other) if day is not None), default=None)


def shingles(text: str) -> set[str]:
    """Overlapping pieces of `SHINGLE` characters, white space and punctuation left out."""
    flat = _NOT_WORD.sub("", text)
    return (
        {flat[start : start + SHINGLE] for start in range(max(1, len(flat) - SHINGLE + 1))} if flat else set()
    )
