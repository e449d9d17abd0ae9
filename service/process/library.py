"""The published workbooks, read once and kept: which serve on a day, and any version again for a replay.

Whoever publishes is `publishing`. Reading costs no SQL: `refresh` looks whether the record has moved, and the
following thread calls it every few seconds, so that a publish of another service is seen.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from threading import Lock

from rules.loader import load
from rules.table import Process
from service import logs
from service.errors import NotFound
from service.originals import Originals
from service.process.offered import form_name
from service.store.processes import ProcessStore, Version, VersionState

log = logs.get(__name__)

REMEMBERED_DAYS = 400


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """Every version by process, those published last first, at one generation of the record."""

    generation: int = -1
    versions: Mapping[str, tuple[Version, ...]] = field(default_factory=dict)
    days: dict[date, tuple[Process, ...]] = field(default_factory=dict)


class ProcessLibrary:
    """Implements `published.Processes`; thread-safe."""

    def __init__(self, store: ProcessStore, originals: Originals) -> None:
        self._store = store
        self._originals = originals
        self._snapshot = _Snapshot()
        self._refreshing = Lock()
        self._reading = Lock()
        self._read: dict[tuple[str, str], Process | None] = {}  # by id and digest

    def refresh(self) -> bool:
        """Take over what was published or withdrawn since the last time; whether anything was."""
        with self._refreshing:
            if self._store.generation() == self._snapshot.generation:
                return False
            generation, versions = self._store.versions()
            fresh = _Snapshot(generation, _by_process(versions))
            if self._snapshot.versions:  # read what is new before it serves, so that nobody waits for it
                self._on(fresh, date.today())
            self._snapshot = fresh
            return True

    def remember(self, process: Process) -> None:
        """A workbook that was read to be published need not be read again."""
        with self._reading:
            self._read.setdefault((process.id, process.digest), process)

    def on(self, day: date) -> Sequence[Process]:
        """The versions in force on a day, one for each process, in the order of their names.

        Of several in force the one that began last serves, and of those the one published last.
        """
        return self._on(self._snapshot, day)

    def _on(self, snapshot: _Snapshot, day: date) -> tuple[Process, ...]:
        found = snapshot.days.get(day)
        if found is None:
            serving = (_serving(versions, day) for versions in snapshot.versions.values())
            read = [self.process(version) for version in serving if version is not None]
            found = tuple(sorted((each for each in read if each is not None), key=lambda each: each.name))
            if len(snapshot.days) >= REMEMBERED_DAYS:
                snapshot.days.clear()
            snapshot.days[day] = found
        return found

    def version(self, process_id: str, digest: str) -> Process | None:
        """The very version a case was begun with; None when it was withdrawn or never was."""
        for version in self._snapshot.versions.get(process_id, ()):
            if version.digest == digest and version.state is VersionState.PUBLISHED:
                return self.process(version)
        return None

    def ids(self) -> tuple[str, ...]:
        return tuple(self._snapshot.versions)

    def versions(self, process_id: str) -> tuple[Version, ...]:
        """Withdrawn ones too, those published last first. Raises NotFound for an unknown process."""
        found = self._snapshot.versions.get(process_id)
        if not found:
            raise NotFound("没有这个流程")
        return found

    def serving(self, process_id: str, day: date) -> Version | None:
        """The version in force on a day. Raises NotFound for an unknown process."""
        return _serving(self.versions(process_id), day)

    def shown(self, process_id: str, day: date) -> Version:
        """The version to show of a process: in force on the day, else the one published last.

        Raises NotFound.
        """
        versions = self.versions(process_id)
        return _serving(versions, day) or _last(versions) or versions[0]

    def find(self, process_id: str, name: str) -> Version:
        """A version by its digest or by what its workbook calls it, withdrawn ones too. Raises NotFound."""
        versions = self.versions(process_id)
        for version in versions:
            if version.digest == name:
                return version
        named = [version for version in versions if version.version == name]
        if not named:
            raise NotFound("没有这个流程版本")
        return _last(named) or named[0]

    def process(self, version: Version) -> Process | None:
        """The workbook of a version, read. None when this program cannot read it; that is logged."""
        key = (version.process_id, version.digest)
        with self._reading:
            if key not in self._read:
                process = load(self._store.workbook(*key), version.process_id).process
                if process is None:
                    log.error("process.unreadable", process=version.process_id, digest=version.digest)
                self._read[key] = process
            return self._read[key]

    def workbook(self, version: Version) -> bytes:
        return self._store.workbook(version.process_id, version.digest)

    def forms(self, process_id: str) -> frozenset[str]:
        """The names under which `form` finds something."""
        published = (
            version
            for version in self._snapshot.versions.get(process_id, ())
            if version.state is VersionState.PUBLISHED
        )
        return frozenset(form_name(each.name) for version in published for each in version.templates)

    def form(self, process_id: str, name: str, day: date) -> bytes:
        """A template by its file name: of the version in force, else of the last published that has one.

        Raises NotFound.
        """
        wanted = form_name(name)
        published = [each for each in self.versions(process_id) if each.state is VersionState.PUBLISHED]
        serving = _serving(published, day)
        for version in sorted(published, key=lambda each: each is not serving):
            for template in version.templates:
                if form_name(template.name) == wanted:
                    return self._originals.read(template.digest)
        raise NotFound("没有这个模板")


def _by_process(versions: Iterable[Version]) -> dict[str, tuple[Version, ...]]:
    found: dict[str, list[Version]] = {}
    for version in versions:
        found.setdefault(version.process_id, []).append(version)
    return {process_id: tuple(each) for process_id, each in found.items()}


def _serving(versions: Iterable[Version], day: date) -> Version | None:
    """A correction of last year's workbook that is published today does not take this year's place."""
    in_force = [version for version in versions if version.in_force(day)]
    return max(in_force, key=lambda each: (each.effective_from or date.min, each.ordinal), default=None)


def _last(versions: Iterable[Version]) -> Version | None:
    return next((version for version in versions if version.state is VersionState.PUBLISHED), None)
