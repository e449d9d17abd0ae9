"""The sample knowledge and processes that ship with the product, loaded like any other files."""

from pathlib import Path

from service import logs
from service.access import LOCAL
from service.bootstrap import Parts
from service.config import ASSETS
from service.intake import Incoming, Taken
from service.process.following import Followed
from service.store.processes import ProcessStore

log = logs.get(__name__)

FOLDER = ASSETS / "data" / "documents"
PROCESSES = ASSETS / "data" / "processes"
FORMATS = frozenset({".docx", ".xlsx", ".csv", ".pdf", ".md", ".txt", ".html"})


def sample_files() -> list[Path]:
    """The sample documents themselves, without what describes and makes them."""
    return sorted(path for path in FOLDER.iterdir() if path.suffix in FORMATS and path.name != "README.md")


def load_samples(parts: Parts) -> list[Taken]:
    """Take the samples in; unchanged ones are skipped, so that every start may call this."""
    like = Incoming("", "", owner="行政部")
    items = [Incoming.of_path(path, like) for path in sample_files()]
    task = parts.tasks.create(LOCAL, "ingest", len(items))
    taken = parts.intake.run(LOCAL, task.id, items)
    log.info("samples.loaded", files=len(taken), new=sum(not item.unchanged for item in taken))
    return taken


def load_processes(parts: Parts) -> int:
    """Publish the sample workbooks; returns how many were new. One that somebody withdrew stays withdrawn."""
    followed = Followed(PROCESSES, "samples", parts.publishing, ProcessStore(parts.database))
    return followed.look(at_once=True)


def load_all(parts: Parts) -> None:
    """Everything there is to try."""
    load_samples(parts)
    load_processes(parts)
