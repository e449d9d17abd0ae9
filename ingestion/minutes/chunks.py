"""A meeting as the common index holds it: its segments become chunks 切片, cut where a speech ends.

What is searched of a chunk are the meeting's title and day, the segment's topic, keywords and synonyms, and
the paragraphs as they stand. A paragraph beyond a chunk's size is cut inside, at sentences.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, groupby

from ingestion.chunking import PATH_ITEM_LIMIT, Span, chunk_id, stretches
from ingestion.documents import Anchor, Block, BlockBuilder, BlockKind, Chunk, Metadata, Parsed
from ingestion.minutes.segmentation import Described, Segment, Segmentation
from ingestion.minutes.transcript import Drop, Paragraph, Transcript
from ingestion.minutes.voices import voices

LONGEST_SPEECH = 400  # characters up to which the paragraphs of one speech are not parted


def canonical(transcript: Transcript) -> Parsed:
    """A block for each paragraph, `anchor.paragraph` its number. What was dropped is in the report by kind,
    in characters without white space.
    """
    builder = BlockBuilder()
    for paragraph in transcript.paragraphs:
        builder.add(Block(BlockKind.PARAGRAPH, paragraph.text, Anchor(paragraph=paragraph.number)))
    for kind in (Drop.ZERO_WIDTH, Drop.MARKUP):
        builder.drop(kind.value, "", transcript.drops.get(kind, 0))
    return builder.finish(metadata=Metadata(title=transcript.title))


def chunks_of(found: Segmentation, text: str, revision_id: str) -> list[Chunk]:
    """In reading order; together they hold every paragraph of the canonical `text` exactly once."""
    paragraphs = found.transcript.paragraphs
    spans = _spans(paragraphs)
    names = names_in(found.transcript)
    heard = [_heard(paragraph, names) for paragraph in paragraphs]  # once each: a long one is in many chunks
    seen: Counter[str] = Counter()
    chunks: list[Chunk] = []
    for segment in found.segments:
        path = _path(found.transcript, segment.described)
        for span in _stretches(text, paragraphs, spans, segment):
            piece = text[span.start : span.end]
            inside = slice(_at(spans, span.start), _at(spans, span.end - 1) + 1)
            key = "\x1e".join((*path, piece))
            seen[key] += 1
            chunks.append(
                Chunk(
                    id=chunk_id(revision_id, path, piece, seen[key]),
                    revision_id=revision_id,
                    ordinal=len(chunks),
                    heading_path=path,
                    text=piece,
                    char_start=span.start,
                    char_end=span.end,
                    anchors=tuple(_anchor(spans, paragraph) for paragraph in paragraphs[inside]),
                    context=_context(segment.described),
                    speakers=tuple(dict.fromkeys(chain.from_iterable(heard[inside]))),
                )
            )
    return chunks


def names_in(transcript: Transcript) -> frozenset[str]:
    """Everybody whom a meeting's record names as someone who speaks, or is there."""
    speakers = (paragraph.speaker for paragraph in transcript.paragraphs)
    return frozenset(name for name in (*transcript.attendees, *speakers) if name)


def _heard(paragraph: Paragraph, names: frozenset[str]) -> tuple[str, ...]:
    """Everybody who speaks in a paragraph."""
    found = voices(paragraph.text, paragraph.speaker, names)
    return tuple(dict.fromkeys(voice.speaker for voice in found if voice.speaker))


def _spans(paragraphs: Sequence[Paragraph]) -> list[Span]:
    """Where each paragraph stands in the canonical text, in which a line end is between two."""
    starts = accumulate((len(each.text) + 1 for each in paragraphs), initial=0)
    return [Span(start, start + len(each.text)) for start, each in zip(starts, paragraphs, strict=False)]


def _stretches(
    text: str, paragraphs: Sequence[Paragraph], spans: Sequence[Span], segment: Segment
) -> list[Span]:
    numbers = range(segment.start - 1, segment.end)
    return stretches(text, list(_speeches(paragraphs, spans, numbers)))


def _speeches(paragraphs: Sequence[Paragraph], spans: Sequence[Span], places: range) -> Iterator[Span]:
    """What one person says without a break stays together where it fits; else its paragraphs do."""
    for _, same in groupby(places, lambda place: paragraphs[place].speaker or place):
        run = list(same)
        whole = spans[run[0]].to(spans[run[-1]])
        if len(whole) <= LONGEST_SPEECH:
            yield whole
        else:
            yield from (spans[place] for place in run)


def _at(spans: Sequence[Span], offset: int) -> int:
    """The place of the paragraph that an offset is in, or follows directly."""
    return bisect_right(spans, offset, key=lambda span: span.start) - 1


def _anchor(spans: Sequence[Span], paragraph: Paragraph) -> Anchor:
    span = spans[paragraph.number - 1]
    return Anchor(char_start=span.start, char_end=span.end, paragraph=paragraph.number)


def _path(transcript: Transcript, described: Described) -> tuple[str, ...]:
    day = transcript.day.isoformat() if transcript.day else ""
    meeting = " ".join(f"{transcript.title} {day}".split())
    return tuple(part[:PATH_ITEM_LIMIT] for part in (meeting, described.topic) if part)


def _context(described: Described) -> str:
    words = dict.fromkeys((*described.keywords, *described.synonyms))
    return "、".join(words)
