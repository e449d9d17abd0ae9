"""The page of one meeting: topic cards over the full text, what came of it, and how it was cut."""

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse
from nicegui import app as console
from starlette.concurrency import run_in_threadpool

from service.access import PUBLIC, Principal, Role
from service.api.downloads import attachment
from service.api.minutes import get_meeting
from service.bootstrap import Parts
from service.errors import NotAuthenticated, ZhixingError
from service.store.meetings import StoredMeeting
from service.ui import pages
from service.ui.cards import original_address, source_address
from service.ui.elements import Dialog, box, button, facts, go_to, icon, link, tell, words
from service.ui.frame import MINUTES, frame
from service.ui.minutes_account import draw_locks, show_account
from service.ui.minutes_addresses import (
    ACCOUNT,
    ARCHIVE,
    MINUTES_PATH,
    OUTCOMES,
    SPEAKERS,
    TEXT,
    Place,
    meeting_address,
    place_of,
    record_address,
)
from service.ui.minutes_outcomes import show_outcomes
from service.ui.minutes_speakers import show_speakers
from service.ui.minutes_text import TextView
from service.ui.minutes_topics import TopicCards
from service.ui.minutes_words import NO_DAY, few
from service.ui.pages import Visit
from service.ui.sections import sections
from service.ui.sessions import Sessions, Visitor
from service.wording import audience_words, day_of, engine_words

NAMED = 8  # of those present or speaking, in the head


def register(parts: Parts, sessions: Sessions) -> None:
    pages.register(f"{MINUTES_PATH}/{{document}}", parts, sessions, _build)

    @console.get(f"{MINUTES_PATH}/{{document}}/record", include_in_schema=False)
    async def record(request: Request, document: str) -> Response:
        try:
            principal = await Visitor.of(request, parts, sessions).principal(Role.CONTRIBUTOR)
            return await run_in_threadpool(_record, parts, principal, document)
        except NotAuthenticated:
            return pages.to_sign_in(request)
        except ZhixingError as error:
            return PlainTextResponse(error.message, error.status)


def _record(parts: Parts, principal: Principal, document_id: str) -> Response:
    """As the API has it."""
    found = get_meeting(parts, principal, document_id)
    return attachment(found.model_dump_json(indent=2).encode(), f"{found.meeting.title}.json")


async def _build(visit: Visit) -> None:
    meetings = visit.parts.meetings
    meeting = await run_in_threadpool(meetings.get, visit.principal, visit.asked("document"))
    side = visit.asked("side")
    title = meeting.document.title
    with frame(title, room=MINUTES, principal=visit.principal, signed_in=visit.visitor.signs_in):
        _head(visit, meeting)
        sides = _sides(meeting)
        names = {value: name for name, value in sides.items()}
        current = side if side in names else TEXT
        addresses = {
            name: meeting_address(meeting.document.id, side=value) for name, value in sides.items()
        }
        sections(addresses, names[current])
        _SHOW[current](visit, meeting)


def _sides(meeting: StoredMeeting) -> dict[str, str]:
    record = meeting.record
    return {
        "议题与全文": TEXT,
        f"决定与待办（{len(record.outcomes)}）": OUTCOMES,
        f"发言人（{len(record.speakers)}）": SPEAKERS,
        "核对与日志": ACCOUNT,
    }


def _head(visit: Visit, meeting: StoredMeeting) -> None:
    document, record = meeting.document, meeting.record
    with box("div", "source-about meeting-about"):
        with box("div"):
            with box("p", "revision-line"):
                words("span", day_of(document.meeting_date) or NO_DAY, "revision-name")
                people = record.attendees or record.speakers
                words("span", few(people, NAMED), "revision-term meeting-people")
            audience = [audience_words(label) for label in document.labels if label != PUBLIC]
            counts = f"{len(record.paragraphs):,} 段，{len(record.segments):,} 个议题"
            facts(counts, engine_words(record.engine), meeting.file_name, *audience)
            draw_locks(record)
        with box("div", "source-actions"):
            _download("下载 JSON", record_address(document.id), f"{document.title}.json")
            _download("下载原件", original_address(document.id, meeting.revision_id), meeting.file_name)
            _deletion(visit, meeting)


def _download(text: str, address: str, name: str) -> None:
    with link("", address, "button", download=name):
        icon("download")
        words("span", text)


def _deletion(visit: Visit, meeting: StoredMeeting) -> None:
    title = meeting.document.title

    async def confirm() -> None:
        dialog = Dialog(f"删除《{title}》？")

        async def delete() -> None:
            principal = await visit.visitor.principal()
            library = visit.parts.library
            await run_in_threadpool(library.delete_document, principal, meeting.document.id)
            await dialog.close()
            tell(f"《{title}》已删除")
            go_to(ARCHIVE)

        with dialog.content():
            words("p", "连同全文、议题和原件一起删除，立即检索不到，且无法恢复。")
            with box("div", "dialog-actions"):
                button("取消", dialog.close, autofocus=True)
                button("删除", delete, "button button-danger")

    button("删除", confirm, aria_label=f"删除《{title}》")


def _text(visit: Visit, meeting: StoredMeeting) -> None:
    text = TextView(meeting, _marked(visit, meeting))
    with box("div", "meeting"):
        TopicCards(meeting.record.segments, text.open_segment).show()
        text.show()


def _outcomes(visit: Visit, meeting: StoredMeeting) -> None:
    show_outcomes(meeting)


def _speakers(visit: Visit, meeting: StoredMeeting) -> None:
    show_speakers(meeting.record)


def _account(visit: Visit, meeting: StoredMeeting) -> None:
    show_account(meeting)


_SHOW = {TEXT: _text, OUTCOMES: _outcomes, SPEAKERS: _speakers, ACCOUNT: _account}


def _marked(visit: Visit, meeting: StoredMeeting) -> Place | None:
    """The place that the address names; where it is none of this text, that is told."""
    written, revision = visit.asked("at"), visit.asked("revision")
    if not written:
        return None
    place = place_of(written)
    current = not revision or revision == meeting.revision_id
    if place is not None and place.end <= len(meeting.text) and current:
        return place
    with box("p", "problem", role="status"):
        words("span", "要找的原话已不在这一版里，下面是全文。")
        if not current:
            link("看它所在的那一版", source_address(meeting.document.id, revision))
    return None
