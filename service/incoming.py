"""Files offered for intake: what is known of one before it is read, and the names they come under."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from ingestion.documents import Kind
from ingestion.parsers.bundle import Member
from service.access import PUBLIC, Principal
from service.errors import BadRequest

LONGEST_NAME = 255  # what file systems take
MINUTES_BASE = "minutes"  # the knowledge base of meetings for which none is named

# Control characters, halves of surrogate pairs, and what is not seen but turns the order of a name around.
_UNSEEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\ud800-\udfff]"
)


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file offered for intake: `data`, or the `path` it is read from when its turn comes.

    `labels` are None where nothing was said: a new document is public then, a known one keeps its own.
    """

    source_uri: str
    file_name: str
    data: bytes | None = None
    path: Path | None = None
    knowledge_base: str = "default"
    labels: tuple[str, ...] | None = None
    owner: str = ""
    business_line: str = ""
    issuer: str = ""
    password: str | None = None
    modified_at: datetime | None = None
    in_bundle: bool = False  # came out of a zip: if it is one again, it is not opened
    damage: str = ""  # why it could not be taken out of its zip
    kind: Kind = Kind.DOCUMENT

    def size(self) -> int:
        """Bytes, before anything is read. Raises OSError."""
        if self.data is not None:
            return len(self.data)
        if self.path is None:
            raise ValueError("an incoming file needs data or a path")
        return self.path.stat().st_size

    def read(self) -> bytes:
        if self.data is not None:
            return self.data
        if self.path is None:
            raise ValueError("an incoming file needs data or a path")
        return self.path.read_bytes()

    @property
    def first_labels(self) -> tuple[str, ...]:
        """The labels of the document if it is a new one."""
        return (PUBLIC,) if self.labels is None else self.labels

    def revision_id(self, digest: str) -> str:
        """The same bytes from the same source are the same revision, whenever they come."""
        return str(uuid5(NAMESPACE_URL, f"{self._name}\n{digest}"))

    def member(self, item: Member) -> "Incoming":
        """A file inside this zip; what was said about the zip holds for it."""
        return replace(
            self,
            source_uri=f"{self.source_uri}!/{quote(item.name, safe='/!')}",
            file_name=item.file_name,
            data=item.data,
            path=None,
            in_bundle=True,
            damage=item.failure.message if item.failure is not None else "",
        )

    def new_document_id(self) -> str:
        return str(uuid5(NAMESPACE_URL, self._name))

    @property
    def _name(self) -> str:
        """A file may be taken both as a document and as the record of a meeting: those are two."""
        name = f"{self.knowledge_base}\n{self.source_uri}"
        return name if self.kind is Kind.DOCUMENT else f"{self.kind.value}\n{name}"

    @classmethod
    def of_path(cls, path: Path, like: "Incoming | None" = None) -> "Incoming":
        """A file on disk; knowledge base, labels and the like are taken from `like`."""
        found = path.resolve()
        modified = datetime.fromtimestamp(found.stat().st_mtime, UTC)
        template = like or cls("", "")
        return replace(
            template, source_uri=found.as_uri(), file_name=found.name, path=found, modified_at=modified
        )


def upload_name(offered: str) -> str:
    """The name of an uploaded file: without folders and unseen characters. Raises BadRequest."""
    last = offered.replace("\\", "/").rsplit("/", 1)[-1]
    name = unicodedata.normalize("NFC", _UNSEEN.sub("", last)).strip()
    if not name.strip("."):
        raise BadRequest("上传的文件没有文件名")
    if len(name) > LONGEST_NAME:
        raise BadRequest(f"文件名超过 {LONGEST_NAME} 个字，请改短后再上传")
    return name


def upload_source(principal: Principal, name: str) -> str:
    """Where an upload comes from: a colleague's file of the same name is another source."""
    return f"upload:{principal.id}/{name}"


def is_own_upload(principal: Principal, source_uri: str) -> bool:
    """Whether a source is an upload of this principal, or a file in a zip of his."""
    own, _, name = source_uri.partition(upload_source(principal, ""))
    return not own and bool(name) and "/" not in name.partition("!/")[0]


def files_under(paths: Sequence[Path], like: Incoming) -> list[Incoming]:
    """Every file named or inside a named folder, in a stable order; hidden ones and office lock files not."""
    found: dict[Path, None] = {}
    for path in paths:
        candidates = sorted(path.rglob("*")) if path.is_dir() else [path]
        for candidate in candidates:
            inside = candidate.relative_to(path).parts if path.is_dir() else (candidate.name,)
            if candidate.is_file() and not any(part.startswith((".", "~$")) for part in inside):
                found[candidate.resolve()] = None
    return [Incoming.of_path(path, like) for path in found]
