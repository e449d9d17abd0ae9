"""Keeps the library up to date while serving: publishes of other services, and workbooks in a folder.

One thread looks every few seconds. A file that changed is dealt with once it has stood still between two
looks, so that nobody's half-written workbook is read. A file that is gone takes nothing back: a network drive
that is away must not take the processes with it.
"""

import hashlib
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from threading import Event, Thread

from service import logs
from service.access import Principal, Role
from service.errors import ZhixingError
from service.process.library import ProcessLibrary
from service.process.offered import form_files, offered_path, table_files, workbooks_under
from service.process.publishing import Published, Publishing
from service.store.processes import ProcessStore

log = logs.get(__name__)

EVERY_SECONDS = 2.0


class Followed:
    """A folder of workbooks, and how each was when it was last looked at.

    `name` tells folders apart; in the audit it is who published.
    """

    def __init__(self, folder: Path, name: str, publishing: Publishing, store: ProcessStore) -> None:
        self._folder = folder
        self._name = name
        self._principal = Principal(name, role=Role.PROCESS_ADMIN)
        self._publishing = publishing
        self._store = store
        self._seen: dict[str, str] = {}
        self._done: dict[str, str] = {}
        self._troubles = _Troubles()

    def look(self, *, at_once: bool = False) -> int:
        """Deal with what has changed and stood still, or, `at_once`, with all that has changed; how many."""
        try:
            paths = workbooks_under(self._folder)
        except OSError as error:
            self._troubles.tell(self._name, f"{self._folder.name}: {error.strerror}")
            return 0
        self._troubles.over(self._name)
        return sum(self._look_at(path, at_once=at_once) for path in paths)

    def _look_at(self, path: Path, *, at_once: bool) -> bool:
        source = f"{self._name}:{path.relative_to(self._folder).as_posix()}"
        try:
            found = _stamps(path)
            still = at_once or self._seen.get(source) == found
            self._seen[source] = found
            if not still or self._done.get(source) == found:
                return False
            new = self._deal_with(path, source)
            self._done[source] = found
        except (OSError, ZhixingError) as error:
            self._troubles.tell(source, str(error))
            return False
        self._troubles.over(source)
        return new

    def _deal_with(self, path: Path, source: str) -> bool:
        """False where the record knows these contents: from before a restart, or by another service."""
        offered = offered_path(path)
        fingerprint = offered.fingerprint()
        if self._store.source(source).fingerprint == fingerprint:
            return False
        done = self._publishing.follow(self._principal, source, fingerprint, offered)
        if isinstance(done, Published):
            log.info("process.followed", process=done.process_id, version=done.version, new=done.changed)
        else:
            log.warning("process.refused", source=source, findings=len(done.findings), draft=done.id)
        return True


class _Troubles:
    """What is in the way, logged when it begins and not with every look."""

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def tell(self, what: str, reason: str) -> None:
        if self._told.get(what) != reason:
            self._told[what] = reason
            log.warning("processes.not_followed", what=what, reason=reason)

    def over(self, what: str) -> None:
        self._told.pop(what, None)


class Following:
    """The thread. Each round reads one number, and the names and times of the files of the folders."""

    def __init__(
        self, library: ProcessLibrary, folders: Sequence[Followed] = (), every: float = EVERY_SECONDS
    ) -> None:
        self._library = library
        self._folders = folders
        self._every = every
        self._troubles = _Troubles()
        self._stopping = Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        self._thread = Thread(target=self._run, name="processes", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends after the current round."""
        self._stopping.set()

    def close(self) -> None:
        """Waits for the end, so that the database may close. Safe to repeat."""
        self.stop()
        if self._thread is not None:
            self._thread.join()

    def round(self, *, at_once: bool = False) -> None:
        try:
            self._library.refresh()
        except ZhixingError as error:
            self._troubles.tell("record", error.message)
            return
        self._troubles.over("record")
        for folder in self._folders:
            folder.look(at_once=at_once)

    def _warm(self) -> None:
        """Read what serves today, so that the first conversation need not."""
        try:
            self._library.on(date.today())
        except ZhixingError as error:
            self._troubles.tell("record", error.message)

    def _run(self) -> None:
        self.round(at_once=True)
        self._warm()
        while not self._stopping.wait(self._every):
            self.round()


def _stamps(path: Path) -> str:
    """Names, sizes and times of the workbook and of the forms beside it. Raises OSError."""
    digest = hashlib.sha256()
    for part in (*table_files(path), *form_files(path)):
        found = part.stat()
        stamp = f"{part.name}\n{found.st_size}\n{found.st_mtime_ns}\n"
        digest.update(stamp.encode(errors="surrogatepass"))  # a disk may hold names of any bytes
    return digest.hexdigest()
