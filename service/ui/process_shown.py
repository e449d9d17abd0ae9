"""What a process page shows: one version or draft, its sheets as they were written, and what was read."""

from dataclasses import dataclass
from datetime import date

from rules.findings import FindingJson
from rules.sheets.files import read_workbook
from rules.sheets.grid import Sheet
from rules.sheets.package import Unreadable
from rules.table import Process
from service.access import Principal, Role
from service.bootstrap import Parts
from service.store.processes import Draft, Version


@dataclass(frozen=True, slots=True)
class Shown:
    """`sheets` are empty and `process` is None where the file cannot be opened.

    `by_day`: no version was asked for, so that another day means the version of that day.
    """

    subject: Version | Draft
    sheets: tuple[Sheet, ...]
    process: Process | None
    by_day: bool = False

    @property
    def id(self) -> str:
        return self.subject.process_id

    @property
    def findings(self) -> tuple[FindingJson, ...]:
        return self.subject.findings

    @property
    def draft(self) -> Draft | None:
        return self.subject if isinstance(self.subject, Draft) else None

    @property
    def role(self) -> Role:
        """What one must be to look at it."""
        return Role.PROCESS_ADMIN if self.draft else Role.READER


def load_shown(parts: Parts, principal: Principal, process_id: str, version: str, draft: str) -> Shown:
    """The draft or version asked for, else the one in force; of a process without any, its latest draft.

    Raises NotFound, and Forbidden for a draft.
    """
    if not draft and not version and process_id not in parts.processes.ids():
        draft = _latest_draft(parts, principal, process_id)
    if draft:
        tried = parts.publishing.tried(principal, process_id, draft)
        return Shown(tried.draft, sheets_of(tried.workbook), tried.process)
    library = parts.processes
    found = library.find(process_id, version) if version else library.shown(process_id, date.today())
    return Shown(found, sheets_of(library.workbook(found)), library.process(found), by_day=not version)


def sheets_of(workbook: bytes) -> tuple[Sheet, ...]:
    """None of a file that cannot be opened; its findings say why."""
    try:
        return read_workbook(workbook).sheets
    except Unreadable:
        return ()


def people(parts: Parts) -> dict[str, str]:
    """The names behind the ids of keys, revoked ones too."""
    return {key.principal.id: key.principal.name for key in parts.keys.list()}


def _latest_draft(parts: Parts, principal: Principal, process_id: str) -> str:
    if not principal.allows(Role.PROCESS_ADMIN):
        return ""
    return next((each.id for each in parts.publishing.drafts(principal, process_id)), "")
