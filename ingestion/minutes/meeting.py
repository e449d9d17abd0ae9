"""One meeting's file from bytes to segments and outcomes: what the archive takes in, and who works on it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from time import perf_counter

from ingestion.documents import FailureReason, FileState
from ingestion.errors import ParseFailure
from ingestion.minutes.agent import RunLog
from ingestion.minutes.formats import JSON_SUFFIXES, read
from ingestion.minutes.lines import Layout, Raw
from ingestion.minutes.orchestrator import Equipment, OrchestratorAgent
from ingestion.minutes.outcome import Outcome
from ingestion.minutes.outcomes import OutcomeFinder
from ingestion.minutes.segmentation import OFFLINE, Segmentation
from ingestion.minutes.transcript import Transcript
from ingestion.terms import Terms

_README = "readme"
_SILENT = "这份 JSON 里没有带发言人或时间的发言，不像会议记录；没有入库"
_BROKEN = "这份 JSON 不完整或有误，读不出带发言人或时间的发言；请重新导出后再入库"
_TABLES = frozenset({".csv", ".tsv", ".xls", ".xlsx", ".xlsm", ".et"})


@dataclass(frozen=True, slots=True)
class Newsroom:
    """What all meetings of a process share."""

    equipment: Equipment
    outcomes: OutcomeFinder


BuildNewsroom = Callable[[Terms], Newsroom]
Expectation = Callable[[Transcript, Raw], None]
"""Raises ParseFailure for what is no record of a meeting."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A meeting's record, cut. `findings` are remarks on the file and the run; `seconds` it took."""

    segmentation: Segmentation
    outcomes: tuple[Outcome, ...]
    findings: tuple[str, ...]
    seconds: float


def why_no_record(name: str) -> str:
    """Why a file of this name lies beside the records of meetings and is none; empty for all others."""
    path = PurePath(name.lower())
    if path.name.partition(".")[0] == _README:
        return "README 是对文件夹的说明，不是会议记录"
    if path.suffix in _TABLES:
        return f"{path.suffix} 是表格，不是会议记录"
    return ""


def take_down(name: str, data: bytes, newsroom: Newsroom, password: str | None = None) -> Meeting:
    """For the archive, which holds meetings only. Raises ParseFailure as `formats.read`, and `unsupported` by
    `why_no_record`, `empty` when nothing is said in it, `wrong_type` for JSON, broken or
    not, without utterances.
    """
    if reason := why_no_record(name):
        raise ParseFailure(FailureReason.UNSUPPORTED, reason, FileState.UNSUPPORTED)
    return cut(read(name, data, password), newsroom, expect=_expect_words)


def cut(
    raw: Raw, newsroom: Newsroom, run_log: RunLog | None = None, expect: Expectation | None = None
) -> Meeting:
    """Whatever the text is, also none, unless `expect` raises before any model has seen it."""
    started = perf_counter()
    equipment = newsroom.equipment
    editor = OrchestratorAgent(run_log or RunLog(), equipment)
    transcript = editor.read(raw.text, raw.name, raw.layout)
    if expect is not None:
        expect(transcript, raw)
    found = editor.cut(transcript)
    outcomes = newsroom.outcomes.find(transcript)
    taken_over = equipment.model is not None and OFFLINE in found.engine.split("+")
    remarks = ("大模型没有做完全部步骤，其余由离线引擎完成，详见运行日志",) if taken_over else ()
    return Meeting(found, outcomes, (*raw.findings, *remarks), perf_counter() - started)


def _expect_words(transcript: Transcript, raw: Raw) -> None:
    if not transcript.paragraphs:
        raise ParseFailure(FailureReason.EMPTY, "会议记录里没有文字，请核对内容后再导入")
    said = any(paragraph.speaker or paragraph.time for paragraph in transcript.paragraphs)
    if PurePath(raw.name).suffix.lower() in JSON_SUFFIXES and not said:
        raise ParseFailure(FailureReason.WRONG_TYPE, _SILENT if raw.layout is Layout.JSON else _BROKEN)
