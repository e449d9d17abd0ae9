"""One knowledge question, from the words to a cited answer or a refusal:

    understand -> retrieve -> (refuse | answer -> verify -> cite)

Sources in conflict and questions with several meanings are refused before an engine sees the passages.
The offline engine answers by selecting sentences. With a language model the passages are phrased by it and
let through sentence by sentence; when it fails, the offline engine takes over and says so.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from pydantic import JsonValue
from starlette.concurrency import run_in_threadpool

from ingestion.documents import Kind
from ingestion.index.schema import Filter
from service import logs
from service.access import Principal
from service.cache import Conditions
from service.citations import Citation, Refusal, RefusalReason, citation_json, reference_json, refusal_json
from service.knowledge import offline, phrasing
from service.knowledge.binding import Bound, bind, bind_joined, number
from service.knowledge.extractive import Extract
from service.knowledge.names import tagger
from service.knowledge.refusing import UNVERIFIED, refuse
from service.knowledge.reuse import GivenAnswer, Reuse
from service.knowledge.verification import Passage
from service.llm.errors import LlmError
from service.llm.usage import Usage
from service.retrieval.protocols import Question as RetrievalQuestion
from service.retrieval.results import Retrieval
from service.retrieval.retriever import Retriever
from service.streams import DONE, Emit, done
from service.telemetry import Telemetry

if TYPE_CHECKING:
    from service.llm.client import LanguageModel  # loads the SDK, which the offline engine never needs

log = logs.get(__name__)

OFFLINE = "offline"
TAKEN_OVER = "\n（模型的回答中断，以下由离线引擎补全。）\n"
NOTHING_TO_ADD = "\n（模型的回答中断；以上各句已经核对，离线引擎没有更多可补充。）"


@dataclass(frozen=True, slots=True)
class Question:
    """`as_of` given by the caller wins over a day named in the words. `ids` go into `meta` as they are."""

    text: str
    filters: Filter = field(default_factory=Filter)
    as_of: date | None = None
    ids: Mapping[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Case:
    """One question with what was found for it. `written` is what a model has said so far."""

    question: Question
    day: date | None  # None: today's rules, without saying so
    found: Retrieval
    bound: Bound
    written: phrasing.Written = field(default_factory=phrasing.Written)

    @property
    def opening(self) -> str:
        return f"按 {self.day.isoformat()} 有效的规定：\n" if self.day else ""

    @property
    def passages(self) -> dict[int, Passage]:
        return self.bound.passages

    @property
    def citations(self) -> tuple[Citation, ...]:
        """What the sentences shown so far rest on."""
        supports = self.written.supports
        return _each_once([bind_joined(self.bound, support.n, support.span) for support in supports])


@dataclass(frozen=True, slots=True)
class _Answer:
    """What was said, by which engine, and what it cites."""

    text: str
    engine: str
    citations: tuple[Citation, ...] = ()
    refusal: Refusal | None = None
    taken_over: str = ""  # why the offline engine took over, an error code


class Knowledge:
    def __init__(
        self,
        retriever: Retriever,
        model: "LanguageModel | None",
        telemetry: Telemetry,
        *,
        top_k: int,
        threshold: float,
        contact: str,
        reuse: Reuse | None = None,
    ) -> None:
        self._retriever = retriever
        self._model = model
        self._telemetry = telemetry
        self._top_k = top_k
        self._threshold = threshold
        self._contact = contact
        self._reuse = reuse

    async def ask(self, principal: Principal, question: Question, emit: Emit) -> None:
        """Emit the events of DESIGN section 7, `done` last.

        What was said in a meeting is no rule: minutes answer only a question whose filters name them.
        """
        question = replace(question, filters=_of_documents(question.filters))
        day = offline.day_asked(question.text, question.as_of, date.today())
        conditions = await self._conditions(principal, question, day)
        given = await self._given(conditions, question)
        await emit("meta", {**self._meta(question, day), "cached": given is not None})
        if given is not None:
            await self._again(question, given, emit)
            return
        with self._telemetry.stage("retrieve"):
            found = await run_in_threadpool(self._retrieve, principal, question, day or date.today())
        case = _Case(question, day, found, number(found.evidence))
        try:
            answer = await self._answer(case, emit)
        except asyncio.CancelledError:
            await self._sources(case.citations, case.written.usage, emit)
            raise
        await self._close(case, answer, emit)
        await self._keep(conditions, case, answer)

    async def _conditions(
        self, principal: Principal, question: Question, day: date | None
    ) -> Conditions | None:
        if self._reuse is None:
            return None
        return await run_in_threadpool(
            self._reuse.conditions, principal, day, question.filters, self._planned_engine
        )

    async def _given(self, conditions: Conditions | None, question: Question) -> GivenAnswer | None:
        if self._reuse is None or conditions is None:
            return None
        with self._telemetry.stage("cache"):
            given = await run_in_threadpool(self._reuse.find, conditions, question.text)
        self._telemetry.cache.labels("miss" if given is None else "hit").inc()
        return given

    async def _again(self, question: Question, given: GivenAnswer, emit: Emit) -> None:
        await emit("references", {"references": given.references})
        await emit("delta", {"text": given.text})
        for citation in given.citations:
            await emit("citation", citation)
        self._telemetry.answers.labels(given.engine, "answered").inc()
        await self._cost(Usage(), emit)
        said = done(
            question.ids,
            answer=given.text,
            engine=given.engine,
            citations=list(given.citations),
            rerank_failed=False,
            cached=True,
        )
        await emit(DONE, said)

    async def _keep(self, conditions: Conditions | None, case: _Case, answer: _Answer) -> None:
        """Only a whole answer by the engine that was meant to give it."""
        if self._reuse is None or conditions is None or answer.refusal or answer.taken_over:
            return
        if case.found.rerank_failed:
            return
        keep = partial(
            self._reuse.keep,
            conditions,
            case.question.text,
            text=answer.text,
            engine=answer.engine,
            references=[reference_json(reference) for reference in case.bound.references],
            citations=[citation_json(citation) for citation in answer.citations],
        )
        await run_in_threadpool(keep)

    @property
    def _planned_engine(self) -> str:
        return self._model.model_for(phrasing.ANSWER) if self._model else OFFLINE

    def _meta(self, question: Question, day: date | None) -> dict[str, JsonValue]:
        planned = self._planned_engine
        return {
            **question.ids,
            "engine": planned,
            "steps": {"answer": planned},
            "intent": "knowledge",
            "question": question.text,
            "topic": None,
            "as_of": day.isoformat() if day else None,
        }

    def _retrieve(self, principal: Principal, question: Question, day: date) -> Retrieval:
        return self._retriever.retrieve(
            RetrievalQuestion(question.text),
            principal.scopes(),
            day=day,
            top_k=self._top_k,
            threshold=self._threshold,
            filters=question.filters,
        )

    async def _answer(self, case: _Case, emit: Emit) -> _Answer:
        refusal = await self._unanswerable(case)
        if refusal is not None:
            return await self._refused(refusal, OFFLINE, emit)
        references: list[JsonValue] = [reference_json(reference) for reference in case.bound.references]
        await emit("references", {"references": references})
        if self._model is None:
            return await self._offline(case, emit)
        try:
            return await self._phrased(self._model, case, emit)
        except LlmError as error:
            self._note_failure(error)
            answer = await self._offline(case, emit)
            return replace(answer, taken_over=error.code)

    async def _unanswerable(self, case: _Case) -> Refusal | None:
        with self._telemetry.stage("settle"):
            return await run_in_threadpool(
                offline.unanswerable, case.question.text, case.found, self._contact
            )

    async def _offline(self, case: _Case, emit: Emit) -> _Answer:
        extract = await self._extract(case)
        if isinstance(extract, Refusal):
            return await self._refused(extract, OFFLINE, emit)
        text = case.opening + extract.text
        await emit("delta", {"text": text})
        return _Answer(text, OFFLINE, _quoted(case.bound, extract))

    async def _extract(self, case: _Case) -> Extract | Refusal:
        with self._telemetry.stage("extract"):
            return await run_in_threadpool(offline.extract, case.question.text, case.found, self._contact)

    async def _phrased(self, model: "LanguageModel", case: _Case, emit: Emit) -> _Answer:
        said: list[str] = []

        async def show(text: str) -> None:
            said.append(text if said else case.opening + text)
            await emit("delta", {"text": said[-1]})

        engine, written = model.model_for(phrasing.ANSWER), case.written
        asked = phrasing.Asked(case.question.text, case.passages, case.day or date.today())
        await run_in_threadpool(tagger)  # the first call builds it, for a second that must not hold the loop
        with self._telemetry.stage("phrase"):
            await phrasing.write(model, asked, written, show)
        if not said:
            told = UNVERIFIED if written.problems and not written.not_covered else ""
            refusal = refuse(case.found, RefusalReason.BELOW_THRESHOLD, self._contact, told)
            return await self._refused(refusal, engine, emit)
        if written.interrupted is None:
            return _Answer("".join(said), engine, case.citations)
        return await self._completed("".join(said), engine, written.interrupted, case, show)

    async def _completed(
        self, said: str, engine: str, interruption: LlmError, case: _Case, show: phrasing.Show
    ) -> _Answer:
        """A stream broke off after verified sentences: the offline engine says the rest, and says so."""
        self._note_failure(interruption)
        extract = await self._extract(case)
        citations, text = case.citations, NOTHING_TO_ADD
        if isinstance(extract, Extract):
            both = _each_once((*citations, *_quoted(case.bound, extract)))
            if len(both) > len(citations):
                citations, text = both, TAKEN_OVER + extract.text
        await show(text)
        return _Answer(said + text, f"{engine}+{OFFLINE}", citations, taken_over=interruption.code)

    def _note_failure(self, error: LlmError) -> None:
        log.warning("engine.taken_over", code=error.code, reason=error.message)
        self._telemetry.fallbacks.labels(error.code).inc()

    async def _refused(self, refusal: Refusal, engine: str, emit: Emit) -> _Answer:
        await emit("refusal", refusal_json(refusal))
        self._telemetry.refusals.labels(refusal.reason.value).inc()
        return _Answer(refusal.message, engine, refusal=refusal)

    async def _close(self, case: _Case, answer: _Answer, emit: Emit) -> None:
        outcome = "refused" if answer.refusal else "answered"
        self._telemetry.answers.labels(answer.engine, outcome).inc()
        await self._sources(answer.citations, case.written.usage, emit)
        citations: list[JsonValue] = [citation_json(citation) for citation in answer.citations]
        said = done(
            case.question.ids,
            answer=answer.text,
            engine=answer.engine,
            citations=citations,
            taken_over=answer.taken_over or None,
            rerank_failed=case.found.rerank_failed,
        )
        await emit(DONE, said)

    async def _sources(self, citations: Sequence[Citation], usage: Usage, emit: Emit) -> None:
        """What follows the text of every answer, also of one that was stopped: its citations and its cost."""
        for citation in citations:
            await emit("citation", citation_json(citation))
        await self._cost(usage, emit)

    async def _cost(self, usage: Usage, emit: Emit) -> None:
        self._telemetry.tokens.labels("prompt").inc(usage.prompt_tokens)
        self._telemetry.tokens.labels("completion").inc(usage.completion_tokens)
        counted: dict[str, JsonValue] = {
            "prompt_tokens": usage.prompt_tokens,
            "completion_tokens": usage.completion_tokens,
        }
        await emit("usage", counted)


def _of_documents(filters: Filter) -> Filter:
    return filters if filters.kinds is not None else replace(filters, kinds=(Kind.DOCUMENT.value,))


def _quoted(bound: Bound, extract: Extract) -> tuple[Citation, ...]:
    return _each_once([bind(bound, quote.n, quote.span) for quote in extract.quotes])


def _each_once(citations: Sequence[Citation]) -> tuple[Citation, ...]:
    """Two sentences may rest on one quote."""
    return tuple({(c.n, c.char_start, c.char_end): c for c in citations}.values())
