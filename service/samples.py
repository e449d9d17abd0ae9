"""The sample knowledge that ships with the product, loaded like any other files."""

from service import logs
from service.access import LOCAL
from service.bootstrap import Parts
from service.config import ASSETS
from service.intake import Incoming, Taken, files_under

log = logs.get(__name__)

FOLDER = ASSETS / "data" / "documents"
FORMATS = frozenset({".docx", ".xlsx", ".csv", ".pdf", ".md", ".txt", ".html"})


def load_samples(parts: Parts) -> list[Taken]:
    """Take the samples in; unchanged ones are skipped, so that every start may call this."""
    like = Incoming("", "", owner="行政部")
    items = [
        item
        for item in files_under([FOLDER], like)
        if item.path
        and item.path.parent == FOLDER
        and item.path.suffix in FORMATS
        and item.path.name != "README.md"
    ]
    task = parts.tasks.create(LOCAL, "ingest", len(items))
    taken = parts.intake.run(LOCAL, task.id, items)
    log.info("samples.loaded", files=len(taken), new=sum(not item.unchanged for item in taken))
    return taken
