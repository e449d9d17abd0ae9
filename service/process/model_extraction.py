"""A small model as the extractor: it points at pieces of the message, and code decides what they are worth.

It adds to the grammar and never overrules it: a field the grammar found stays as it was read, and a piece
that is not in the message, names no field or is no value of it is dropped.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from rules.table import Field as ProcessField
from rules.table import Process
from service.process.extraction import Piece, verbatim

if TYPE_CHECKING:
    from service.llm.client import LanguageModel  # loads the SDK, which the offline grammar never needs

STEP = "process/extract"
_WORDS = 12  # options and synonyms of a field that the model is shown
_MOST = 40  # pieces; more than any message has


class Said(BaseModel):
    """One piece as a model gives it."""

    field: str = Field(description="字段名")
    text: str = Field(description="从员工的话里逐字抄下的片段")


class Extraction(BaseModel):
    fields: list[Said] = Field(default_factory=list, max_length=_MOST)


@dataclass(frozen=True, slots=True)
class Extracted:
    pieces: tuple[Piece, ...]
    model: str


async def extract(
    model: "LanguageModel", message: str, process: Process, asked: ProcessField | None
) -> Extracted:
    """Raises LlmError."""
    variables = {
        "fields": "\n".join(_told(field) for field in process.fields),
        "asked": asked.name if asked else "",
        "message": message,
    }
    answered = await model.run(STEP, variables, Extraction)
    said = ((one.field, one.text) for one in answered.value.fields)
    return Extracted(verbatim(message, process, said), answered.model)


def added(grammar: Sequence[Piece], model: Iterable[Piece]) -> tuple[Piece, ...]:
    """The model's pieces for fields of which the grammar found nothing."""
    found = {piece.field for piece in grammar}
    return tuple(piece for piece in model if piece.field not in found)


def _told(field: ProcessField) -> str:
    words = [*field.options, *field.synonyms, *field.aliases][:_WORDS]
    return f"{field.name}：{field.type.value}；{'、'.join(words)}"
