"""Answers written by a language model, let through sentence by sentence as each is verified 逐句核对.

The first sentence that says something carries the answer: if it fails, the model gets one repair with the
objections, and after that there is no answer. A later sentence that fails is left out.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from service.knowledge import marks
from service.knowledge.sentence_stream import SentenceStream
from service.knowledge.verification import Passage, Support, Verdict, verify
from service.llm.errors import LlmError
from service.llm.outputs import is_mainly_chinese
from service.llm.usage import Usage

if TYPE_CHECKING:
    from service.llm.client import LanguageModel  # loads the SDK, which the offline engine never needs

ANSWER = "knowledge/answer"
REPAIR = "knowledge/repair"

_ENGLISH = re.compile(r"\b(?:the|is|are|of|to|and|in|for|with|please|must|be|by|within|not)\b", re.I)


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
    """What was let through so far. `text` stays empty when the model found no answer, or none that holds.

    `not_covered`: the model said that the passages hold no answer. `interrupted` is the failure that cut an
    answer off after its first sentences had been shown.
    """

    text: str = ""
    supports: list[Support] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    interrupted: LlmError | None = None
    not_covered: bool = False


Show = Callable[[str], Awaitable[None]]


async def write(model: "LanguageModel", asked: Asked, written: Written, show: Show) -> None:
    """Show the answer as it passes and keep it in `written`, which is true also when this is cancelled.

    Raises LlmError when the model fails before anything was shown.
    """
    draft = await _stream(model, asked, written, show)
    if written.text or written.not_covered or not written.problems:
        return
    variables = {**asked.variables(), "draft": draft, "problems": tuple(written.problems)}
    repaired = await model.text(REPAIR, variables)
    written.usage += repaired.usage
    await _let_through(repaired.value, asked, written, show)


async def _stream(model: "LanguageModel", asked: Asked, written: Written, show: Show) -> str:
    """Returns all the model wrote until the first failing sentence ended it."""
    cutter, gate = SentenceStream(), _Gate(asked, written, show)
    draft = ""
    stream = model.stream(ANSWER, asked.variables())
    try:
        async with stream:
            async for piece in stream:
                draft += piece
                for sentence in cutter.feed(piece):
                    await gate.offer(sentence)
                if gate.closed:
                    return draft
        await gate.finish(cutter.finish())
    except LlmError as error:
        if not written.text:
            raise
        written.interrupted = error
    finally:
        written.usage += stream.usage
    return draft


async def _let_through(text: str, asked: Asked, written: Written, show: Show) -> None:
    cutter, gate = SentenceStream(), _Gate(asked, written, show)
    for sentence in cutter.feed(text):
        await gate.offer(sentence)
    await gate.finish(cutter.finish())


class _Gate:
    """Lets sentences through. `closed` once the carrying one has failed, or the model said it knows nothing.

    Lead-ins are held until something follows them; so is a part that ends in 「；」 and cites nothing, whose
    citation comes with a later part.
    """

    def __init__(self, asked: Asked, written: Written, show: Show) -> None:
        self._asked = asked
        self._written = written
        self._show = show
        self._held = ""
        self._open = ""
        self.closed = False

    async def offer(self, part: str) -> None:
        sentence, self._open = self._open + marks.normalised(part), ""
        if not sentence.strip() or self.closed:
            return
        if sentence.rstrip().endswith(("；", ";")) and not marks.numbers_in(sentence):
            self._open = sentence
            return
        await self._judge(sentence)

    async def finish(self, part: str) -> None:
        """The last part, which nothing can follow."""
        sentence, self._open = self._open + marks.normalised(part), ""
        if sentence.strip() and not self.closed:
            await self._judge(sentence)

    async def _judge(self, sentence: str) -> None:
        verdict = await self._verdict(sentence)
        if verdict.problem:
            self._written.problems.append(verdict.problem)
            self._held = ""
            self.closed = not self._written.text
        elif verdict.not_covered:
            await self._uncovered(sentence, verdict)
        elif verdict.lead_in:
            self._held += sentence
        else:
            await self._pass(marks.without(sentence, verdict.unrelated), verdict)

    async def _uncovered(self, sentence: str, verdict: Verdict) -> None:
        """After an answer it says which part is missing; before one it may only be its beginning."""
        if self._written.text:
            if verdict.lead_in:
                await self._pass(sentence, verdict)
            return
        self._written.not_covered = True
        self.closed = not verdict.lead_in
        self._held += sentence

    async def _pass(self, sentence: str, verdict: Verdict) -> None:
        text, self._held = self._held + sentence, ""
        self._written.text += text
        self._written.supports += verdict.supports
        await self._show(text)

    async def _verdict(self, sentence: str) -> Verdict:
        """Tenths of a second of work, off the event loop: other answers are streamed meanwhile."""
        foreign = _ENGLISH.search(sentence) and not is_mainly_chinese(sentence)
        if foreign and is_mainly_chinese(self._asked.question):
            return Verdict(problem=f"「{sentence.strip()}」不是中文")
        return await run_in_threadpool(verify, sentence, self._asked.passages)
