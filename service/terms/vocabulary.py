"""The vocabulary 词表 in use: read, changed by administrators, in force for the next question.

    check the rows -> note what chunks are cut by -> write the file -> use it -> record -> cut chunks anew

The last step runs in the background, and at the next start when it was cut short; until it is done, questions
carry the tokens of both ways.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from threading import Event, Lock

from ingestion.analyzer import Analyzer, Differences, fold
from ingestion.index.keyword import KeywordEncoder
from ingestion.terms import Synonym, Terms
from service import logs
from service.access import LOCAL, Principal, Role
from service.cache import AnswerCache
from service.errors import BadRequest, Conflict, Forbidden, NotFound, Unavailable
from service.intake import Intake
from service.lanes import Lanes, Stopped, ending
from service.store import audit
from service.store.catalogue import INDEX_VERSION, change_state
from service.store.database import Database
from service.store.tasks import DONE, DONE_WITH_FAILURES, Task, TaskStore
from service.terms.folder import TermFolder
from service.terms.lists import Fault, Row, TermList, faults
from service.terms.pending import Former, Pending, PendingFile
from service.terms.retokenising import Retokenised, Retokeniser

log = logs.get(__name__)

LANE = "rebuild"  # one after the other with making the index anew, which cuts chunks too
_MOST_TOLD = 5  # faults in a message; all of them are in its details
_STEP = 20  # revisions between two notes of how far it is


class Vocabulary:
    """Thread-safe; one change at a time. `terms` is what the encoder was built with."""

    def __init__(
        self,
        folder: TermFolder,
        terms: Terms,
        pending: PendingFile,
        retokeniser: Retokeniser,
        *,
        database: Database,
        encoder: KeywordEncoder,
        intake: Intake,
        answers: AnswerCache,
        tasks: TaskStore,
        lanes: Lanes,
    ) -> None:
        self._folder = folder
        self._terms = terms
        self._pending = pending
        self._retokeniser = retokeniser
        self._database = database
        self._encoder = encoder
        self._intake = intake
        self._answers = answers
        self._tasks = tasks
        self._lanes = lanes
        self._changing = Lock()
        self._stopping = Event()
        self._formers = [encoder.analyzer.revised(former.terms) for former in pending.pending.formers]
        self._encoder.use(encoder.analyzer, self._former_readings())

    def rows(self, principal: Principal, kind: TermList) -> list[Row]:
        """A list as it stands. Raises Forbidden."""
        _check(principal)
        return self._folder.rows(kind)

    def task(self, principal: Principal) -> Task | None:
        """The task that cuts chunks anew, while it is not done."""
        _check(principal)
        task_id = self._pending.pending.task_id
        if task_id is None:
            return None
        try:
            return self._tasks.get(principal, task_id)
        except NotFound:  # of another database
            return None

    def known_words(self, principal: Principal) -> list[str]:
        """What people say that a list knows already: lay terms and equivalents."""
        lay = [row[0] for row in self.rows(principal, TermList.SYNONYMS)]
        return [*lay, *(word for row in self.rows(principal, TermList.EQUIVALENTS) for word in row)]

    def replace(self, principal: Principal, kind: TermList, rows: Sequence[Row]) -> None:
        """A whole list in place of what there was. Raises Forbidden, BadRequest with every faulty line,
        Unavailable."""
        _check(principal)
        with self._changing:
            self._replace(principal, kind, rows)

    def add(self, principal: Principal, kind: TermList, row: Row) -> None:
        """One row more, at the end. Raises as `replace`."""
        _check(principal)
        with self._changing:
            rows = self._folder.rows(kind)
            wrong = [fault.problem for fault in faults(kind, [*rows, row]) if fault.line > len(rows)]
            if wrong:
                raise BadRequest("；".join(wrong))
            self._replace(principal, kind, [*rows, row])

    def remove(self, principal: Principal, kind: TermList, row: Row) -> None:
        """One row less. Raises as `replace`, and Conflict when somebody else has removed it."""
        _check(principal)
        with self._changing:
            rows = self._folder.rows(kind)
            if row not in rows:
                raise Conflict("这一条已经不在表里，请刷新页面")
            rows.remove(row)
            self._replace(principal, kind, rows)

    def resume(self) -> None:
        """At start-up: cut anew what an earlier process did not get to."""
        with self._changing:
            pending = self._pending.pending
            if not pending.formers:
                return
            log.warning("terms.resumed", task=pending.task_id)
            if pending.task_id is None:
                self._begin(LOCAL)
            else:
                self._tasks.resume(pending.task_id)
                self._submit(pending.task_id)

    def stop(self) -> None:
        """Give up cutting anew after the revision at hand; the next start goes on."""
        self._stopping.set()

    def _replace(self, principal: Principal, kind: TermList, rows: Sequence[Row]) -> None:
        found = faults(kind, rows)
        if found:
            problems = [{"line": fault.line, "problem": fault.problem} for fault in found]
            raise BadRequest(_told(found), code="faulty_terms", details={"problems": problems})
        before = self._folder.rows(kind)
        terms = _with(self._terms, kind, rows)
        cuts = Former.of(terms) != Former.of(self._terms)
        if cuts:
            self._note_former(kind, rows)
        else:
            self._folder.write(kind, rows)
        self._use(terms, kind, rows)
        self._record(principal, kind, before, rows)
        if cuts or (kind.cuts and self._pending.pending.formers):
            self._begin(principal)

    def _note_former(self, kind: TermList, rows: Sequence[Row]) -> None:
        """Write the list; what chunks were cut by until now is on disk before it is."""
        before = self._pending.pending
        self._pending.write(Pending(formers=(*before.formers, Former.of(self._terms))))
        try:
            self._folder.write(kind, rows)
        except Unavailable:
            self._pending.write(before)
            raise
        self._formers.append(self._encoder.analyzer)

    def _use(self, terms: Terms, kind: TermList, rows: Sequence[Row]) -> None:
        analyzer = self._encoder.analyzer.revised(terms)
        cuts = Former.of(terms) != Former.of(self._terms)
        self._terms = terms
        self._encoder.use(analyzer, self._former_readings())
        self._answers.read_with(analyzer, _equivalents(rows) if kind is TermList.EQUIVALENTS else None)
        if cuts:
            self._intake.use(terms)

    def _former_readings(self) -> list[Analyzer]:
        """As chunks were cut, but with the synonyms of today and without its stop words."""
        now = self._terms
        return [
            former.revised(replace(now, dictionary=one.dictionary, stopwords=one.stopwords | now.stopwords))
            for former, one in zip(self._formers, self._pending.pending.formers, strict=True)
        ]

    def _record(
        self, principal: Principal, kind: TermList, before: Sequence[Row], rows: Sequence[Row]
    ) -> None:
        """How many rows came and went, never which; and answers kept before count no more."""
        old, new = set(before), set(rows)
        details = {"rows": len(rows), "added": len(new - old), "removed": len(old - new)}
        with self._database.writing(), self._database.session() as session:
            audit.record(session, principal, "terms.replace", kind.value, details)
            if kind is not TermList.SUGGESTIONS:
                change_state(session, INDEX_VERSION, 1)

    def _begin(self, principal: Principal) -> None:
        task = self._tasks.create(principal, "retokenise")
        self._pending.write(self._pending.pending.model_copy(update={"task_id": task.id}))
        self._submit(task.id)

    def _submit(self, task_id: str) -> None:
        self._lanes.submit(LANE, ending(self._tasks, task_id, partial(self._cut_anew, task_id)))

    def _cut_anew(self, task_id: str) -> None:
        with self._changing:
            if self._pending.pending.task_id != task_id:
                self._tasks.finish(task_id, DONE, "词表又有改动，由后一次重新切词一并完成")
                return
            present = self._encoder.analyzer
            found = (present.differences(former).words for former in self._formers)
            touched = Differences(frozenset[str]().union(*found))
        cut = self._retokeniser.run(touched.touch, partial(self._on_revision, task_id))
        with self._changing:
            if self._pending.pending.task_id == task_id:
                self._formers.clear()
                self._encoder.use(self._encoder.analyzer)
                self._pending.clear()
        self._tasks.finish(task_id, DONE_WITH_FAILURES if cut.missing else DONE, _outcome(cut))

    def _on_revision(self, task_id: str, done: int, total: int) -> None:
        if self._stopping.is_set():
            raise Stopped("terms")
        if done % _STEP == 0 or done == total:
            self._tasks.progress(task_id, done, total)


def _check(principal: Principal) -> None:
    if not principal.allows(Role.ADMIN):
        raise Forbidden("词表只有管理员能看和改")


def _told(found: Sequence[Fault]) -> str:
    told = [f"第 {fault.line} 条：{fault.problem}" for fault in found[:_MOST_TOLD]]
    more = f"；另有 {len(found) - _MOST_TOLD} 处" if len(found) > _MOST_TOLD else ""
    return "；".join(told) + more


def _outcome(cut: Retokenised) -> str:
    told = f"已按新的词表重新切词，改了 {cut.chunks} 个切片"
    return f"{told}；另有 {cut.missing} 个不在索引里，请重建索引" if cut.missing else told


def _with(terms: Terms, kind: TermList, rows: Sequence[Row]) -> Terms:
    """The vocabulary with this list in place of its own; some lists are no part of it."""
    match kind:
        case TermList.SYNONYMS:
            return replace(terms, synonyms=tuple(Synonym(lay, standard) for lay, standard in rows))
        case TermList.DICTIONARY:
            words = tuple((word, int(given[0]) if given else 0) for word, *given in rows)
            return replace(terms, dictionary=words)
        case TermList.STOPWORDS:
            return replace(terms, stopwords=frozenset(word for (word,) in rows))
        case _:
            return terms


def _equivalents(rows: Sequence[Row]) -> Mapping[str, str]:
    """As `sameness.load_equivalents` reads them."""
    return {fold(word): fold(row[0]) for row in rows for word in row[1:]}
