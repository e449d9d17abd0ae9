"""Uploading minutes: records of meetings are picked or dropped, and each is cut into topics."""

from collections.abc import Awaitable, Callable
from functools import partial

from nicegui import events

from ingestion.documents import Kind
from ingestion.minutes.formats import SUFFIXES
from service.access import PUBLIC, Principal
from service.incoming import MINUTES_BASE, Incoming, upload_source
from service.ui.drop_area import Asked, drop_area
from service.ui.elements import Choice, box, words
from service.ui.minutes_addresses import meeting_address
from service.ui.outcomes import Outcome
from service.ui.pages import Visit
from service.ui.upload_lines import Describe, UploadLines
from service.wording import audiences_of

ACCEPTED = ",".join(sorted(suffix for suffix in SUFFIXES | {".zip"} if suffix))


class MinutesUploads:
    """Who may see the meetings, the place to drop their records on, and a line for each."""

    def __init__(self, visit: Visit, on_taken: Callable[[], Awaitable[None]]) -> None:
        self._visit = visit
        self._lines = UploadLines(visit, self._form, on_taken, _address, "看议题与全文")

    def show(self) -> None:
        limit = self._visit.parts.settings.max_upload_mb
        asked = Asked(
            lead="把会议记录拖到这里，可以一次多个",
            pick="选择文件",
            hint="文字记录 txt、md、docx，字幕 vtt、srt，或 json，也可以是装着它们的 zip；"
            f"单个不超过 {limit} MB。日期和会议名从文件名与开头几行里读。",
            too_large=f"超过 {limit} MB 上限，请拆分后再上传",
            refused="没有上传：只收 txt、md、docx、vtt、srt、json 与 zip",
            accept=ACCEPTED,
            multiple=True,
        )
        with box("section", "panel", aria_labelledby="upload-heading"):
            words("h2", "上传会议记录", "section-title", id="upload-heading")
            with box("div", "fields"):
                self._audience = Choice("谁能看到", audiences_of(self._visit.principal), value=PUBLIC)
            drop_area(asked, limit, self._received)
            self._lines.show()

    async def _received(self, event: events.UploadEventArguments) -> None:
        await self._lines.received(event)

    def _form(self) -> Describe:
        return partial(_incoming, (self._audience.value,))


def _address(outcome: Outcome) -> str:
    return meeting_address(outcome.document_id)


def _incoming(labels: tuple[str, ...], principal: Principal, name: str, password: str) -> Incoming:
    return Incoming(
        source_uri=upload_source(principal, name),
        file_name=name,
        knowledge_base=MINUTES_BASE,
        labels=labels,
        owner=principal.name,
        password=password or None,
        kind=Kind.MINUTES,
    )
