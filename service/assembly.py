"""The parts of the process and minutes paths and the language model, put together for `bootstrap`."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from ingestion.analyzer import Analyzer
from ingestion.minutes.boundaries import STEP as BOUNDARY
from ingestion.minutes.detector import load_detector
from ingestion.minutes.orchestrator import Equipment, Model
from ingestion.minutes.topics import LexicalTopics
from ingestion.segmenter import Segmenter
from ingestion.terms import Terms
from service.config import ASSETS, Settings
from service.intent.cues import load_cues
from service.intent.weighing import load_model
from service.llm.config import LlmConfig
from service.llm.tokens import count_tokens
from service.originals import Originals
from service.process.acts import load_acts
from service.process.clauses import Clauses
from service.process.following import Followed, Following
from service.process.library import ProcessLibrary
from service.process.path import ProcessPath
from service.process.publishing import Publishing
from service.process.status.desk import StatusDesk
from service.process.status.people import load_people
from service.process.status.source import build_connector, load_words
from service.process.status.telling import Teller
from service.process.status.workdays import load_workdays
from service.prompts import PromptLibrary
from service.retrieval.retriever import Retriever
from service.store.cases import CaseStore
from service.store.database import Database
from service.store.decisions import DecisionStore
from service.store.processes import ProcessStore
from service.telemetry import Telemetry
from service.turn.routing import Router

if TYPE_CHECKING:
    from service.llm.client import LanguageModel  # loads the SDK, which the offline engine never needs

ACTS, INTENTS = "acts.csv", "intent.csv"
MINUTES_MODEL = ASSETS / "data" / "minutes_model"
INTENT_MODEL = ASSETS / "data" / "intent" / "model.csv"


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


def process_path(
    parts: ProcessParts,
    settings: Settings,
    database: Database,
    retriever: Retriever,
    analyzer: Analyzer,
    index_version: Callable[[], int],
    model: "LanguageModel | None",
    telemetry: Telemetry,
) -> ProcessPath:
    return ProcessPath(
        parts.library,
        CaseStore(database),
        DecisionStore(database),
        parts.status,
        Clauses(retriever, index_version),
        load_acts(words_file(settings, ACTS)),
        analyzer,
        model,
        telemetry,
        lambda: str(uuid4()),
    )


def router(path: ProcessPath, settings: Settings, model: "LanguageModel | None") -> Router:
    return Router(load_cues(words_file(settings, INTENTS)), path, load_model(INTENT_MODEL), model)


def words_file(settings: Settings, name: str) -> Path:
    """The administrator's list, or the one that is shipped."""
    own = settings.terms / name
    return own if own.is_file() else ASSETS / "data" / "terms" / name


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


def minutes_equipment(settings: Settings, terms: Terms, model: Model | None) -> Equipment:
    """Raises DetectorDamaged."""
    segmenter = Segmenter(terms.dictionary, settings.home / "cache")
    detector = load_detector(MINUTES_MODEL, segmenter)
    return Equipment(detector, LexicalTopics(segmenter, terms.stopwords), count_tokens, model=model)


@contextmanager
def minutes_model(settings: Settings) -> Iterator[Model | None]:
    """The language model for code that waits for its answers; None without a model's name."""
    config = _llm_config(settings)
    if not config.configured:
        yield None
        return
    from service.llm.sync import SyncChat  # loads the SDK, which the offline engine never needs

    with SyncChat(config, PromptLibrary(ASSETS / "prompts")) as chat:
        yield Model(chat.model_for(BOUNDARY), chat)


def language_model(settings: Settings) -> "LanguageModel | None":
    """None without a model's name: then every path runs on the offline engine."""
    config = _llm_config(settings)
    if not config.configured:
        return None
    from service.llm.client import LanguageModel  # loads the SDK, which the offline engine never needs

    return LanguageModel(config, PromptLibrary(ASSETS / "prompts"))


def _llm_config(settings: Settings) -> LlmConfig:
    return LlmConfig(
        model=settings.llm_model,
        small_model=settings.llm_small_model,
        base_url=settings.llm_base_url,
        api_key=settings.llm_api_key,
        timeout_s=settings.llm_timeout_s,
        first_token_timeout_s=settings.llm_first_token_timeout_s,
        retries=settings.llm_retries,
    )
