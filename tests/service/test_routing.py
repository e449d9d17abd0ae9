"""Where a message goes: by the mode, the cue words, what is open, a model, and in the end the user."""

from collections.abc import Sequence

import pytest

from rules.table import Process
from service.access import LOCAL, Principal
from service.config import ASSETS
from service.intent.cues import load_cues
from service.process.case import Desk
from service.process.standing import Before, CameHere, Message
from service.turn.routing import Mode, Path, Router
from tests.service.process.cases import BUYER, guide, processes, said_until

pytestmark = pytest.mark.anyio
CUES = load_cues(ASSETS / "data" / "terms" / "intent.csv")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Cases:
    """What lies open after some messages."""

    def __init__(self, *said: str, published: Sequence[Process] | None = None) -> None:
        self._desk = said_until(*said) if said else Desk()
        self._published = processes() if published is None else published

    def published(self) -> Sequence[Process]:
        return self._published

    def before(self, principal: Principal, message: Message, came_here: CameHere) -> Before:
        return Before(message.text, self._desk, 0, guide(), BUYER)


class Archive:
    """Meetings in which 张总 speaks."""

    def about_someone(self, principal: Principal, message: str) -> bool:
        return "张总" in message


async def path(text: str, mode: Mode = Mode.AUTO, cases: Cases | None = None) -> Path:
    router = Router(CUES, cases or Cases(), Archive(), None, None)
    return (await router.route(LOCAL, Message(text), mode)).path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我想申请一台8万的服务器，比较急", Path.PROCESS),
        ("出差住宿费的标准是多少？", Path.KNOWLEDGE),
        ("公章是谁在管？", Path.KNOWLEDGE),
        ("我的申请现在卡在哪了", Path.PROCESS),
        ("你好", Path.COURTESY),
        ("公司的股票期权怎么行权？", Path.KNOWLEDGE),
    ],
)
async def test_clear_words_decide(text: str, expected: Path) -> None:
    assert await path(text) is expected


async def test_an_answer_belongs_to_an_open_case_and_a_real_question_does_not() -> None:
    open_case = Cases("申请一台9万的服务器")
    assert await path("不急", cases=open_case) is Path.PROCESS
    assert await path("公章是谁在管？", cases=open_case) is Path.KNOWLEDGE
    assert await path("嗯嗯", cases=open_case) is Path.PROCESS


async def test_the_mode_of_the_caller_wins() -> None:
    assert await path("出差住宿费的标准是多少？", Mode.PROCESS) is Path.PROCESS
    assert await path("我想申请一台服务器", Mode.KNOWLEDGE) is Path.KNOWLEDGE


async def test_who_asks_what_somebody_said_is_sent_to_the_minutes() -> None:
    assert await path("会上对班车是怎么说的") is Path.MINUTES
    assert await path("张总，停车费能报销吗") is Path.MINUTES
    assert await path("停车费能报销吗") is Path.KNOWLEDGE
    assert await path("张总对自研的看法有变化吗", cases=Cases(published=())) is Path.MINUTES
    assert await path("停车费能报销吗", Mode.MINUTES) is Path.MINUTES


async def test_an_errand_and_an_answer_to_an_open_question_are_no_questions_to_the_minutes() -> None:
    assert await path("我想申请一台8万的服务器，张总同意了") is Path.PROCESS
    assert await path("金额改成3万，张总说的", cases=Cases("申请一台9万的服务器")) is Path.PROCESS


async def test_without_processes_every_message_is_a_question() -> None:
    assert await path("我想申请一台服务器", cases=Cases(published=())) is Path.KNOWLEDGE
