"""How an upload ended: its record, those of the files in it if it was a zip, and the document it became."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingestion.documents import READABLE, FileState
from service.access import Principal
from service.bootstrap import Parts
from service.store.tasks import FileRecord

MOST_MEMBERS = 200  # are shown; of a larger zip the rest stands in the records


@dataclass(frozen=True, slots=True)
class Outcome:
    """`chunks` and `revisions` are 0 where nothing was published or the reader may not see it."""

    name: str
    state: FileState
    reason: str = ""
    message: str = ""
    unchanged: bool = False
    document_id: str = ""
    revision_id: str = ""
    chunks: int = 0
    revisions: int = 0
    members: tuple["Outcome", ...] = ()  # the first of them by name
    inside: int = 0  # files in the zip, shown or not
    taken: int = 0  # of these, how many were read
    task_id: str = ""


def outcome_of(parts: Parts, principal: Principal, task_id: str, name: str) -> Outcome:
    """Of a task that is over and took the upload `name` in."""
    task = parts.tasks.get(principal, task_id)
    # The zip itself is recorded last, so it comes first.
    records, total = parts.files.page(principal, task_id=task_id, page_size=MOST_MEMBERS + 1)
    outer = next((record for record in records if "!/" not in record.source_uri), None)
    if outer is None:
        state = FileState.FAILED if task.failed else FileState.PARSED
        return Outcome(name, state, message=task.message or "按所给的标签，您自己看不到这份文件")
    members = [record for record in records if record is not outer]
    unchanged = not members and bool(task.result.get("unchanged"))
    found = replace(_outcome(parts, principal, outer), unchanged=unchanged)
    taken = _taken(parts, principal, task_id) - (found.state in READABLE)
    return replace(
        found,
        members=_members(parts, principal, members),
        inside=total - 1,
        taken=taken,
        task_id=task_id,
    )


def _taken(parts: Parts, principal: Principal, task_id: str) -> int:
    """How many files of the task were read."""
    states = tuple(state.value for state in READABLE)
    return parts.files.page(principal, states=states, task_id=task_id, page_size=1)[1]


def _members(parts: Parts, principal: Principal, records: Sequence[FileRecord]) -> tuple[Outcome, ...]:
    by_name = sorted(records, key=lambda record: record.source_uri)
    return tuple(_outcome(parts, principal, record) for record in by_name)


def _outcome(parts: Parts, principal: Principal, record: FileRecord) -> Outcome:
    state = FileState(record.state)
    found = Outcome(record.file_name, state, record.reason or "", record.message)
    if state not in READABLE or record.document_id is None:
        return found
    stored = parts.documents.get(principal, record.document_id)
    chunks = [item.chunk_count for item in stored.revisions if item.revision.id == record.revision_id]
    return replace(
        found,
        document_id=record.document_id,
        revision_id=record.revision_id or "",
        chunks=sum(chunks),
        revisions=len(stored.revisions),
    )
