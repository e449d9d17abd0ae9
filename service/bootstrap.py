"""Builds every concrete part once, from one `Settings`, with `assembly`. Nothing else builds a part."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from hmac import compare_digest
from typing import TYPE_CHECKING

from ingestion.analyzer import Analyzer
from ingestion.errors import IngestionError
from ingestion.index.keyword import KeywordEncoder
from ingestion.index.pool import EmbeddingPool
from ingestion.index.schema import Index
from ingestion.parsers.sandbox import Limits
from ingestion.terms import load_terms
from service import __version__, logs
from service.access import Principal
from service.assembly import (
    answer_cache,
    build_retriever,
    embedder_factory,
    language_model,
    minutes_path,
    open_index,
    preparation,
    process_parts,
    process_path,
    router,
)
from service.cache import AnswerCache
from service.config import MEGABYTE, Settings
from service.errors import Unavailable, ZhixingError
from service.folders import Folders
from service.home import Home
from service.inbox import Inbox
from service.intake import Intake
from service.knowledge.ask import Knowledge
from service.knowledge.reuse import Reuse
from service.lanes import Lanes, share_fairly
from service.library import Library
from service.maintenance import Maintenance
from service.meeting_files import MeetingFiles
from service.minutes.archive import Archive
from service.minutes.asking import Minutes
from service.minutes.roster import load_roster
from service.originals import Originals
from service.precedence import Precedence
from service.process.following import Following
from service.process.library import ProcessLibrary
from service.process.path import ProcessPath
from service.process.publishing import Publishing
from service.process.status.desk import StatusDesk
from service.retrieval.reranking import ClosableReranker, build_reranker
from service.retrieval.retriever import Retriever
from service.store.cases import CaseStore
from service.store.catalogue import Catalogue
from service.store.conversations import ConversationStore
from service.store.corpus import StoredCorpus
from service.store.database import Database
from service.store.decisions import DecisionStore
from service.store.documents import DocumentStore
from service.store.keys import KeyStore
from service.store.meetings import MeetingStore
from service.store.question_log import QuestionLog
from service.store.tasks import DONE, DONE_WITH_FAILURES, FileStore, TaskStore
from service.streams import Streams
from service.telemetry import Telemetry
from service.terms.candidates import Candidates
from service.terms.folder import TermFolder
from service.terms.pending import PendingFile
from service.terms.retokenising import Retokeniser
from service.terms.vocabulary import Vocabulary
from service.turn.turns import Turns
from service.uploads import Uploads

if TYPE_CHECKING:
    from service.llm.client import LanguageModel

log = logs.get(__name__)

LANES = 8  # jobs in the background; reading and embedding, what is slow in them, have bounds of their own


@dataclass(slots=True)
class Parts:
    """The application's parts. `close` releases them in reverse order of building."""

    settings: Settings
    home: Home
    telemetry: Telemetry
    database: Database
    catalogue: Catalogue
    documents: DocumentStore
    meetings: MeetingStore
    conversations: ConversationStore
    questions: QuestionLog
    tasks: TaskStore
    files: FileStore
    keys: KeyStore
    originals: Originals
    index: Index
    embedder: EmbeddingPool
    encoder: KeywordEncoder
    library: Library
    intake: Intake
    folders: Folders
    lanes: Lanes
    uploads: Uploads
    answers: AnswerCache
    vocabulary: Vocabulary
    candidates: Candidates
    retriever: Retriever
    reranker: ClosableReranker | None
    model: "LanguageModel | None"
    streams: Streams
    turns: Turns
    path: ProcessPath
    minutes: Minutes
    cases: CaseStore
    processes: ProcessLibrary
    publishing: Publishing
    decisions: DecisionStore
    following: Following
    status: StatusDesk
    maintenance: Maintenance
    version: str = __version__

    def is_owner(self, token: str) -> bool:
        """Whether a request carries the one-time token of the home folder."""
        return compare_digest(token.encode(), self.home.token.encode())

    def suggestions(self) -> list[str]:
        """Three questions to try, from the administrator's list."""
        path = self.settings.terms / "suggestions.txt"
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        return [line.strip() for line in lines if line.strip() and not line.startswith("#")][:3]

    def rebuild(self, principal: Principal, task_id: str) -> None:
        """Make the index again as a task. It answers also when optimising it, the last step, fails."""

        def on_revision(done: int, total: int) -> None:
            self.tasks.progress(task_id, done, total)

        chunks = self.library.rebuild(principal, self.embedder, self.encoder, on_revision)
        try:
            self.index.optimise()
        except (IngestionError, OSError) as error:
            self.tasks.finish(task_id, DONE_WITH_FAILURES, f"索引已重建，优化没有完成：{error}")
        else:
            self.tasks.finish(task_id, DONE, f"索引已重建，共 {chunks} 个切片")

    def check(self) -> dict[str, str]:
        """Each part's problem, or an empty string: the database answers, the index holds what SQL says."""
        return {"database": _problem(self._check_database), "index": _problem(self._check_index)}

    def measure(self) -> None:
        """Bring the gauges up to date."""
        documents, chunks = self.documents.totals()
        self.telemetry.documents.set(documents)
        self.telemetry.chunks.set(chunks)

    async def started(self) -> None:
        """In the serving event loop, before the first request."""
        self.maintenance.start()
        self.following.start()
        self.vocabulary.resume()

    async def stopping(self) -> None:
        self.maintenance.stop()
        self.following.stop()
        self.vocabulary.stop()
        self.lanes.stop()
        self.intake.stop()
        if self.model is not None:
            await self.model.close()

    def close(self) -> None:
        self.following.close()
        self.status.close()
        self.vocabulary.stop()
        self.lanes.stop()
        self.intake.stop()
        self.embedder.close()
        self.lanes.join()
        self.intake.close()
        if self.reranker is not None:
            self.reranker.close()
        self.index.close()
        self.database.close()

    def _check_database(self) -> None:
        self.catalogue.snapshot()

    def _check_index(self) -> None:
        stored, points = self.catalogue.snapshot().chunks, self.index.stats().points
        if points < stored:
            raise Unavailable(f"索引缺 {stored - points} 个切片，请运行 zhixing rebuild")


def build(settings: Settings, home: Home, *, reset_index: bool = False) -> Parts:
    """Open everything under `home`, finish what a crash left, and wire the parts together."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    share_fairly()
    telemetry = Telemetry()
    database = Database(settings.sql_url)
    database.migrate()
    catalogue = Catalogue(database)
    embedder = EmbeddingPool(embedder_factory(settings), workers_of(settings))
    precedence = Precedence()
    index = open_index(settings, embedder, precedence, reset_index)
    terms = load_terms(settings.terms)
    encoder = KeywordEncoder(Analyzer(terms, settings.home / "cache"))
    originals = Originals(settings.originals)
    meetings = MeetingStore(database)
    meeting_files = MeetingFiles(settings.home / "minutes", meetings)
    library = Library(database, index, originals, precedence=precedence, on_change=meeting_files.follow)
    conversations, files, tasks = ConversationStore(database), FileStore(database), TaskStore(database)
    documents = DocumentStore(database, catalogue)
    library.recover()
    conversations.abandon_streaming()
    tasks.interrupt_running()
    reranker_failed = telemetry.fallbacks.labels("rerank_failed")
    reranker = build_reranker(settings.reranker, settings.reranker_timeout_s, reranker_failed.inc)
    corpus, questions = StoredCorpus(database, catalogue), QuestionLog(database)
    retriever = build_retriever(settings, index, corpus, encoder, embedder, reranker, precedence)
    model = language_model(settings)
    if model is not None:
        telemetry.watch(model)
    streams = Streams()
    intake = Intake(
        database,
        library,
        files,
        tasks,
        embedder,
        preparation(settings, terms),
        telemetry,
        encoder=encoder,
        limits=Limits(settings.parse_timeout_s, settings.parse_memory_mb),
        max_bytes=settings.max_upload_mb * MEGABYTE,
        workers=workers_of(settings),
        meeting_files=meeting_files,
        minutes_seconds=settings.minutes_timeout_s if settings.llm_model else None,
    )
    lanes = Lanes(LANES, "jobs")
    uploads = Uploads(Inbox(settings.home / "inbox"), lanes, intake, tasks, files, settings.max_upload_mb)
    answers = answer_cache(settings, database, encoder.analyzer, embedder)
    vocabulary = Vocabulary(
        TermFolder(settings),
        terms,
        PendingFile(settings.home / "retokenising.json"),
        Retokeniser(database, index, encoder),
        database=database,
        encoder=encoder,
        intake=intake,
        answers=answers,
        tasks=tasks,
        lanes=lanes,
    )
    process = process_parts(settings, database, originals)
    knowledge = Knowledge(
        retriever,
        model,
        telemetry,
        top_k=settings.top_k,
        threshold=settings.score_threshold,
        contact=settings.contact,
        reuse=Reuse(answers, catalogue.snapshot) if settings.answer_cache else None,
    )
    path = process_path(
        process,
        settings,
        database,
        retriever,
        encoder.analyzer,
        lambda: catalogue.snapshot().version,
        model,
        telemetry,
    )
    archive = Archive(meetings, load_roster(settings.minutes_people), lambda: catalogue.snapshot().version)
    minutes = minutes_path(archive, retriever, corpus, encoder, embedder, settings, model, telemetry)
    routing = router(path, minutes, settings, model)
    return Parts(
        settings=settings,
        home=home,
        telemetry=telemetry,
        database=database,
        catalogue=catalogue,
        documents=documents,
        meetings=meetings,
        conversations=conversations,
        questions=questions,
        tasks=tasks,
        files=files,
        keys=KeyStore(database),
        originals=originals,
        index=index,
        embedder=embedder,
        encoder=encoder,
        library=library,
        intake=intake,
        folders=Folders(files, documents, library),
        lanes=lanes,
        uploads=uploads,
        answers=answers,
        vocabulary=vocabulary,
        candidates=Candidates(questions, database, corpus, encoder, embedder, retriever),
        retriever=retriever,
        reranker=reranker,
        model=model,
        streams=streams,
        turns=Turns(conversations, streams, knowledge, path, minutes, routing, telemetry),
        path=path,
        minutes=minutes,
        cases=CaseStore(database),
        processes=process.library,
        publishing=process.publishing,
        decisions=DecisionStore(database),
        following=process.following,
        status=process.status,
        maintenance=Maintenance(index),
    )


def workers_of(settings: Settings) -> int:
    return settings.ingest_workers or os.cpu_count() or 1


def _problem(check: Callable[[], None]) -> str:
    try:
        check()
    except (ZhixingError, IngestionError) as error:
        return error.message
    return ""
