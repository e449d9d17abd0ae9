"""Answers written by a language model, let through sentence by sentence as each is verified 逐句核对.

The first sentence that says something carries the answer: if it fails, the model gets one repair with the
objections, and after that there is no answer. A later sentence that fails is left out.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from service.knowledge.sentence_stream import SentenceStream
from service.knowledge.verification import Passage, Support, Verdict, verify
from service.llm.errors import LlmError
from service.llm.outputs import is_mainly_chinese
from service.llm.usage import Usage

if TYPE_CHECKING:
    from service.llm.client import LanguageModel  # loads the SDK, which the offline engine never needs

ANSWER = "knowledge/answer"
REPAIR = "knowledge/repair"


@dataclass(frozen=True, slots=True)
class Asked:
    question: str
    passages: Mapping[int, Passage]
    day: date
    constraints: tuple[str, ...] = ()

    def variables(self) -> dict[str, object]:
        shown = {n: f"{p.headings}\n{p.text}".strip() for n, p in self.passages.items()}
        return {
            "day": self.day,
            "constraints": self.constraints,
            "passages": shown,
            "question": self.question,
        }


@dataclass(slots=True)
class Written:
    """What was let through. `text` is empty when the model found no answer, or none that holds.

    `interrupted` is the failure that cut an answer off after its first sentences had been shown.
    """

    model: str
    text: str = ""
    supports: list[Support] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    interrupted: LlmError | None = None
    not_covered: bool = False


Show = Callable[[str], Awaitable[None]]


async def write(model: "LanguageModel", asked: Asked, show: Show) -> Written:
    """Show the answer as it passes. Raises LlmError when the model fails before anything was shown."""
    written = Written(model.model_for(ANSWER))
    draft = await _stream(model, asked, written, show)
    if written.text or written.not_covered or not written.problems:
        return written
    variables = {**asked.variables(), "draft": draft, "problems": tuple(written.problems)}
    repaired = await model.text(REPAIR, variables)
    written.usage += repaired.usage
    await _let_through(repaired.value, asked, written, show)
    return written


async def _stream(model: "LanguageModel", asked: Asked, written: Written, show: Show) -> str:
    """Returns all the model wrote until the first failing sentence ended it."""
    cutter, gate = SentenceStream(), _Gate(asked, written, show)
    draft = ""
    async with model.stream(ANSWER, asked.variables()) as stream:
        try:
            async for piece in stream:
                draft += piece
                for sentence in cutter.feed(piece):
                    await gate.offer(sentence)
                if gate.lost:
                    break
            else:
                await gate.offer(cutter.finish())
        except LlmError as error:
            if not written.text:
                raise
            written.interrupted = error
        written.usage += stream.usage
    return draft


async def _let_through(text: str, asked: Asked, written: Written, show: Show) -> None:
    cutter, gate = SentenceStream(), _Gate(asked, written, show)
    for sentence in (*cutter.feed(text), cutter.finish()):
        await gate.offer(sentence)
        if gate.lost:
            return


class _Gate:
    """Holds lead-ins until something follows them; `lost` once the carrying sentence has failed."""

    def __init__(self, asked: Asked, written: Written, show: Show) -> None:
        self._asked = asked
        self._written = written
        self._show = show
        self._held = ""
        self.lost = False

    async def offer(self, sentence: str) -> None:
        if not sentence.strip() or self.lost:
            return
        verdict = self._verdict(sentence)
        if verdict.lead_in:
            self._held += sentence
        elif verdict.problem:
            self._written.problems.append(verdict.problem)
            self._held = ""
            self.lost = not self._written.text
        elif verdict.not_covered and not self._written.text:
            self._written.not_covered = True
        else:
            await self._pass(sentence, verdict)

    async def _pass(self, sentence: str, verdict: Verdict) -> None:
        text, self._held = self._held + sentence, ""
        self._written.text += text
        self._written.supports += verdict.supports
        await self._show(text)

    def _verdict(self, sentence: str) -> Verdict:
        if is_mainly_chinese(self._asked.question) and not is_mainly_chinese(sentence):
            return Verdict(problem=f"「{sentence.strip()}」不是中文")
        return verify(sentence, self._asked.passages)
