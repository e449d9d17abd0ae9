"""Which path a message goes to: by what the caller says, the cue words, a model, and in the end the user."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from starlette.concurrency import run_in_threadpool

from rules.table import Process
from service.intent.clarifying import clarify
from service.intent.cues import CueTable, Intent
from service.intent.model import IntentModel
from service.intent.processes import process_words
from service.intent.reader import IntentReader, Reading
from service.process.path import Message, Standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from service.llm.client import LanguageModel


class Mode(StrEnum):
    """What a caller asks for."""

    AUTO = "auto"
    KNOWLEDGE = "knowledge"
    PROCESS = "process"


class Path(StrEnum):
    """Where a message goes."""

    KNOWLEDGE = "knowledge"
    PROCESS = "process"
    UNCLEAR = "unclear"  # the user chooses
    COURTESY = "courtesy"


class CaseState(Protocol):
    """What routing needs of the process path."""

    def published(self) -> "Sequence[Process]": ...

    def standing(self, message: Message) -> Standing: ...


@dataclass(frozen=True, slots=True)
class Routed:
    path: Path
    reading: Reading | None = None  # None: nobody had to read it


_PATHS = {
    Intent.PROCESS: Path.PROCESS,
    Intent.STATUS: Path.PROCESS,
    Intent.KNOWLEDGE: Path.KNOWLEDGE,
    Intent.MINUTES: Path.KNOWLEDGE,  # minutes lie in the same index
}


class Router:
    """The reader is made anew when a process is published."""

    def __init__(
        self,
        cues: CueTable,
        cases: CaseState,
        small: IntentModel | None,
        model: "LanguageModel | None",
    ) -> None:
        """`small` settles what the cues leave unclear when it is sure, `model` what is unclear still."""
        self._cues = cues
        self._cases = cases
        self._small = small
        self._model = model
        self._reader: tuple[Sequence[Process], IntentReader] | None = None

    async def route(self, message: Message, mode: Mode) -> Routed:
        """While no process is published every message is a question."""
        processes = self._cases.published()
        if mode is not Mode.AUTO or not processes:
            return Routed(Path.PROCESS if mode is Mode.PROCESS else Path.KNOWLEDGE)
        standing = await run_in_threadpool(self._cases.standing, message)
        reader = self._reader_of(processes)
        reading = reader.read(message.text, open_case=standing is Standing.ANSWERED)
        if reading.either and self._small is not None:
            reading = await run_in_threadpool(self._small.settle, reading, message.text)
        if reading.either and self._model is not None:
            reading = await clarify(reading, message.text, self._model)
        return Routed(_path(reading, standing), reading)
    def _reader_of(self, processes: "Sequence[Process]") -> IntentReader:
        known = self._reader
        if known is None or known[0] is not processes:
            known = (processes, IntentReader(self._cues, [process_words(each) for each in processes]))
            self._reader = known
        return known[1]


def _path(reading: Reading, standing: Standing) -> Path:
    if reading.either:
        paths = {_PATHS.get(intent, Path.KNOWLEDGE) for intent in reading.either}
        return paths.pop() if len(paths) == 1 else Path.UNCLEAR
    if reading.intent is not Intent.OTHER:
        return _PATHS[reading.intent]
    if standing is not Standing.IDLE:
        return Path.PROCESS
    nothing_else = set(reading.scores) == {Intent.OTHER}  # a greeting; other talk is refused with a reason
    return Path.COURTESY if nothing_else and reading.cues else Path.KNOWLEDGE
