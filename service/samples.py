"""The sample knowledge that ships with the product, loaded like any other files."""

from pathlib import Path

from service import logs
from service.access import LOCAL
from service.bootstrap import Parts
from service.config import ASSETS
from service.intake import Incoming, Taken

log = logs.get(__name__)

FOLDER = ASSETS / "data" / "documents"
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
