"""Following folders 跟随文件夹: what is renamed, moved, changed or deleted there happens to the documents.

A folder is held against what is known of it, not against single notices of the file system: so nothing is
missed that happened while nobody looked, and an editor that saves by delete and rename makes no noise.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from ingestion.documents import NEVER_IN_FORCE, FileState, RevisionStatus
from service import logs
from service.access import Principal
from service.errors import BadRequest, NotFound
from service.incoming import Incoming, files_under
from service.library import Library
from service.originals import sha256
from service.store.documents import DocumentStore
from service.store.tasks import FileRecord, FileStore

log = logs.get(__name__)

_SAME_MOMENT = 0.001  # seconds; a database may keep fewer digits than a file system
_SETTLED = frozenset({FileState.PARSED.value, FileState.PARSED_PARTLY.value, FileState.UNSUPPORTED.value})


@dataclass(frozen=True, slots=True)
class Followed:
    """`items` are to be taken in; the rest has happened already. Sources are URIs."""

    items: tuple[Incoming, ...]
    moved: tuple[tuple[str, str], ...]  # from, to
    gone: tuple[str, ...]
    returned: tuple[str, ...]


class Folders:
    def __init__(self, files: FileStore, documents: DocumentStore, library: Library) -> None:
        self._files = files
        self._documents = documents
        self._library = library

    def follow(self, principal: Principal, roots: Sequence[Path], like: Incoming) -> Followed:
        """Move what moved, withdraw what is gone, put back what returned, and say what must be read.

        Raises BadRequest when a folder that had files is empty now: more likely a drive that is not mounted.
        """
        present = {item.source_uri: item for item in files_under(roots, like)}
        known = {r.source_uri: r for root in roots for r in self._known(root, like.knowledge_base)}
        for root in roots:
            self._expect_files(root, present, known)
        gone = [r for r in known.values() if _file_of(r) not in present and r.missing_since is None]
        moved = self._move(principal, present, known, gone)
        left = [r for r in gone if r.source_uri not in {source for source, _ in moved}]
        for record in left:
            self._withdraw(principal, record)
        back = [r for r in known.values() if r.missing_since is not None and _file_of(r) in present]
        for record in back:
            self._put_back(principal, record)
        arrived = {to for _, to in moved}
        items = [
            item
            for uri, item in present.items()
            if uri not in arrived and not _untouched(known.get(uri), item)
        ]
        return Followed(
            tuple(items),
            tuple(moved),
            tuple(r.source_uri for r in left),
            tuple(r.source_uri for r in back),
        )

    def _known(self, root: Path, knowledge_base: str) -> list[FileRecord]:
        return self._files.under(knowledge_base, root.resolve().as_uri())

    @staticmethod
    def _expect_files(root: Path, present: Iterable[str], known: Iterable[str]) -> None:
        inside = f"{root.resolve().as_uri()}/"
        had = sum(uri.startswith(inside) for uri in known)
        if had and root.is_dir() and not any(uri.startswith(inside) for uri in present):
            raise BadRequest(
                f"文件夹 {root} 现在是空的，而其中曾有 {had} 个文件入库；"
                "请检查网络盘是否已连接。确要清空，请在控制台删除这些文档",
                code="folder_empty",
            )

    def _move(
        self,
        principal: Principal,
        present: dict[str, Incoming],
        known: dict[str, FileRecord],
        gone: Sequence[FileRecord],
    ) -> list[tuple[str, str]]:
        """A new file with the content of one that is gone is that file under another name or place."""
        lost = {r.content_sha256: r for r in gone if "!/" not in r.source_uri and r.content_sha256}
        moved: list[tuple[str, str]] = []
        for uri, item in present.items():
            if uri in known or not lost:
                continue
            digest = _digest(item)
            record = lost.pop(digest, None) if digest else None
            if record is None:
                continue
            for inner in [r for r in gone if _file_of(r) == record.source_uri]:
                target = uri + inner.source_uri.removeprefix(record.source_uri)
                name = item.file_name if inner is record else inner.file_name
                self._files.move(principal, replace(inner, modified_at=item.modified_at), target, name)
                moved.append((inner.source_uri, target))
        return moved

    def _withdraw(self, principal: Principal, record: FileRecord) -> None:
        """A document goes with its last file; while another is left, only this file's own revision goes."""
        withdrawn = []
        for revision_id in self._revisions_of(principal, record):
            self._library.set_status(principal, revision_id, RevisionStatus.WITHDRAWN)
            withdrawn.append(revision_id)
        self._files.record(replace(record, missing_since=datetime.now(UTC), withdrawn=tuple(withdrawn)))
        log.info("folder.file_gone", file=record.file_name, revisions=len(withdrawn))

    def _revisions_of(self, principal: Principal, record: FileRecord) -> list[str]:
        if record.document_id is None:
            return []
        try:
            document = self._documents.get(principal, record.document_id)
        except NotFound:  # deleted in the console before
            return []
        others = [
            r
            for r in self._files.of_document(record.document_id)
            if r.source_uri != record.source_uri and r.missing_since is None
        ]
        standing = [
            r.revision.id for r in document.revisions if r.revision.status.value not in NEVER_IN_FORCE
        ]
        if not others:
            return standing
        kept = {r.revision_id for r in others}
        return [key for key in standing if key == record.revision_id and key not in kept]

    def _put_back(self, principal: Principal, record: FileRecord) -> None:
        """What a person withdrew in the meantime stays withdrawn: only what went with the file comes back."""
        for revision_id in record.withdrawn:
            try:
                self._library.set_status(principal, revision_id, RevisionStatus.ACTIVE)
            except NotFound:  # deleted meanwhile; the file is read anew
                log.info("folder.revision_deleted", revision=revision_id)
        self._files.record(replace(record, missing_since=None, withdrawn=()))


def _file_of(record: FileRecord) -> str:
    """The file on disk: of what lies in a zip, the zip."""
    return record.source_uri.partition("!/")[0]


def _untouched(record: FileRecord | None, item: Incoming) -> bool:
    """By size and time, as rsync does it: a large folder need not be read whole at every change."""
    if record is None or item.path is None or item.labels is not None or item.modified_at is None:
        return False
    if record.state not in _SETTLED or record.modified_at is None or not record.content_sha256:
        return False
    apart = abs((record.modified_at - item.modified_at).total_seconds())
    return record.size == item.path.stat().st_size and apart < _SAME_MOMENT


def _digest(item: Incoming) -> str:
    """Empty for a file that cannot be read; intake says why."""
    try:
        return sha256(item.read())
    except OSError:
        return ""
