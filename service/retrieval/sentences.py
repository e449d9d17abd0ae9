"""Sentences of a passage, as spans: what evidence is measured by and what an answer quotes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_SENTENCE = re.compile(
    r"""[^。！？!?；;\n]*[。！？!?；;]+[”’」』）)】"']*   # ended by a mark, closing quotes belong to it
      | [^。！？!?；;\n]+                               # or by a line end, or the end of the text
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Span:
    """`text[start:end]` is the sentence without the white space around it."""

    start: int
    end: int


def sentences(text: str) -> Iterator[Span]:
    """The sentences of `text` in order; blank ones are left out. Abbreviated points (3.5) do not end one."""
    for match in _SENTENCE.finditer(text):
        piece = match.group()
        stripped = piece.strip()
        if stripped:
            start = match.start() + piece.index(stripped[0])
            yield Span(start, start + len(stripped))
