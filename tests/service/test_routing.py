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


async def path(text: str, mode: Mode = Mode.AUTO, cases: Cases | None = None) -> Path:
    return (await Router(CUES, cases or Cases(), None, None).route(LOCAL, Message(text), mode)).path


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


async def test_without_processes_every_message_is_a_question() -> None:
    assert await path("我想申请一台服务器", cases=Cases(published=())) is Path.KNOWLEDGE
