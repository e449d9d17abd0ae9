"""A meeting's text in portions a page can hold: batches of paragraphs, and the pieces of each paragraph."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from ingestion.minutes.segmentation import Segment
from service.store.meetings import Said
from service.ui.minutes_addresses import Place

PARAGRAPHS = 200
CHARACTERS = 60_000


@dataclass(frozen=True, slots=True)
class Batch:
    """Paragraphs by their positions in the record, from 0: `first` is in it, `end` is not."""

    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Part:
    """Paragraphs of a batch that belong to one segment, or to none; `begins`: the segment starts here."""

    segment: Segment | None
    first: int
    end: int
    begins: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """Of a paragraph's text. `prefix`: before what was said stands who said it, and when."""

    text: str
    prefix: bool
    marked: bool


def batches_of(paragraphs: Sequence[Said]) -> list[Batch]:
    """In order, each of so many paragraphs or characters; a longer paragraph is a batch of its own."""
    batches: list[Batch] = []
    first = chars = 0
    for position, said in enumerate(paragraphs):
        length = said.end - said.start
        if position > first and (position - first == PARAGRAPHS or chars + length > CHARACTERS):
            batches.append(Batch(first, position))
            first, chars = position, 0
        chars += length
    if first < len(paragraphs):
        batches.append(Batch(first, len(paragraphs)))
    return batches


def parts_of(batch: Batch, paragraphs: Sequence[Said], segments: Sequence[Segment]) -> list[Part]:
    """The batch's paragraphs, every one of them, by segment."""
    owner = dict(_owners(batch, paragraphs, segments))
    parts = []
    for segment, same in groupby(range(batch.first, batch.end), lambda position: owner.get(position)):
        run = list(same)
        begins = segment is not None and paragraphs[run[0]].number == segment.start
        parts.append(Part(segment, run[0], run[-1] + 1, begins))
    return parts


def _owners(
    batch: Batch, paragraphs: Sequence[Said], segments: Sequence[Segment]
) -> Iterator[tuple[int, Segment]]:
    low, high = paragraphs[batch.first].number, paragraphs[batch.end - 1].number
    inside = [segment for segment in segments if segment.start <= high and segment.end >= low]
    for position in range(batch.first, batch.end):
        number = paragraphs[position].number
        for segment in inside:
            if segment.start <= number <= segment.end:
                yield position, segment
                break


def pieces_of(text: str, said: Said, marked: Place | None) -> list[Piece]:
    """What stands in the canonical `text` at a paragraph, cut at its prefix and its mark."""
    here = marked.overlap(said.start, said.end) if marked is not None else None
    cuts = {said.start, said.words, said.end} | ({here.start, here.end} if here else set())
    ends = sorted(cut for cut in cuts if said.start <= cut <= said.end)
    return [
        Piece(
            text[start:end],
            prefix=start < said.words,
            marked=here is not None and here.start <= start < here.end,
        )
        for start, end in zip(ends, ends[1:], strict=False)
    ]


def position_of(paragraphs: Sequence[Said], place: Place) -> int | None:
    """The first paragraph that a place reaches into."""
    for position, said in enumerate(paragraphs):
        if place.overlap(said.start, said.end):
            return position
    return None
