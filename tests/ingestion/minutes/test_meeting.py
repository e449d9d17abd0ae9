"""A file for the archive: what is no record of a meeting is refused before any model has seen it."""

import json
from pathlib import Path

import pytest

from ingestion.documents import FailureReason
from ingestion.errors import ParseFailure
from ingestion.minutes.meeting import Newsroom, take_down
from ingestion.minutes.orchestrator import Equipment, Model
from ingestion.minutes.outcomes import load_outcomes
from ingestion.minutes.settings import MinutesSettings
from tests.conftest import REPOSITORY
from tests.ingestion.minutes.stand_ins import EveryNth, FirstWords, ScriptedChat, in_turn

MODEL_DATA: Path = REPOSITORY / "data" / "minutes_model"


def newsroom(chat: ScriptedChat) -> Newsroom:
    equipment = Equipment(EveryNth(5), FirstWords(), len, MinutesSettings(), Model("模型甲", chat))
    return Newsroom(equipment, load_outcomes(MODEL_DATA))


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("package.json", json.dumps({"name": "demo", "version": "1.0"}), FailureReason.WRONG_TYPE),
        ("断.json", '{"speaker": "张总", "text": "开', FailureReason.WRONG_TYPE),
        ("深.json", "[" * 60 + "]" * 60, FailureReason.WRONG_TYPE),
        ("数.json", "3", FailureReason.EMPTY),
        ("空.json", "null", FailureReason.EMPTY),
        ("空.txt", "\n \u200b\n", FailureReason.EMPTY),
        ("人员.csv", "姓名,称呼\n张三,张总\n", FailureReason.UNSUPPORTED),
    ],
)
def test_what_is_no_record_of_a_meeting_is_not_shown_to_the_model(
    name: str, text: str, reason: FailureReason
) -> None:
    chat = ScriptedChat(in_turn())
    with pytest.raises(ParseFailure) as refused:
        take_down(name, text.encode(), newsroom(chat))
    assert refused.value.reason is reason and chat.calls == []


def test_a_record_is_read_by_the_model() -> None:
    chat = ScriptedChat(in_turn())  # has no answer to anything
    with pytest.raises(IndexError):
        take_down("例会.txt", "张总：开始。\n李四：好。\n".encode(), newsroom(chat))
    assert chat.calls
