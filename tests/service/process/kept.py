"""A library of processes on real parts in one folder, and workbooks for it: the starter one with changes."""

import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

from sqlalchemy import delete, select

from service.access import LOCAL
from service.originals import Originals
from service.process.library import ProcessLibrary
from service.process.offered import Offered
from service.process.publishing import Published, Publishing
from service.store.database import Database
from service.store.decisions import DecisionStore
from service.store.models import AuditRow
from service.store.process_models import (
    ProcessDecisionRow,
    ProcessDraftRow,
    ProcessSourceRow,
    ProcessVersionRow,
)
from service.store.processes import ProcessStore
from tests.rules.workbooks import base, packed, sheet

ID = "物品申领"
FORM = "申领单.docx"
UNREADABLE = b"no workbook at all"


@dataclass(frozen=True)
class Kept:
    database: Database
    originals: Originals
    store: ProcessStore
    library: ProcessLibrary
    publishing: Publishing
    decisions: DecisionStore

    def publish(self, workbook: bytes, **forms: bytes) -> Published:
        return self.publishing.publish(LOCAL, offered(workbook, **forms))

    def audited(self, action: str) -> list[AuditRow]:
        with self.database.session() as session:
            return list(
                session.scalars(select(AuditRow).where(AuditRow.action == action).order_by(AuditRow.at))
            )

    def empty(self) -> None:
        with self.database.session() as session:
            rows = (ProcessVersionRow, ProcessDraftRow, ProcessSourceRow, ProcessDecisionRow, AuditRow)
            for row in rows:
                session.execute(delete(row))


@contextmanager
def keeping(folder: Path, url: str = "") -> Iterator[Kept]:
    """On a database of its own in `folder`, or on the one at `url`."""
    database = Database(url or f"sqlite:///{folder / 'record.db'}")
    database.migrate()
    yield on(database, folder)
    database.close()


def on(database: Database, folder: Path) -> Kept:
    """What one service holds; two on the same database are two services."""
    store, originals = ProcessStore(database), Originals(folder / "originals")
    library = ProcessLibrary(store, originals)
    library.refresh()
    publishing = Publishing(store, originals, library)
    return Kept(database, originals, store, library, publishing, DecisionStore(database))


def offered(workbook: bytes, **forms: bytes) -> Offered:
    return Offered(f"{ID}.xlsx", workbook, {f"{name}.docx": data for name, data in forms.items()})


def workbook(version: str = "1.0", begins: str = "2025-01-01", ends: str = "", **cells: str) -> bytes:
    """The same bytes each time. `cells` are named 决策表_B6."""
    return _workbook(version, begins, ends, tuple(cells.items()))


def broken(version: str = "1.1") -> bytes:
    return workbook(version, 决策表_B6="")


@cache
def _workbook(version: str, begins: str, ends: str, cells: tuple[tuple[str, str], ...]) -> bytes:
    book = base()
    written: Mapping[str, str] = {
        "流程信息_B5": version,
        "流程信息_B6": begins,
        "流程信息_B7": ends,
        **dict(cells),
    }
    for place, text in written.items():
        title, _, reference = place.partition("_")
        sheet(book, title)[reference].value = text or None
    return packed(book)


def zipped(files: Mapping[str, bytes]) -> bytes:
    content = BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()
