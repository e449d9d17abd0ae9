"""`zhixing bench minutes`: how fast meetings are taken in, and whether memory grows with their number.

Files are made up, taken in through the real intake into a home of its own, and taken in once more unchanged.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import perf_counter

from ingestion.documents import Kind
from service import bootstrap
from service.access import LOCAL
from service.bootstrap import Parts
from service.config import MEGABYTE, Settings
from service.evaluation.meetings_made import made_up
from service.home import Home
from service.incoming import MINUTES_BASE, Incoming, files_under
from service.intake import Taken

SEED = 20260305
QUARTERS = 4
EVERY_SECONDS = 0.5
_PROC = Path("/proc")

Figures = dict[str, float]
Tell = Callable[[str], None]


def bench_minutes(settings: Settings, meetings: int, chars: int, tell: Tell) -> dict[str, Figures]:
    """Seconds and rates; resident memory in MB, the highest of each quarter of the meetings.

    `children` are all processes of the service together. Without /proc there are no figures of memory.
    """
    with TemporaryDirectory(prefix="zhixing-bench-") as name:
        folder = Path(name) / "meetings"
        folder.mkdir()
        tell(f"写 {meetings} 份会议记录，每份约 {chars} 字")
        size = sum(_write(folder, number, chars) for number in range(meetings))
        home = Path(name) / "home"
        own = settings.model_copy(update={"home": home, "database_url": None, "qdrant_url": None})
        with Home(home) as held:
            parts = bootstrap.build(own, held)
            try:
                return {"files": {"meetings": meetings, "megabytes": size / MEGABYTE}} | _measure(
                    parts, folder, tell
                )
            finally:
                parts.close()


def _write(folder: Path, number: int, chars: int) -> int:
    name, data = made_up(SEED, number, chars)
    return (folder / name).write_bytes(data)


def _measure(parts: Parts, folder: Path, tell: Tell) -> dict[str, Figures]:
    tell("入库")
    memory = Memory()
    seconds, taken = _take(parts, folder, memory)
    failed = [one for one in taken if not one.published]
    for one in failed[:5]:
        tell(f"未入库 {one.record.file_name}：{one.record.message}")
    tell("原样再入库一次")
    again, unchanged = _take(parts, folder, Memory())
    chunks = sum(one.chunks for one in taken)
    return {
        "ingest": {
            "seconds": seconds,
            "meetings_per_second": len(taken) / seconds,
            "chunks": chunks,
            "chunks_per_second": chunks / seconds,
            "failed": len(failed),
        },
        "again": {"seconds": again, "unchanged": sum(one.unchanged for one in unchanged)},
        **memory.figures(),
    }


def _take(parts: Parts, folder: Path, memory: "Memory") -> tuple[float, list[Taken]]:
    like = Incoming("", "", knowledge_base=MINUTES_BASE, kind=Kind.MINUTES)
    started = perf_counter()
    items = files_under([folder], like)
    task = parts.tasks.create(LOCAL, "ingest", len(items))
    with memory.watched(len(items)):
        taken = parts.intake.run(LOCAL, task.id, items, on_file=memory.another)
    return perf_counter() - started, taken


class Memory:
    """The highest resident memory of this process and of its children, in MB, by quarters of the work.

    `heap` leaves out what is mapped from files: the index, which grows with what it holds.
    """

    def __init__(self) -> None:
        self._done = 0
        self._own = [0.0] * QUARTERS
        self._heap = [0.0] * QUARTERS
        self._children = [0.0] * QUARTERS

    def another(self, _taken: Taken) -> None:
        self._done += 1

    @contextmanager
    def watched(self, total: int) -> Iterator[None]:
        over = Event()
        thread = Thread(target=self._watch, args=(total, over), name="memory", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def figures(self) -> dict[str, Figures]:
        rows = {
            "service_peak_mb": self._own,
            "service_heap_mb": self._heap,
            "children_peak_mb": self._children,
        }
        return {
            name: {f"quarter_{place}": peak for place, peak in enumerate(peaks, 1)}
            for name, peaks in rows.items()
            if any(peaks)
        }

    def _watch(self, total: int, over: Event) -> None:
        while not over.wait(EVERY_SECONDS):
            quarter = min(QUARTERS - 1, self._done * QUARTERS // max(1, total))
            own = resident(os.getpid())
            self._own[quarter] = max(self._own[quarter], own.whole)
            self._heap[quarter] = max(self._heap[quarter], own.heap)
            children = sum(resident(pid).whole for pid in children_of(os.getpid()))
            self._children[quarter] = max(self._children[quarter], children)


@dataclass(frozen=True, slots=True)
class Resident:
    """MB."""

    whole: float = 0.0
    heap: float = 0.0


def resident(pid: int) -> Resident:
    """Nothing for a process that has ended, and where there is no /proc."""
    try:
        whole, mapped = map(int, (_PROC / str(pid) / "statm").read_text().split()[1:3])
    except (OSError, ValueError):
        return Resident()
    page = os.sysconf("SC_PAGE_SIZE") / MEGABYTE
    return Resident(whole * page, (whole - mapped) * page)


def children_of(pid: int) -> Iterator[int]:
    """All descendants, as far as /proc tells."""
    for tasks in (_PROC / str(pid) / "task").glob("*/children"):
        try:
            found = [int(child) for child in tasks.read_text().split()]
        except OSError:
            continue
        for child in found:
            yield child
            yield from children_of(child)
