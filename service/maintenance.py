"""Upkeep beside the serving: the index is optimised once enough points wait outside its graph.

Runs in one thread; the optimising itself happens in a child process, so questions are answered meanwhile.
"""

from threading import Event, Thread

from ingestion.errors import IngestionError
from ingestion.index.schema import Index
from service import logs

log = logs.get(__name__)

EVERY_SECONDS = 20.0
WAITING_POINTS = 12_000  # Edge builds a graph from about 10,000 points of 512 dimensions on
WAITING_SHARE = 0.2


class Maintenance:
    def __init__(self, index: Index, every: float = EVERY_SECONDS) -> None:
        self._index = index
        self._every = every
        self._stopping = Event()
        self._thread: Thread | None = None

    def start(self) -> None:
        self._thread = Thread(target=self._run, name="maintenance", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends after the current round; closing the index gives up an optimise run."""
        self._stopping.set()

    def round(self) -> bool:
        """Optimise when it is worth it; whether it was done."""
        stats = self._index.stats()
        waiting = stats.points - stats.indexed
        if waiting < max(WAITING_POINTS, WAITING_SHARE * stats.points):
            return False
        self._index.optimise()
        log.info("index.optimised", points=stats.points, waited=waiting)
        return True

    def _run(self) -> None:
        while not self._stopping.wait(self._every):
            try:
                self.round()
            except IngestionError as error:
                log.warning("index.optimise_failed", reason=error.message)
