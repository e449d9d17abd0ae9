"""The archive of minutes: what was said is asked, records are brought in, and every meeting is listed."""

from service.bootstrap import Parts
from service.ui import pages
from service.ui.elements import words
from service.ui.frame import MINUTES, frame
from service.ui.minutes_addresses import MINUTES_PATH
from service.ui.minutes_asking import AskView
from service.ui.minutes_list import MeetingList
from service.ui.minutes_uploads import MinutesUploads
from service.ui.pages import Visit
from service.ui.sessions import Sessions


def register(parts: Parts, sessions: Sessions) -> None:
    pages.register(MINUTES_PATH, parts, sessions, _build)


async def _build(visit: Visit) -> None:
    with frame("会议纪要", room=MINUTES, principal=visit.principal, signed_in=visit.visitor.signs_in):
        words("p", "每份记录切成议题，一段不少；说过的话按原话查得到。", "page-lead")
        asking, meetings = AskView(visit), MeetingList(visit)

        async def taken() -> None:
            await asking.offer_persons()
            await meetings.restart()

        await asking.show()
        MinutesUploads(visit, taken).show()
        await meetings.show()
