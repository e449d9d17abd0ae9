"""Applications in a CSV or JSON file, or in a folder of them: for a trial, or a nightly export of an old OA.

Read again when a file changes. A changed file that cannot be read leaves what was read before, and the log
says why.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path
from typing import TypeAlias

from service import logs
from service.process.status.applications import MOST_LISTED, Application, newest_first
from service.process.status.errors import StatusUnavailable
from service.process.status.reading import read_text
from service.process.status.records import ApplicationRecord, Words, assembled
from service.process.status.rows import BadRows, records_of_csv, records_of_json

log = logs.get(__name__)

_READERS = {".csv": records_of_csv, ".json": records_of_json}
RETRY_S = 60.0  # told to who asks while the files cannot be read; they are looked at each time


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells one state of a file from another without reading it."""

    path: Path
    modified_ns: int
    size: int


Stamps: TypeAlias = tuple[Stamp, ...]


class FileConnector:
    def __init__(self, path: Path, words: Words, zone: tzinfo) -> None:
        self._path = path
        self._words = words
        self._zone = zone
        self._lock = threading.Lock()
        self._seen: Stamps = ()
        self._fault = ""
        self._applications: dict[str, Application] | None = None

    @property
    def window_days(self) -> int | None:
        return None

    def by_id(self, application_id: str) -> Application | None:
        return self._current().get(application_id)

    def of_applicant(self, person_id: str) -> Sequence[Application]:
        theirs = [each for each in self._current().values() if each.applicant.id == person_id]
        return newest_first(theirs)[:MOST_LISTED]

    def close(self) -> None:
        """Nothing is held open."""

    def _current(self) -> dict[str, Application]:
        with self._lock:
            self._refresh()
            if self._applications is None:
                raise StatusUnavailable("申请数据读不出来，原因记在服务的日志里，请联系管理员", RETRY_S)
            return self._applications

    def _refresh(self) -> None:
        try:
            stamps = _stamps(self._path)
            if stamps == self._seen:
                return
            self._seen = stamps
            self._applications = self._read(stamps)
            self._fault = ""
        except OSError as error:
            self._seen = ()  # away for a moment, perhaps: looked at again with the next question
            self._tell(f"{self._path.name} {error.strerror or '打不开'}")
        except ValueError as error:
            self._tell(str(error) if isinstance(error, BadRows) else f"{self._path.name} {error}")

    def _tell(self, fault: str) -> None:
        """For the log alone, once and not with every question: it may name other people's applications."""
        if fault != self._fault:
            log.warning("status.unreadable_file", path=str(self._path), reason=fault)
        self._fault = fault

    def _read(self, stamps: Stamps) -> dict[str, Application]:
        found: dict[str, Application] = {}
        for stamp in stamps:
            for record in self._records(stamp.path):
                if record.id in found:
                    raise BadRows(f"{stamp.path.name}：申请编号 {record.id} 出现了两次")
                found[record.id] = assembled(record, self._words)
        return found

    def _records(self, path: Path) -> list[ApplicationRecord]:
        try:
            return _READERS[path.suffix.lower()](read_text(path), self._zone)
        except BadRows as error:
            raise BadRows(f"{path.name}：{error}") from error


def _stamps(path: Path) -> Stamps:
    """Raises OSError for what is not there, BadRows when there is nothing to read."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    known = [each for each in files if each.suffix.lower() in _READERS]
    meant = [each for each in known if not each.name.startswith((".", "~"))]
    if not meant:
        raise BadRows(f"{path.name} 不是也没有 .csv 或 .json 文件")
    stats = [(each, each.stat()) for each in meant]
    return tuple(Stamp(each, stat.st_mtime_ns, stat.st_size) for each, stat in stats)
