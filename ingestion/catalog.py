"""The inventory 盘点 of a folder before anything is loaded: what is there, what repeats, what to load first.

Works on facts gathered per file (`Sighting`); walking and parsing are the caller's business.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from datasketch import LeanMinHash, MinHash, MinHashLSH

from ingestion.documents import READABLE, FileState
from ingestion.sketches import shared
from ingestion.versions import SAME_DOCUMENT, shingles, title_key

PERMUTATIONS = 128
NEAR_DUPLICATE = 0.85  # Jaccard of character shingles: the same text saved twice, give or take a cover page
AGES = ((1, "一年内"), (3, "一至三年"), (5, "三至五年"))
OLDER = "五年以上"
AUTHORITATIVE = (
    "办法",
    "规定",
    "制度",
    "细则",
    "标准",
    "手册",
    "指南",
    "问答",
    "须知",
    "流程",
    "规范",
    "FAQ",
)
FIRST_BATCH = 30


@dataclass(frozen=True, slots=True)
class Sketch:
    """What is kept of a text to compare it by: how many shingles it has and their MinHash."""

    shingles: int
    signature: LeanMinHash


def sketch_of(text: str) -> Sketch | None:
    """None for an empty text: two files without text are not the same document."""
    if not text:
        return None
    pieces = shingles(text)
    signature = MinHash(PERMUTATIONS)
    signature.update_batch([piece.encode() for piece in pieces])
    return Sketch(len(pieces), LeanMinHash(signature))


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one look at a file told. `sha256` is empty when not all of it was read, `sketch` is None when it
    has no text; the text itself is not kept, so that a folder of any size can be summed up."""

    path: str
    size: int  # bytes
    modified: datetime
    kind: str
    sha256: str
    state: FileState
    reason: str = ""
    message: str = ""
    title: str = ""
    version: str = ""
    effective_from: date | None = None
    is_draft: bool = False
    ocr_pages: int = 0
    sketch: Sketch | None = None


@dataclass(frozen=True, slots=True)
class Family:
    """Files that are versions of one document, the newest first."""

    title: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Trouble:
    path: str
    state: str
    reason: str
    message: str


@dataclass(frozen=True, slots=True)
class Inventory:
    """`exact` and `near` are groups of at least two paths; the first of a group is the one to keep."""

    files: int
    size: int
    by_kind: dict[str, int]
    by_age: dict[str, int]
    by_state: dict[str, int]
    exact: tuple[tuple[str, ...], ...]
    near: tuple[tuple[str, ...], ...]
    families: tuple[Family, ...]
    scanned: tuple[str, ...]
    troubles: tuple[Trouble, ...]
    first_batch: tuple[str, ...]


def take_stock(sightings: Sequence[Sighting], today: date) -> Inventory:
    """Sum up a folder. Near duplicates are found by locality-sensitive hashing; a file is compared with one
    file of every family of its title.
    """
    ordered = sorted(sightings, key=lambda seen: seen.path)
    exact = _exact(ordered)
    copies = {seen.path for group in exact for seen in group[1:]}
    distinct = [seen for seen in ordered if seen.path not in copies]
    sketches = {seen.path: seen.sketch for seen in distinct if seen.sketch is not None}
    families = _families(distinct, sketches)
    near = _near(distinct, sketches)
    return Inventory(
        files=len(ordered),
        size=sum(seen.size for seen in ordered),
        by_kind=_counted(seen.kind for seen in ordered),
        by_age=_counted(_age(seen.modified.date(), today) for seen in ordered),
        by_state=_counted(seen.state.value for seen in ordered),
        exact=tuple(tuple(seen.path for seen in group) for group in exact),
        near=tuple(tuple(seen.path for seen in group) for group in near),
        families=tuple(Family(group[0].title, tuple(seen.path for seen in group)) for group in families),
        scanned=tuple(seen.path for seen in ordered if seen.ocr_pages),
        troubles=tuple(
            Trouble(seen.path, seen.state.value, seen.reason, seen.message)
            for seen in ordered
            if seen.state is not FileState.PARSED
        ),
        first_batch=_first_batch(distinct, families, near),
    )


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names).most_common())


def _age(modified: date, today: date) -> str:
    years = (today - modified).days / 365.25
    return next((name for limit, name in AGES if years < limit), OLDER)


def _newest_first(group: Iterable[Sighting]) -> list[Sighting]:
    """By the date the text gives, then by the file's; a draft comes after everything that is none."""
    return sorted(
        group,
        key=lambda seen: (not seen.is_draft, seen.effective_from or date.min, seen.modified, seen.path),
        reverse=True,
    )


def _exact(sightings: Sequence[Sighting]) -> list[list[Sighting]]:
    groups: dict[str, list[Sighting]] = defaultdict(list)
    for seen in sightings:
        if seen.size and seen.sha256:
            groups[seen.sha256].append(seen)
    return [_newest_first(group) for group in groups.values() if len(group) > 1]


def _near(sightings: Sequence[Sighting], sketches: dict[str, Sketch]) -> list[list[Sighting]]:
    """Connected groups of texts that are nearly the same."""
    signatures = {path: sketch.signature for path, sketch in sketches.items()}
    index = MinHashLSH(NEAR_DUPLICATE, PERMUTATIONS)
    for path, signature in signatures.items():
        index.insert(path, signature)
    by_path = {seen.path: seen for seen in sightings}
    groups, placed = [], set[str]()
    for path in signatures:
        if path in placed:
            continue
        group, waiting = set[str](), [path]
        while waiting:
            current = waiting.pop()
            if current not in group:
                group.add(current)
                waiting += [
                    other
                    for other in index.query(signatures[current])
                    if signatures[current].jaccard(signatures[other]) >= NEAR_DUPLICATE
                ]
        placed |= group
        if len(group) > 1:
            groups.append(_newest_first(by_path[name] for name in group))
    return groups


def _families(sightings: Sequence[Sighting], sketches: dict[str, Sketch]) -> list[list[Sighting]]:
    """Same title without version marks, and overlapping text, as in publishing (`versions`)."""
    titles: dict[str, list[Sighting]] = defaultdict(list)
    for seen in sightings:
        if seen.path in sketches and (key := title_key(seen.title)):
            titles[key].append(seen)
    families = []
    for candidates in titles.values():
        groups: list[list[Sighting]] = []
        for seen in candidates:
            home = next((g for g in groups if _akin(sketches[g[0].path], sketches[seen.path])), None)
            if home is None:
                groups.append([seen])
            else:
                home.append(seen)
        families += [_newest_first(group) for group in groups if len(group) > 1]
    return families


def _akin(one: Sketch, other: Sketch) -> bool:
    """As `versions.same_document` judges the texts, from their sketches."""
    jaccard = float(one.signature.jaccard(other.signature))
    return shared(jaccard, one.shingles, other.shingles) >= SAME_DOCUMENT


def _first_batch(
    distinct: Sequence[Sighting], families: Sequence[Sequence[Sighting]], near: Sequence[Sequence[Sighting]]
) -> tuple[str, ...]:
    """Readable, current, one of each family and group: rules and manuals first, then what changed last."""
    older = {seen.path for group in (*families, *near) for seen in group[1:]}
    ready = [
        seen for seen in distinct if seen.state in READABLE and not seen.is_draft and seen.path not in older
    ]
    ready.sort(key=lambda seen: seen.modified, reverse=True)
    ready.sort(key=lambda seen: not any(word in seen.title for word in AUTHORITATIVE))
    return tuple(seen.path for seen in ready[:FIRST_BATCH])
