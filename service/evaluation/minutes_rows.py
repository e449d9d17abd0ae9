"""Labelled questions to an archive of minutes, and a temporary archive to ask them of."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import Field

from ingestion.documents import Kind
from ingestion.minutes.meeting import why_no_record
from service.access import LOCAL
from service.bootstrap import Parts, build
from service.config import Settings
from service.errors import BadRequest
from service.evaluation.rows import Day, Row
from service.home import Home
from service.incoming import MINUTES_BASE, Incoming, files_under

TODAY = date(2026, 11, 16)  # of the sample archive
PEOPLE = "people.csv"  # of an archive's folder: who is addressed how


class MinutesRow(Row):
    """`quotes` stand word for word in the `meetings` (file names), each in the words of `speaker` if given.
    Not `answerable`: `absence` says why; what was talked about and not decided may be told as that.
    """

    id: str
    question: str
    kind: str = ""
    speaker: str = ""
    first: Day = Field(None, alias="from")
    last: Day = Field(None, alias="to")
    meetings: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    answerable: bool
    absence: Literal["", "nobody", "other_speaker", "other_time", "undecided"] = ""


@contextmanager
def archive_of(folder: Path, settings: Settings) -> Iterator[Parts]:
    """The meetings of a folder in a home of their own, which is gone afterwards. Raises BadRequest where one
    of them cannot be taken in.
    """
    with tempfile.TemporaryDirectory(prefix="zhixing-eval-") as home:
        roster = folder / PEOPLE
        changes = {"home": Path(home), "database_url": None, "qdrant_url": None}
        people = roster if roster.is_file() else settings.minutes_people
        own = settings.model_copy(update={**changes, "minutes_people": people})
        with Home(own.home) as opened:
            parts = build(own, opened)
            try:
                _take_in(parts, folder)
                yield parts
            finally:
                parts.close()


def _take_in(parts: Parts, folder: Path) -> None:
    like = Incoming("", "", knowledge_base=MINUTES_BASE, kind=Kind.MINUTES)
    items = [item for item in files_under([folder], like) if not why_no_record(item.file_name)]
    task = parts.tasks.create(LOCAL, "ingest", len(items))
    for taken in parts.intake.run(LOCAL, task.id, items):
        if not taken.published:
            raise BadRequest(f"{taken.record.file_name} 没有入库：{taken.record.message}")
