"""The process path over a record that two services share: no turn is lost, none is decided twice."""

from collections.abc import Sequence
from datetime import date
from itertools import count
from typing import cast

import pytest
from pydantic import JsonValue

from ingestion.errors import IndexUnavailable
from rules.table import Process
from service.access import LOCAL, Principal
from service.config import ASSETS
from service.intent.cues import load_cues
from service.process.clauses import Clauses
from service.process.path import ProcessPath
from service.process.standing import Message, Standing
from service.process.status.desk import StatusDesk
from service.process.status.people import People
from service.process.status.telling import Teller
from service.process.status.workdays import WorkDays
from service.retrieval.retriever import Retriever
from service.store.cases import CaseStore
from service.store.conversations import ConversationStore
from service.telemetry import Telemetry
from service.turn.routing import Mode, Path, Router
from tests.service.process.cases import acts, analyzer, processes
from tests.service.process.kept import Kept

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Published:
    def on(self, day: date) -> Sequence[Process]:
        return processes()

    def forms(self, process_id: str) -> frozenset[str]:
        return frozenset({"公章使用登记表.docx"})

    def version(self, process_id: str, digest: str) -> Process | None:
        return None


class NoIndex:
    def retrieve(self, *_args: object, **_options: object) -> None:
        raise IndexUnavailable("没有索引")


def replica(kept: Kept) -> ProcessPath:
    """One service of several on the same record."""
    ids = count(1)
    return ProcessPath(
        Published(),
        CaseStore(kept.database),
        kept.decisions,
        StatusDesk(None, People(None, {}), Teller(WorkDays(), "管理员")),
        Clauses(cast(Retriever, NoIndex()), lambda: 0),
        acts(),
        analyzer(),
        None,
        Telemetry(),
        lambda: f"case-{next(ids)}",
    )


class Told:
    def __init__(self) -> None:
        self.events: dict[str, dict[str, JsonValue]] = {}

    async def emit(self, name: str, data: dict[str, JsonValue]) -> None:
        self.events[name] = data


def message(kept: Kept, text: str, conversation: str = "") -> Message:
    known = conversation or ConversationStore(kept.database).open(LOCAL, None, text).id
    return Message(text, known)


async def test_a_turn_taken_elsewhere_meanwhile_loses_no_value(kept: Kept) -> None:
    here, there = replica(kept), replica(kept)
    first = message(kept, "我要盖公章")
    await here.answer(LOCAL, first, Told().emit)
    later = message(kept, "不带出去", first.conversation_id)
    before = here.before(LOCAL, later)
    await there.answer(LOCAL, message(kept, "在职证明", first.conversation_id), Told().emit)
    told = Told()
    await here.answer(LOCAL, later, told.emit, before)
    values = cast(list[dict[str, str]], told.events["meta"]["values"])
    assert {value["code"]: value["value"] for value in values} == {
        "seal": "公章",
        "file_kind": "证明",
        "take_out": "否",
    }
    turns = CaseStore(kept.database).turns(first.conversation_id)
    assert [turn.message for turn in turns] == ["我要盖公章", "在职证明", "不带出去"]


async def test_only_the_turn_that_is_kept_is_recorded_as_decided(kept: Kept) -> None:
    here, there = replica(kept), replica(kept)
    first = message(kept, "我要盖公章，在职证明，不带出去")
    await here.answer(LOCAL, first, Told().emit)
    last = message(kept, "信息技术部", first.conversation_id)
    before = here.before(LOCAL, last)
    await there.answer(LOCAL, message(kept, "谢谢", first.conversation_id), Told().emit)
    await here.answer(LOCAL, last, Told().emit, before)
    decisions, total = kept.decisions.page(LOCAL, "SEAL")
    assert (total, [each.action for each in decisions]) == (1, ["card"])


async def test_how_a_conversation_stands_is_what_lies_open_and_what_is_said(kept: Kept) -> None:
    path = replica(kept)
    first = message(kept, "我要盖公章")
    assert path.before(LOCAL, first).standing is Standing.IDLE
    await path.answer(LOCAL, first, Told().emit)
    answer = message(kept, "在职证明", first.conversation_id)
    assert path.before(LOCAL, answer).standing is Standing.ANSWERED
    question = message(kept, "出差住宿费的标准和审批权限分别是多少？", first.conversation_id)
    assert path.before(LOCAL, question).standing is Standing.OPEN


async def test_a_caller_with_its_own_history_has_the_case_played_again(kept: Kept) -> None:
    told = Told()
    said = Message("不带出去", earlier=("我要盖公章", "在职证明"))
    await replica(kept).answer(LOCAL, said, told.emit)
    assert told.events["meta"]["asked"] == "department"


class NoMeetings:
    """An archive in which nobody speaks."""

    def about_someone(self, principal: Principal, message: str) -> bool:
        return False


async def test_an_earlier_question_begins_no_case_for_a_caller_with_its_own_history(kept: Kept) -> None:
    cues = load_cues(ASSETS / "data" / "terms" / "intent.csv")
    router = Router(cues, replica(kept), NoMeetings(), None, None)
    asked = Message("好的", earlier=("公章是谁在管？",))
    assert (await router.route(LOCAL, asked, Mode.AUTO)).path is not Path.PROCESS
    answered = Message("不急", earlier=("申请一台9万的服务器", "公章是谁在管？"))
    routed = await router.route(LOCAL, answered, Mode.AUTO)
    assert routed.path is Path.PROCESS and routed.before is not None
    case = routed.before.desk.case
    assert case is not None and case.process_id == "ASSET"
