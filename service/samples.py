"""What ships to try: knowledge, meetings and processes, loaded like any other, applications to ask after."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import SecretStr

from ingestion.documents import Kind
from ingestion.minutes.meeting import why_no_record
from service import logs
from service.access import LOCAL
from service.bootstrap import Parts
from service.config import ASSETS, Settings
from service.incoming import MINUTES_BASE, files_under
from service.intake import Incoming, Taken
from service.process.following import Followed
from service.store.processes import ProcessStore

log = logs.get(__name__)

FOLDER = ASSETS / "data" / "documents"
MINUTES = ASSETS / "data" / "minutes"
PROCESSES = ASSETS / "data" / "processes"
STATUS = ASSETS / "data" / "status"
FORMATS = frozenset({".docx", ".xlsx", ".csv", ".pdf", ".md", ".txt", ".html"})


def sample_files() -> list[Path]:
    """The sample documents themselves, without what describes and makes them."""
    return sorted(path for path in FOLDER.iterdir() if path.suffix in FORMATS and path.name != "README.md")


def with_samples(settings: Settings) -> Settings:
    """What goes with the samples where the settings say nothing else: who the people in the meetings are, and
    the applications to ask after."""
    people = settings.minutes_people or MINUTES / "people.csv"
    return _with_applications(settings.model_copy(update={"minutes_people": people}))


def _with_applications(settings: Settings) -> Settings:
    if settings.status_source is not None:
        return settings
    people = settings.status_people or STATUS / "people.csv"
    source = SecretStr(f"file:{STATUS / 'applications.csv'}")
    return settings.model_copy(update={"status_source": source, "status_people": people})


def load_samples(parts: Parts) -> list[Taken]:
    """Take the samples in; unchanged ones are skipped, so that every start may call this."""
    like = Incoming("", "", owner="行政部")
    return _load(parts, [Incoming.of_path(path, like) for path in sample_files()])


def load_meetings(parts: Parts) -> list[Taken]:
    """The records of the sample meetings into the archive; unchanged ones are skipped."""
    like = Incoming("", "", knowledge_base=MINUTES_BASE, owner="行政部", kind=Kind.MINUTES)
    items = [item for item in files_under([MINUTES], like) if not why_no_record(item.file_name)]
    return _load(parts, items)


def _load(parts: Parts, items: Sequence[Incoming]) -> list[Taken]:
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
    load_meetings(parts)
    load_processes(parts)
