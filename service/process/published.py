"""What the process path needs of the published workbooks; `service.process.library` keeps them."""

from collections.abc import Sequence
from datetime import date
from typing import Protocol

from rules.table import Process


class Processes(Protocol):
    """The last good version of every process, ready to be evaluated."""

    def on(self, day: date) -> Sequence[Process]:
        """The versions in force on a day, one for each process, in the order of their names."""
        ...

    def forms(self, process_id: str) -> frozenset[str]:
        """The templates that can be downloaded, by `offered.form_name`."""
        ...

    def version(self, process_id: str, digest: str) -> Process | None:
        """The very version a case was begun with; None when it is gone."""
        ...
