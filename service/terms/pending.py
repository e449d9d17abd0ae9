"""What chunks of the index may still be cut by, written down until all are cut anew, also past a crash."""

from pathlib import Path

from pydantic import BaseModel, ValidationError

from ingestion import durable
from ingestion.terms import Terms
from service import logs

log = logs.get(__name__)


class Former(BaseModel):
    """What of a vocabulary chunks are cut by."""

    stopwords: frozenset[str]
    dictionary: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, terms: Terms) -> "Former":
        return cls(stopwords=terms.stopwords, dictionary=terms.dictionary)

    @property
    def terms(self) -> Terms:
        return Terms(stopwords=self.stopwords, dictionary=self.dictionary)


class Pending(BaseModel):
    """`task_id` is the task that cuts anew; none while the list that has changed is being written."""

    formers: tuple[Former, ...] = ()
    task_id: str | None = None


class PendingFile:
    """Of one writer; reads what an earlier process left."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.pending = self._read()

    def write(self, pending: Pending) -> None:
        part = self._path.with_suffix(".part")
        durable.write(part, pending.model_dump_json().encode())
        part.replace(self._path)
        durable.sync(self._path.parent)
        self.pending = pending

    def clear(self) -> None:
        self._path.unlink(missing_ok=True)
        durable.sync(self._path.parent)
        self.pending = Pending()

    def _read(self) -> Pending:
        try:
            return Pending.model_validate_json(self._path.read_bytes())
        except FileNotFoundError:
            return Pending()
        except ValidationError:  # written whole or not at all, so it was somebody else
            log.error("terms.pending_unreadable", path=str(self._path))
            return Pending()
