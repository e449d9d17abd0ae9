"""Questions go first: what writes in the background waits, step by step, while one is being answered.

Edge and Python share one interpreter lock, so a document that is published takes turns with the questions
asked meanwhile. Measured at 100,000 chunks with 120 coming in a second: see docs/performance.md.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

LONGEST_S = 0.05  # that one step waits: under a ceaseless stream of questions documents still come in


class Precedence:
    """One for a process, shared by whoever answers and whoever writes. Thread-safe."""

    def __init__(self) -> None:
        self._answering = 0
        self._changed = Condition()

    @contextmanager
    def answering(self) -> Iterator[None]:
        with self._changed:
            self._answering += 1
        try:
            yield
        finally:
            with self._changed:
                self._answering -= 1
                self._changed.notify_all()

    def give_way(self) -> None:
        """Wait until nothing is being answered, LONGEST_S seconds at most."""
        with self._changed:
            self._changed.wait_for(lambda: not self._answering, LONGEST_S)
