"""Records of meetings as tests vary them, without a file behind them."""

from collections.abc import Sequence
from datetime import date

from ingestion.documents import Document, Kind
from ingestion.minutes.segmentation import Completeness, Described, Review, ReviewState, Segment
from ingestion.minutes.transcript import Drop
from service.store.meetings import MeetingLine, MeetingRecord, Said, StoredMeeting


def segments(*bounds: tuple[int, int]) -> list[Segment]:
    return [Segment(index, start, end, Described("题")) for index, (start, end) in enumerate(bounds, 1)]


def paragraphs(lengths: Sequence[int]) -> list[Said]:
    """Of these lengths, with a line end between two; each begins with a prefix of one character."""
    found, start = [], 0
    for number, length in enumerate(lengths, 1):
        found.append(Said(number, start, start + length, start + 1, "甲"))
        start += length + 1
    return found


def recorded(count: int, *bounds: tuple[int, int], char_diff: int = 0, missing: int = 0) -> MeetingRecord:
    """A meeting of paragraphs of three characters."""
    chars = 3 * count
    passed = not char_diff and not missing
    return MeetingRecord(
        title="例会",
        day=date(2026, 3, 2),
        attendees=(),
        paragraphs=tuple(paragraphs([3] * count)),
        segments=tuple(segments(*bounds)),
        outcomes=(),
        completeness=Completeness(passed, count, missing, chars, chars + char_diff, char_diff),
        raw_chars=chars + count,
        drops={kind: count if kind is Drop.LINE_END else 0 for kind in Drop},
        review=Review(ReviewState.NOT_REVIEWED),
        rounds=1,
        kept_round=1,
        engine="offline",
        run_log=("[录入员(PreprocessAgent)] 完成",),
        findings=(),
        seconds=0.2,
    )


def stored(record: MeetingRecord) -> StoredMeeting:
    text = "\n".join("甲说话"[: said.end - said.start] for said in record.paragraphs)
    return StoredMeeting(document(record.title, record.day), "r1", "例会.txt", text, record)


def document(title: str, day: date | None) -> Document:
    return Document("d1", "upload:local/例会.txt", title, kind=Kind.MINUTES, meeting_date=day)


def line(title: str, day: date | None, *speakers: str) -> MeetingLine:
    return MeetingLine(document(title, day), "r1", "例会.txt", speakers, "offline", 3, 1)
