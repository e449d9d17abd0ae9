"""Chinese words for what a meeting's record says of itself."""

from ingestion.minutes.outcome import OutcomeKind
from ingestion.minutes.segmentation import ReviewState, Segment
from ingestion.minutes.transcript import Drop
from service.store.meetings import MeetingRecord

DROPS = {
    Drop.LINE_END: "换行",
    Drop.BLANK: "空行与段首段尾的空白",
    Drop.ZERO_WIDTH: "零宽字符",
    Drop.MARKUP: "字幕编号与排版标记",
}
REVIEWS = {
    ReviewState.PASSED: "审稿通过",
    ReviewState.FAILED: "审稿有意见",
    ReviewState.NOT_REVIEWED: "未经审稿",
    ReviewState.SKIPPED: "按设置未审稿",
}
OUTCOMES = {OutcomeKind.DECISION: "决定", OutcomeKind.ACTION: "待办"}
UNKNOWN_SPEAKER = "（没有写明）"
NO_DAY = "日期不详"


def topic_words(segment: Segment) -> str:
    return segment.described.topic or "没有标题的议题"


def range_words(start: int, end: int) -> str:
    """第 3 段, 第 3–12 段."""
    return f"第 {start} 段" if start == end else f"第 {start}–{end} 段"


def rounds_words(record: MeetingRecord) -> str:
    if record.rounds == record.kept_round:
        return f"{record.rounds} 轮"
    return f"{record.rounds} 轮，采用第 {record.kept_round} 轮"


def few(names: tuple[str, ...], most: int) -> str:
    """The first of many names."""
    shown = "、".join(names[:most])
    return f"{shown} 等\u00a0{len(names)}\u00a0人" if len(names) > most else shown
