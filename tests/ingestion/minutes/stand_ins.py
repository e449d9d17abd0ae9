"""Small parts in place of the detector, the finder and the model, and paragraphs to give them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel

from ingestion.minutes.segmentation import Described
from ingestion.minutes.transcript import Paragraph
from ingestion.protocols import Output

Answer = Callable[[str, Mapping[str, object]], Mapping[str, object]]


class EveryNth:
    """A detector that begins a topic every `n` paragraphs."""

    def __init__(self, n: int) -> None:
        self._n = n

    def starts(self, paragraphs: Sequence[Paragraph]) -> list[int]:
        return [paragraph.number for paragraph in paragraphs[:: self._n]]


class FirstWords:
    """A finder for which a group is about its first four characters."""

    def describe(self, groups: Sequence[Sequence[Paragraph]]) -> list[Described]:
        return [Described(group[0].text[:4], ("离线",)) for group in groups]


@dataclass
class ScriptedChat:
    """Answers with what `answer` makes of step and variables; an exception it raises is the failure."""

    answer: Answer
    calls: list[tuple[str, Mapping[str, object]]] = field(default_factory=list)

    def run(self, step: str, variables: Mapping[str, object], output_type: type[Output]) -> Output:
        self.calls.append((step, variables))
        return output_type.model_validate(self.answer(step, variables))

    def said(self, name: str) -> list[str]:
        """One variable of all calls."""
        return [str(variables[name]) for _, variables in self.calls]


def in_turn(*answers: Mapping[str, object] | BaseModel | Exception) -> Answer:
    """One answer a call, in this order."""
    left = list(answers)

    def answer(step: str, variables: Mapping[str, object]) -> Mapping[str, object]:
        given = left.pop(0)
        if isinstance(given, Exception):
            raise given
        return given.model_dump() if isinstance(given, BaseModel) else given

    return answer


def paragraphs(count: int, text: str = "说了一件事") -> tuple[Paragraph, ...]:
    return tuple(Paragraph(number, f"{text}{number}") for number in range(1, count + 1))


def in_batches(count: int, size: int) -> list[tuple[Paragraph, ...]]:
    every = paragraphs(count)
    return [every[start : start + size] for start in range(0, count, size)]
