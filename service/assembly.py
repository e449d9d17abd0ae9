"""The parts of the process path, put together for `bootstrap`."""

from dataclasses import dataclass

from service.config import ASSETS, Settings
from service.originals import Originals
from service.process.following import Followed, Following
from service.process.library import ProcessLibrary
from service.process.publishing import Publishing
from service.process.status.desk import StatusDesk
from service.process.status.people import load_people
from service.process.status.source import build_connector, load_words
from service.process.status.telling import Teller
from service.process.status.workdays import load_workdays
from service.store.database import Database
from service.store.processes import ProcessStore


@dataclass(frozen=True, slots=True)
class ProcessParts:
    library: ProcessLibrary
    publishing: Publishing
    following: Following
    status: StatusDesk


def process_parts(settings: Settings, database: Database, originals: Originals) -> ProcessParts:
    store = ProcessStore(database)
    library = ProcessLibrary(store, originals)
    library.refresh()
    publishing = Publishing(store, originals, library)
    folder = settings.processes_dir
    folders = [] if folder is None else [Followed(folder, "folder", publishing, store)]
    return ProcessParts(library, publishing, Following(library, folders), _status(settings))


def _status(settings: Settings) -> StatusDesk:
    """Opens no connection: an approval system that is down keeps nobody from starting."""
    shipped, own_days = ASSETS / "data" / "status", settings.home / "workdays.csv"
    source = settings.status_source
    connector = build_connector(
        source.get_secret_value() if source else None,
        settings.status_mapping,
        settings.status_secrets or {},
        load_words(shipped / "words.toml"),
    )
    workdays = load_workdays(own_days if own_days.is_file() else shipped / "workdays.csv")
    return StatusDesk(connector, load_people(settings.status_people), Teller(workdays, settings.contact))
