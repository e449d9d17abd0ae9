"""Meetings as JSON files in the home: one for each published one, for programs that read no database.

They follow the database: written anew when a meeting changes, gone when it goes, and made again when missing.
"""

import os
from collections.abc import Set
from pathlib import Path

from ingestion import durable
from service import logs
from service.access import LOCAL
from service.errors import NotFound
from service.inbox import PRIVATE_FOLDER
from service.meetings import shown
from service.store.meetings import MeetingStore, StoredMeeting

log = logs.get(__name__)

_PART = ".part"


class MeetingFiles:
    """`<document id>.json` holds a `meetings.SegmentationOut`. For the owner of the home alone: access labels
    do not reach into files.
    """

    def __init__(self, folder: Path, meetings: MeetingStore) -> None:
        self._folder = folder
        self._meetings = meetings

    def follow(self, document_ids: Set[str] | None = None) -> None:
        """Bring the files of these documents up to date; None: every file that is missing or left over.

        A disk that takes no file stops nothing: what could not be written is missing, and made at the next
        start.
        """
        try:
            if document_ids is None:
                self._catch_up()
            else:
                for document_id in sorted(document_ids):
                    self._follow(document_id)
        except OSError as error:
            log.error("meeting_files.not_written", reason=error.strerror or str(error))

    def restore(self, document_id: str) -> None:
        """Make a file that is missing again."""
        if not self._path(document_id).exists():
            self.follow({document_id})

    def _follow(self, document_id: str) -> None:
        try:
            meeting = self._meetings.get(LOCAL, document_id)
        except NotFound:
            self._path(document_id).unlink(missing_ok=True)
        else:
            try:
                self._write(document_id, meeting)
            except OSError:
                self._path(document_id).unlink(missing_ok=True)  # rather none than one of before
                raise

    def _catch_up(self) -> None:
        known = self._meetings.ids()
        there = {path.stem for path in self._folder.glob("*.json")}
        for document_id in sorted(known ^ there):
            self._follow(document_id)
        for left in self._folder.glob(f"*{_PART}"):
            left.unlink()

    def _write(self, document_id: str, meeting: StoredMeeting) -> None:
        """Whoever reads finds the former file or this one, never half of it."""
        self._folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        path = self._path(document_id)
        part = path.with_suffix(_PART)
        durable.write(part, shown(meeting.record, meeting.text).model_dump_json(indent=2).encode())
        os.replace(part, path)

    def _path(self, document_id: str) -> Path:
        return self._folder / f"{document_id}.json"
