"""Which path a message goes to: by what the caller says, the cue words, a model, and in the end the user."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from starlette.concurrency import run_in_threadpool

from rules.table import Process
from service.access import Principal
from service.intent.clarifying import clarify
from service.intent.cues import CueTable, Intent
from service.intent.processes import process_words
from service.intent.reader import IntentReader, Reading
from service.intent.weighing import IntentModel
from service.process.standing import Before, CameHere, Message, Standing

if TYPE_CHECKING:
    from service.llm.client import LanguageModel


class Mode(StrEnum):
    """What a caller asks for."""

    AUTO = "auto"
    KNOWLEDGE = "knowledge"
    PROCESS = "process"
    MINUTES = "minutes"


class Path(StrEnum):
    """Where a message goes."""

    KNOWLEDGE = "knowledge"
    PROCESS = "process"
    MINUTES = "minutes"
    UNCLEAR = "unclear"  # the user chooses
    COURTESY = "courtesy"


class Archive(Protocol):
    """What routing needs of the minutes path."""

    def about_someone(self, principal: Principal, message: str) -> bool:
        """Whether a message asks for the words of somebody who speaks in meetings."""
        ...


class CaseState(Protocol):
    """What routing needs of the process path."""

    def published(self) -> Sequence[Process]: ...

    def before(self, principal: Principal, message: Message, came_here: CameHere) -> Before: ...


@dataclass(frozen=True, slots=True)
class Routed:
    """`reading` is None where nobody had to read the message, `before` where nobody looked what lies open."""

    path: Path
    reading: Reading | None = None
    before: Before | None = None


@dataclass(frozen=True, slots=True)
class _Looked:
    """What lies open (None while no process is published), what the reader says, and whether somebody who
    speaks in meetings is asked."""

    before: Before | None
    reading: Reading
    about_someone: bool


_PATHS = {
    Intent.PROCESS: Path.PROCESS,
    Intent.STATUS: Path.PROCESS,
    Intent.KNOWLEDGE: Path.KNOWLEDGE,
    Intent.MINUTES: Path.MINUTES,
}
_ASKED_FOR = {
    Mode.KNOWLEDGE: Path.KNOWLEDGE,
    Mode.PROCESS: Path.PROCESS,
    Mode.MINUTES: Path.MINUTES,
}


class Router:
    """The reader is made anew when a process is published."""

    def __init__(
        self,
        cues: CueTable,
        cases: CaseState,
        archive: Archive,
        small: IntentModel | None,
        model: "LanguageModel | None",
    ) -> None:
        """`small` weighs what the cues do not decide alone, `model` settles what is unclear still."""
        self._cues = cues
        self._cases = cases
        self._archive = archive
        self._small = small
        self._model = model
        self._reader: tuple[Sequence[Process], IntentReader] | None = None

    async def route(self, principal: Principal, message: Message, mode: Mode) -> Routed:
        """While no process is published every message is a question, to documents or to the minutes."""
        if mode is not Mode.AUTO:
            return Routed(_ASKED_FOR[mode])
        looked = await run_in_threadpool(self._look, principal, message)
        reading = looked.reading
        if looked.before is None:
            asks = looked.about_someone or (reading.intent is Intent.MINUTES and not reading.either)
            return Routed(Path.MINUTES if asks else Path.KNOWLEDGE, reading)
        if looked.about_someone and _may_be_minutes(reading, looked.before.standing):
            return Routed(Path.MINUTES, reading, looked.before)
        if reading.either and self._model is not None:
            reading = await clarify(reading, message.text, self._model)
        return Routed(_path(reading, looked.before.standing), reading, looked.before)

    def _look(self, principal: Principal, message: Message) -> _Looked:
        """Work of the processor and the record: no event loop waits."""
        processes = self._cases.published()
        reader = self._reader_of(processes)
        about = self._archive.about_someone(principal, message.text)
        if not processes:
            return _Looked(None, reader.read(message.text), about)
        before = self._cases.before(principal, message, lambda words, then: _came_here(reader, words, then))
        return _Looked(before, _read(reader, message.text, before.standing), about)

    def _reader_of(self, processes: Sequence[Process]) -> IntentReader:
        known = self._reader
        if known is None or known[0] is not processes:
            words = [process_words(each) for each in processes]
            known = (processes, IntentReader(self._cues, words, self._small))
            self._reader = known
        return known[1]


def _read(reader: IntentReader, words: str, standing: Standing) -> Reading:
    return reader.read(words, open_case=standing is Standing.ANSWERED)


def _came_here(reader: IntentReader, words: str, standing: Standing) -> bool:
    """Whether an earlier message went to the process path, or may have where the user was to choose."""
    return _path(_read(reader, words, standing), standing) in (Path.PROCESS, Path.UNCLEAR)


def _may_be_minutes(reading: Reading, standing: Standing) -> bool:
    """Who asks what 张总 thinks wants the minutes, unless it is surely an errand or the course of an
    application. While something is open only what reads as a question does: a name may be an answer."""
    if standing is not Standing.IDLE:
        return reading.intent in (Intent.KNOWLEDGE, Intent.MINUTES) and not reading.either
    return bool(reading.either) or reading.intent not in (Intent.PROCESS, Intent.STATUS)


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
