"""One knowledge question, from the words to a cited answer or a refusal:

    understand -> retrieve -> (refuse | answer -> verify -> cite)

The offline engine answers by selecting sentences. With a language model the passages are phrased by it and
let through sentence by sentence; when it fails, the offline engine takes over and says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING

from pydantic import JsonValue
from starlette.concurrency import run_in_threadpool

from ingestion.index.schema import Filter
from service import logs
from service.access import Principal
from service.citations import Citation, Refusal, RefusalReason, citation_json, reference_json, refusal_json
from service.knowledge import extractive, phrasing
from service.knowledge.binding import Bound, bind, number
from service.knowledge.refusing import refuse
from service.knowledge.understanding import asked_day
from service.knowledge.verification import Passage
from service.llm.errors import LlmError
from service.llm.usage import Usage
from service.retrieval.protocols import Question as RetrievalQuestion
from service.retrieval.results import Retrieval
from service.retrieval.retriever import Retriever
from service.streams import Emit
from service.telemetry import Telemetry

if TYPE_CHECKING:
    from service.llm.client import LanguageModel  # loads the SDK, which the offline engine never needs

log = logs.get(__name__)

OFFLINE = "offline"
TAKEN_OVER = "\n（模型的回答中断，以下由离线引擎补全。）\n"


@dataclass(frozen=True, slots=True)
class Question:
    """`as_of` given by the caller wins over a day named in the words. `ids` go into `meta` as they are."""

    text: str
    filters: Filter = field(default_factory=Filter)
    as_of: date | None = None
    ids: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Answer:
    """What was said, by which engine, and what it cites."""

    text: str
    engine: str
    citations: tuple[Citation, ...] = ()
    refusal: Refusal | None = None
    usage: Usage = field(default_factory=Usage)
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
    ) -> None:
        self._retriever = retriever
        self._model = model
        self._telemetry = telemetry
        self._top_k = top_k
        self._threshold = threshold
        self._contact = contact

    async def ask(self, principal: Principal, question: Question, emit: Emit) -> None:
        """Emit the events of DESIGN section 7, `done` last."""
        asked = asked_day(question.text, date.today())
        day = question.as_of or (asked.day if asked else None)
        await emit("meta", self._meta(question, day))
        with self._telemetry.stage("retrieve"):
            found = await run_in_threadpool(self._retrieve, principal, question, day or date.today())
        bound = number(found.evidence)
        answer = await self._answer(question, found, bound, day, emit)
        await self._close(question, answer, emit)

    def _meta(self, question: Question, day: date | None) -> dict[str, JsonValue]:
        planned = self._model.model_for(phrasing.ANSWER) if self._model else OFFLINE
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

    async def _answer(
        self, question: Question, found: Retrieval, bound: Bound, day: date | None, emit: Emit
    ) -> _Answer:
        if found.reason is not None:
            return await self._refused(refuse(found, found.reason, self._contact), OFFLINE, emit)
        references: list[JsonValue] = [reference_json(reference) for reference in bound.references]
        await emit("references", {"references": references})
        if self._model is None:
            return await self._offline(question, found, bound, day, emit)
        try:
            return await self._phrased(self._model, question, found, bound, day, emit)
        except LlmError as error:
            log.warning("engine.taken_over", code=error.code, reason=error.message)
            self._telemetry.fallbacks.labels(error.code).inc()
            answer = await self._offline(question, found, bound, day, emit)
            return replace(answer, taken_over=error.code)

    async def _offline(
        self, question: Question, found: Retrieval, bound: Bound, day: date | None, emit: Emit
    ) -> _Answer:
        with self._telemetry.stage("extract"):
            extract = await run_in_threadpool(extractive.compose, question.text, found.evidence)
        if not extract.quotes:
            refusal = refuse(found, RefusalReason.BELOW_THRESHOLD, self._contact)
            return await self._refused(refusal, OFFLINE, emit)
        opening = f"按 {day.isoformat()} 有效的规定：\n" if day else ""
        text = opening + extract.text
        await emit("delta", {"text": text})
        citations = tuple(bind(bound, quote.n, quote.span) for quote in extract.quotes)
        return _Answer(text, OFFLINE, _each_once(citations))

    async def _phrased(
        self,
        model: "LanguageModel",
        question: Question,
        found: Retrieval,
        bound: Bound,
        day: date | None,
        emit: Emit,
    ) -> _Answer:
        async def show(text: str) -> None:
            await emit("delta", {"text": text})

        passages = {n: Passage(e.chunk.text, bound.headings(n)) for n, e in bound.by_number.items()}
        asked = phrasing.Asked(question.text, passages, day or date.today())
        with self._telemetry.stage("phrase"):
            written = await phrasing.write(model, asked, show)
        if not written.text:
            refusal = refuse(found, RefusalReason.BELOW_THRESHOLD, self._contact)
            refused = await self._refused(refusal, written.model, emit)
            return replace(refused, usage=written.usage)
        citations = tuple(bind(bound, support.n, support.span) for support in written.supports)
        answer = _Answer(written.text, written.model, _each_once(citations), usage=written.usage)
        if written.interrupted is None:
            return answer
        return await self._completed(answer, written.interrupted, question, found, bound, show)

    async def _completed(
        self,
        answer: _Answer,
        interruption: LlmError,
        question: Question,
        found: Retrieval,
        bound: Bound,
        show: phrasing.Show,
    ) -> _Answer:
        """A stream broke off after verified sentences: the offline engine says the rest, and says so."""
        self._telemetry.fallbacks.labels(interruption.code).inc()
        extract = await run_in_threadpool(extractive.compose, question.text, found.evidence)
        text = TAKEN_OVER + extract.text
        await show(text)
        more = tuple(bind(bound, quote.n, quote.span) for quote in extract.quotes)
        return replace(
            answer,
            text=answer.text + text,
            engine=f"{answer.engine}+{OFFLINE}",
            citations=_each_once((*answer.citations, *more)),
            taken_over=interruption.code,
        )

    async def _refused(self, refusal: Refusal, engine: str, emit: Emit) -> _Answer:
        await emit("refusal", refusal_json(refusal))
        self._telemetry.refusals.labels(refusal.reason.value).inc()
        return _Answer(refusal.message, engine, refusal=refusal)

    async def _close(self, question: Question, answer: _Answer, emit: Emit) -> None:
        outcome = "refused" if answer.refusal else "answered"
        self._telemetry.answers.labels(answer.engine, outcome).inc()
        for kind, count in (
            ("prompt", answer.usage.prompt_tokens),
            ("completion", answer.usage.completion_tokens),
        ):
            self._telemetry.tokens.labels(kind).inc(count)
        citations: list[JsonValue] = [citation_json(citation) for citation in answer.citations]
        for citation in answer.citations:
            await emit("citation", citation_json(citation))
        usage: dict[str, JsonValue] = {
            "prompt_tokens": answer.usage.prompt_tokens,
            "completion_tokens": answer.usage.completion_tokens,
        }
        await emit("usage", usage)
        done: dict[str, JsonValue] = {
            "answer": answer.text,
            "engine": answer.engine,
            "citations": citations,
            "taken_over": answer.taken_over or None,
        }
        await emit("done", {**question.ids, **done})


def _each_once(citations: Sequence[Citation]) -> tuple[Citation, ...]:
    """Two sentences may rest on one quote."""
    return tuple({(c.n, c.char_start, c.char_end): c for c in citations}.values())
