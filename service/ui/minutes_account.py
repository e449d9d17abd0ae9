"""How a meeting was cut: the two locks, the account of every character, the review, and the run log."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.minutes.segmentation import Issue, Review, ReviewState, Segment
from service.store.meetings import MeetingRecord, StoredMeeting
from service.ui.elements import box, facts, icon, link, words
from service.ui.minutes_addresses import Place, meeting_address
from service.ui.minutes_words import DROPS, REVIEWS, range_words, rounds_words
from service.wording import engine_words


@dataclass(frozen=True, slots=True)
class Lock:
    holds: bool
    text: str


def locks_of(record: MeetingRecord) -> tuple[Lock, Lock]:
    """The sequence of paragraphs, in order and multiplicity; and the characters."""
    found = record.completeness
    total = found.total_paragraphs
    in_order = _covered(record.segments) == [said.number for said in record.paragraphs]
    verdict = "次序与重复一致" if in_order else "次序或重复不一致"
    return (
        Lock(in_order, f"段落 {total - found.missing_count:,}/{total:,}，{verdict}"),
        Lock(found.char_diff == 0, f"字符差 {found.char_diff:,}"),
    )


def _covered(segments: Sequence[Segment]) -> list[int]:
    return [number for segment in segments for number in range(segment.start, segment.end + 1)]


def draw_locks(record: MeetingRecord) -> None:
    with box("ul", "locks", aria_label="完整性"):
        for lock in locks_of(record):
            with box("li", "lock" if lock.holds else "lock lock-open"):
                icon("lock" if lock.holds else "warning")
                words("span", lock.text)
                words("span", "✓" if lock.holds else "✗", "lock-sign")


def show_account(meeting: StoredMeeting) -> None:
    record = meeting.record
    with box("section", aria_labelledby="locks-heading"):
        words("h2", "完整性", "section-title", id="locks-heading")
        draw_locks(record)
        _characters(record)
    with box("section", aria_labelledby="review-heading"):
        words("h2", "审稿", "section-title", id="review-heading")
        _review(meeting)
    _findings(record)
    _run_log(record)


def _characters(record: MeetingRecord) -> None:
    kept = sum(said.end - said.start for said in record.paragraphs)
    drops = [(DROPS[kind], count) for kind, count in record.drops.items() if count]
    scroll = box("div", "table-scroll characters", tabindex="0", role="region", aria_label="字符账")
    with scroll, box("table", "characters-table"):
        words("caption", "字符账：原文的每个字符，不在段落里，就在去掉的里面", "visually-hidden")
        with box("thead"), box("tr"):
            words("th", "原文的字符", scope="col")
            words("th", "个数", "number", scope="col")
        with box("tbody"):
            for name, count in [("段落里", kept), *((f"去掉：{name}", count) for name, count in drops)]:
                with box("tr"):
                    words("th", name, scope="row")
                    words("td", f"{count:,}", "number")
            with box("tr", "sum"):
                words("th", "原文共", scope="row")
                words("td", f"{record.raw_chars:,}", "number")
    if kept + sum(record.drops.values()) != record.raw_chars:
        with box("p", "problem", role="alert"):
            icon("warning")
            words("span", "账目不平：段落里的与去掉的相加不等于原文，请把这份文件告诉管理员。")


def _review(meeting: StoredMeeting) -> None:
    record = meeting.record
    review = record.review
    with box("p", "revision-line"):
        kinds = {ReviewState.PASSED: "tag tag-active", ReviewState.FAILED: "tag tag-superseded"}
        words("span", REVIEWS[review.state], kinds.get(review.state, "tag"))
        words("span", _why(review))
    facts(f"引擎：{engine_words(record.engine)}", rounds_words(record), f"用时 {record.seconds:.1f} 秒")
    if review.issues:
        with box("ul", "findings"):
            for issue in review.issues:
                _issue(meeting, issue)
    if review.suggestion:
        words("p", f"审稿建议：{review.suggestion}", "review-said")


def _why(review: Review) -> str:
    if review.state is ReviewState.NOT_REVIEWED:
        return "没有配置大模型，或它的审稿无效；议题划分没有另一双眼睛看过。"
    if review.state is ReviewState.FAILED:
        return f"各轮之后仍有 {len(review.issues)} 处意见。"
    return ""


def _issue(meeting: StoredMeeting, issue: Issue) -> None:
    with box("li", "finding finding-warning"):
        with box("p", "finding-line"):
            words("span", f"议题 {issue.segment}", "finding-code")
            place = _place(meeting.record, issue)
            text = range_words(issue.start, issue.end)
            if place is None:
                words("span", text, "finding-where")
            else:
                address = meeting_address(meeting.document.id, at=place)
                link(text, address, "link finding-where", aria_label=f"看{text}")
        words("p", issue.issue)


def _place(record: MeetingRecord, issue: Issue) -> Place | None:
    inside = [said for said in record.paragraphs if issue.start <= said.number <= issue.end]
    return Place(inside[0].start, inside[-1].end) if inside else None


def _findings(record: MeetingRecord) -> None:
    if not record.findings:
        return
    with box("section", aria_labelledby="findings-heading"):
        words("h2", "读取时需要留意的", "section-title", id="findings-heading")
        with box("ul", "bullets"):
            for finding in record.findings:
                words("li", finding)


def _run_log(record: MeetingRecord) -> None:
    with box("section", aria_labelledby="log-heading"):
        words("h2", "运行日志", "section-title", id="log-heading")
        if not record.run_log:
            words("p", "没有留下运行日志。", "list-note")
            return
        with box("details", "run-log"):
            words("summary", f"展开 {len(record.run_log)} 行")
            words(
                "pre",
                "\n".join(record.run_log),
                "run-log-lines",
                tabindex="0",
                role="region",
                aria_label="日志全文",
            )
