"""How single parts are put together for `bootstrap`: of retrieval, of the process and minutes paths, of the
reading of files, and the language model."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from ingestion.analyzer import Analyzer
from ingestion.index.edge import EdgeIndex
from ingestion.index.embedding import build_embedder
from ingestion.index.keyword import KeywordEncoder
from ingestion.index.schema import Index
from ingestion.parsers.ocr import OCR_SHARE, installed_ocr
from ingestion.pipeline import Preparation
from ingestion.protocols import Embedder
from ingestion.terms import Terms
from service.cache import AnswerCache
from service.config import ASSETS, Settings
from service.intent.cues import load_cues
from service.intent.weighing import load_model
from service.minutes.archive import Archive
from service.minutes.asking import Minutes
from service.minutes.searching import MinutesSearch
from service.minutes.weighing import load_asking
from service.minutes.wordings import load_wordings
from service.newsroom import MINUTES_MODEL, llm_config, worker_newsroom
from service.originals import Originals
from service.precedence import Precedence
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
from service.retrieval.calibration import load_calibration
from service.retrieval.protocols import Corpus
from service.retrieval.reranking import ClosableReranker
from service.retrieval.retriever import Retriever
from service.sameness import EQUIVALENTS, Reader, load_equivalents
from service.store.answers import AnswerStore
from service.store.cases import CaseStore
from service.store.database import Database
from service.store.decisions import DecisionStore
from service.store.processes import ProcessStore
from service.telemetry import Telemetry
from service.turn.routing import Router

if TYPE_CHECKING:
    from service.llm.client import LanguageModel  # loads the SDK, which the offline engine never needs

ACTS, INTENTS = "acts.csv", "intent.csv"
INTENT_MODEL = ASSETS / "data" / "intent" / "model.csv"
CALIBRATION = ASSETS / "data" / "retrieval"


def embedder_factory(settings: Settings) -> Callable[[], Embedder]:
    """How the settings' embedder is built, with its own address and key. Picklable: each worker of a pool
    builds its own."""
    key = settings.embedding_api_key or settings.llm_api_key
    return partial(
        build_embedder,
        settings.embedding,
        openai_base_url=settings.embedding_base_url or settings.llm_base_url,
        openai_api_key=key.get_secret_value() if key else None,
    )


def open_index(settings: Settings, embedder: Embedder, precedence: Precedence, reset: bool) -> Index:
    if settings.qdrant_url is None:
        return EdgeIndex(
            settings.index_path,
            embedder.name,
            embedder.dimensions,
            reset=reset,
            give_way=precedence.give_way,
        )
    from ingestion.index.server import ServerIndex, connect  # a second of imports few need

    key = settings.qdrant_api_key
    client = connect(settings.qdrant_url, key.get_secret_value() if key else None)
    return ServerIndex(client, embedder.name, embedder.dimensions, reset=reset)


def build_retriever(
    settings: Settings,
    index: Index,
    corpus: Corpus,
    encoder: KeywordEncoder,
    embedder: Embedder,
    reranker: ClosableReranker | None,
    precedence: Precedence,
) -> Retriever:
    """Weights come from the embedding's calibration; an administrator may share out the legs' part anew."""
    calibration = load_calibration(CALIBRATION, embedder.name)
    weights = calibration.order.with_legs(*settings.weights) if settings.weights else None
    return Retriever(
        index,
        corpus,
        encoder,
        embedder,
        calibration,
        weights=weights,
        reranker=reranker,
        precedence=precedence,
    )


def answer_cache(
    settings: Settings, database: Database, analyzer: Analyzer, embedder: Embedder
) -> AnswerCache:
    similarity = settings.cache_similarity
    if similarity is None:
        similarity = load_calibration(CALIBRATION, embedder.name).cache_similarity
    reader = Reader(analyzer, load_equivalents(settings.terms / EQUIVALENTS))
    return AnswerCache(AnswerStore(database), reader, embedder, similarity)


def preparation(settings: Settings, terms: Terms) -> Preparation:
    """What the processes that read files are given."""
    ocr = partial(installed_ocr, OCR_SHARE * settings.parse_timeout_s)
    return Preparation(terms, settings.home / "cache", ocr, partial(worker_newsroom, settings))


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


def minutes_path(
    archive: Archive,
    retriever: Retriever,
    corpus: Corpus,
    encoder: KeywordEncoder,
    embedder: Embedder,
    settings: Settings,
    model: "LanguageModel | None",
    telemetry: Telemetry,
) -> Minutes:
    """Raises Unavailable for a damaged file of words or weights."""
    return Minutes(
        archive,
        MinutesSearch(retriever, corpus, encoder, embedder, archive.heard),
        load_wordings(MINUTES_MODEL / "asking.toml"),
        load_asking(MINUTES_MODEL),
        model,
        telemetry,
        contact=settings.contact,
    )


def router(path: ProcessPath, minutes: Minutes, settings: Settings, model: "LanguageModel | None") -> Router:
    cues = load_cues(words_file(settings, INTENTS))
    return Router(cues, path, minutes, load_model(INTENT_MODEL), model)


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


def language_model(settings: Settings) -> "LanguageModel | None":
    """None without a model's name: then every path runs on the offline engine."""
    config = llm_config(settings)
    if not config.configured:
        return None
    from service.llm.client import LanguageModel  # loads the SDK, which the offline engine never needs

    return LanguageModel(config, PromptLibrary(ASSETS / "prompts"))
