"""The meetings of the archive in a list: found by title, speaker and day, the newest first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from service.access import PUBLIC, Principal
from service.errors import BadRequest
from service.store.meetings import MeetingLine, MeetingRecord
from service.ui.elements import Field, box, facts, icon, link, tag, words
from service.ui.listing import Found, Listing
from service.ui.minutes_account import locks_of
from service.ui.minutes_addresses import meeting_address
from service.ui.minutes_words import NO_DAY, few
from service.ui.pages import Visit
from service.wording import audience_words, day_of, engine_words

PAGE_SIZE = 15
NAMED = 6  # speakers of a meeting before the rest is only counted
EMPTY = "还没有会议纪要。从上面上传第一份，或在命令行运行 zhixing minutes ingest 文件夹，一次收进整个文件夹。"


@dataclass(frozen=True, slots=True)
class Row:
    """`record` is None when the meeting was deleted meanwhile."""

    line: MeetingLine
    record: MeetingRecord | None


@dataclass(frozen=True, slots=True)
class Wanted:
    """`first` and `last` bound the day of the meeting, both included; then one without a day is not meant."""

    text: str = ""
    first: date | None = None
    last: date | None = None

    def fits(self, line: MeetingLine) -> bool:
        return self._named(line) and self._held(line.document.meeting_date)

    def _named(self, line: MeetingLine) -> bool:
        """Every word that was typed is in the title or in a speaker's name."""
        said = [line.document.title.casefold(), *(name.casefold() for name in line.speakers)]
        return all(any(word in name for name in said) for word in self.text.casefold().split())

    def _held(self, day: date | None) -> bool:
        if day is None:
            return self.first is None and self.last is None
        return (self.first is None or self.first <= day) and (self.last is None or day <= self.last)


def fitting(lines: Iterable[MeetingLine], wanted: Wanted) -> list[MeetingLine]:
    return [line for line in lines if wanted.fits(line)]


class MeetingList:
    """What one visitor looks for, and the meetings that are found."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit

    async def show(self) -> None:
        with box("section", aria_labelledby="meetings-heading"):
            heading = words("h2", "全部会议", "section-title", id="meetings-heading", tabindex="-1")
            with box("div", "filters", role="search"):
                self._search = Field(
                    "按会议名或发言人查找", kind="search", style="field grow", on_change=self.restart
                )
                self._first = Field("从哪天", kind="date", on_change=self.restart)
                self._last = Field("到哪天", kind="date", on_change=self.restart)
            self._list = Listing(
                self._visit, PAGE_SIZE, find=self._find, draw=_draw, note=self._note, heading=heading
            )
            await self._list.refresh()

    async def restart(self) -> None:
        await self._list.restart()

    def _wanted(self) -> Wanted:
        return Wanted(self._search.value.strip(), day_typed(self._first), day_typed(self._last))

    def _find(self, principal: Principal, number: int, page_size: int) -> Found[Row]:
        meetings = self._visit.parts.meetings
        found = fitting(meetings.lines(principal), self._wanted())
        page = found[(number - 1) * page_size : number * page_size]
        records = meetings.records([line.revision_id for line in page])
        return Found([Row(line, records.get(line.revision_id)) for line in page], len(found))

    def _note(self, total: int) -> str:
        if total:
            return f"共 {total:,} 场"
        return "没有符合条件的会议。" if self._wanted() != Wanted() else EMPTY


def day_typed(field: Field) -> date | None:
    """Raises BadRequest for what is no day."""
    try:
        return date.fromisoformat(field.value) if field.value else None
    except ValueError as error:
        raise BadRequest("日期填得不对") from error


def _draw(rows: Sequence[Row]) -> None:
    if not rows:
        return
    with box("ul", "cards"):
        for row in rows:
            _card(row)


def _card(row: Row) -> None:
    line = row.line
    document = line.document
    with box("li", "card meeting-card", data_document=document.id):
        words("p", day_of(document.meeting_date) or NO_DAY, "meeting-day")
        with words("h3", "", "card-title"):
            link(document.title, meeting_address(document.id), "plain-link")
        if line.speakers:
            words("p", few(line.speakers, NAMED), "meeting-speakers")
        with box("p", "meeting-foot"):
            if row.record is not None:
                _lock(row.record)
            audience = [audience_words(label) for label in document.labels if label != PUBLIC]
            facts(
                f"{line.segments:,} 个议题",
                f"{line.paragraphs:,} 段",
                engine_words(line.engine),
                *audience,
                style="facts meeting-facts",
            )
        if row.record is not None and row.record.findings:
            _findings(row.record.findings)


def _lock(record: MeetingRecord) -> None:
    locks = locks_of(record)
    name = "；".join(lock.text for lock in locks)
    holds = all(lock.holds for lock in locks)
    with box("span", "lock-small" if holds else "lock-small lock-open", title=name):
        icon("lock" if holds else "warning")
        words("span", "一段不少" if holds else "有缺漏")


def _findings(findings: Sequence[str]) -> None:
    with box("details", "meeting-findings"):
        with words("summary", ""):
            tag(f"读取时有 {len(findings)} 处需要留意", "draft")
        with box("ul", "bullets"):
            for finding in findings:
                words("li", finding)
