"""What the eight agents share: a name, and the run log in which each line begins with it."""

import logging
from dataclasses import dataclass, field

log = logging.getLogger(__name__)


@dataclass
class RunLog:
    """The lines of one run in order, also told to the process's log. One run, one thread."""

    lines: list[str] = field(default_factory=list)

    def add(self, name: str, message: str) -> None:
        line = f"[{name}] {message}"
        self.lines.append(line)
        log.info("%s", line)


class Agent:
    """One job each. `name` is 「中文名(EnglishName)」; every subclass has its own `run`."""

    name: str

    def __init__(self, run_log: RunLog) -> None:
        self._run_log = run_log

    def _log(self, message: str) -> None:
        self._run_log.add(self.name, message)
