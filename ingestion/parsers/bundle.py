"""Zip files of documents 压缩包: their members by name, to be read each as a file of its own.

Nothing is written anywhere: a member's name, however it is built, is only ever shown. The limits of
`archive` hold for each zip, and one budget for all that lie inside each other.
"""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from ingestion.errors import ParseFailure
from ingestion.parsers.archive import MAX_MEMBERS, MAX_TOTAL_BYTES, Archive, open_archive
from ingestion.parsers.detect import FileKind, detect
from ingestion.parsers.encoding import decode

MAX_DEPTH = 2  # a zip, and zips in it; deeper ones are members that nobody opens
UTF8_NAME = 0x800  # general purpose bit 11
SYSTEM_NAMES = frozenset({"__macosx", "thumbs.db", "desktop.ini"})


@dataclass(frozen=True, slots=True)
class Member:
    """A file in a zip. `name` is its path inside, that of an inner zip ending in `!`: `甲.zip!/乙.docx`.

    `failure` says why it could not be unpacked; `data` is empty then.
    """

    name: str
    data: bytes
    failure: ParseFailure | None = None

    @property
    def file_name(self) -> str:
        return self.name.rsplit("/", 1)[-1]


@dataclass(slots=True)
class _Budget:
    """What is left for inner zips: the limits of one zip, over all of them together."""

    members: int = MAX_MEMBERS
    bytes: int = MAX_TOTAL_BYTES

    def take(self, archive: Archive) -> bool:
        members = archive.members()
        size = sum(member.file_size for member in members)
        if len(members) > self.members or size > self.bytes:
            return False
        self.members -= len(members)
        self.bytes -= size
        return True


@dataclass(slots=True)
class _Names:
    """Names that were given already: equal ones get a number."""

    given: dict[str, int] = field(default_factory=dict)

    def distinct(self, name: str) -> str:
        seen = self.given[name] = self.given.get(name, 0) + 1
        if seen == 1:
            return name
        path = PurePosixPath(name)
        return self.distinct(str(path.with_name(f"{path.stem} ({seen}){path.suffix}")))


def is_bundle(data: bytes, file_name: str) -> bool:
    """Whether a file is a zip that is no document itself. False, too, for what cannot be opened."""
    try:
        return detect(data, file_name).kind is FileKind.ZIP
    except ParseFailure:
        return False


def unpack(data: bytes) -> Iterator[Member]:
    """The files inside, in the zip's order, inner zips opened to `MAX_DEPTH`.

    Folders, hidden files, office lock files and what operating systems leave behind are none. An inner zip
    that is encrypted, damaged, too deep or over the budget comes as a member itself, so that it ends in a
    state of its own; so does a member that cannot be unpacked, with its failure. Raises ParseFailure for the
    outer zip: corrupt, too_large, encrypted.
    """
    archive = open_archive(data)
    yield from _members(archive, "", 1, _Budget(), _Names())


def _members(archive: Archive, inside: str, depth: int, budget: _Budget, names: _Names) -> Iterator[Member]:
    for entry, name in _named(archive.members()):
        if entry.is_dir() or _is_system_file(name):
            continue
        member = _member(archive, entry, names.distinct(inside + name))
        inner = _inner(member, budget) if depth < MAX_DEPTH else None
        if inner is None:
            yield member
        else:
            yield from _members(inner, f"{member.name}!/", depth + 1, budget, names)


def _member(archive: Archive, entry: zipfile.ZipInfo, name: str) -> Member:
    try:
        return Member(name, archive.read_member(entry))
    except ParseFailure as failure:
        return Member(name, b"", failure)


def _inner(member: Member, budget: _Budget) -> Archive | None:
    """The member opened, when it is a zip of documents that may be opened."""
    if not is_bundle(member.data, member.file_name):
        return None
    try:
        archive = open_archive(member.data)
    except ParseFailure:  # read as a file of its own, it says so
        return None
    return archive if budget.take(archive) else None


def _named(entries: list[zipfile.ZipInfo]) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    """Entries with readable names. Without the UTF-8 flag the bytes are of the writer's code page, in China
    GBK; zipfile has read them as CP437. One encoding for all: a short name alone would be a guess."""
    raw = [entry.filename for entry in entries if not entry.flag_bits & UTF8_NAME]
    decoded = iter(_recoded(raw))
    for entry in entries:
        name = entry.filename if entry.flag_bits & UTF8_NAME else next(decoded)
        parts = [part for part in name.replace("\\", "/").split("/") if part not in ("", ".", "..")]
        yield entry, "/".join(parts) or "未命名"


def _recoded(names: list[str]) -> list[str]:
    if "".join(names).isascii():
        return names
    lines = decode("\n".join(names).encode("cp437")).text.split("\n")
    return lines if len(lines) == len(names) else names


def _is_system_file(name: str) -> bool:
    return any(part.startswith((".", "~$")) or part.lower() in SYSTEM_NAMES for part in name.split("/"))
