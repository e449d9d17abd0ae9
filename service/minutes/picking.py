"""A language model picks which utterances answer; the words that are shown stay the archive's own.

What it says counts only where every number is one of those it was given. When it fails or says anything else,
the offline weighing decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from service import logs
from service.llm.errors import LlmError
from service.minutes.evidence import Candidate
from service.minutes.people import People
from service.minutes.sought import Sought

if TYPE_CHECKING:
    from service.llm.client import LanguageModel  # loads the SDK, which the offline engine never needs

STEP = "minutes/ask"
SHOWN = 24  # utterances a model is given
_LONGEST = 300  # characters of one

log = logs.get(__name__)


class Picked(BaseModel):
    """`numbers` of the utterances that answer; empty where none does."""

    numbers: list[int] = Field(max_length=8)
    decided: bool = True


@dataclass(frozen=True, slots=True)
class Picks:
    """`places` among the candidates that were given, and the model that picked."""

    places: tuple[int, ...]
    decided: bool
    engine: str


async def pick(
    model: "LanguageModel", sought: Sought, candidates: Sequence[Candidate], people: People
) -> Picks | LlmError:
    """Of the first SHOWN `candidates`. An error where the model failed or named what it was not given."""
    shown = candidates[:SHOWN]
    variables = {
        "question": sought.text,
        "speaker": sought.as_speaker or "不限",
        "utterances": "\n".join(_line(n, each, people) for n, each in enumerate(shown, 1)),
    }
    try:
        answered = await model.run(STEP, variables, Picked)
    except LlmError as error:
        log.warning("minutes.not_picked", code=error.code)
        return error
    numbers = list(dict.fromkeys(answered.value.numbers))
    if any(not 1 <= number <= len(shown) for number in numbers):
        log.warning("minutes.picked_unknown", numbers=len(numbers))
        return UnknownNumbers("模型报的编号不在所给的发言之中")
    places = tuple(number - 1 for number in numbers)
    return Picks(places, answered.value.decided, answered.model)


class UnknownNumbers(LlmError):
    code = "llm_unknown_numbers"


def _line(n: int, candidate: Candidate, people: People) -> str:
    said, day_held = candidate.utterance, candidate.utterance.meeting.record.day
    day = day_held.isoformat() if day_held else "日期不明"
    who = people.person_of(said.label) if said.label else "（未记名）"
    return f"[{n}] {day} {candidate.chunk.document.title} {who}：{' '.join(said.text.split())[:_LONGEST]}"
