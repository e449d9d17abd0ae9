"""Extraction 抽取: which pieces of a message speak of which field. Verbatim pieces, no values, no judgement.

The offline grammar and a language model both answer this, and both are held to it: a piece that is not in the
message, or of a field the process does not have, is dropped by `verbatim`.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from rules.table import Process


@dataclass(frozen=True, slots=True)
class Piece:
    """`text == message[start:end]`, said of the field of that name."""

    field: str
    text: str
    start: int
    end: int


def verbatim(message: str, process: Process, said: Iterable[tuple[str, str]]) -> tuple[Piece, ...]:
    """Pairs of a field's name or code and a text, as a model gives them; what is not in the message is left
    out, as is an unknown field and a repetition."""
    found: dict[tuple[str, str], Piece] = {}
    for name, text in said:
        field, words = process.field(name.strip()), text.strip()
        at = message.find(words) if words else -1
        if field is not None and at >= 0:
            found.setdefault((field.name, words), Piece(field.name, words, at, at + len(words)))
    return tuple(found.values())
