"""What a message does and of which process: cancelled, taken up, named; before any value is read."""

from dataclasses import replace

import pytest

from rules.wording import typed
from service.process.reply import Action
from tests.service.process.cases import guide, process, processes, talk


def test_a_word_of_a_case_that_was_put_aside_takes_that_case_up() -> None:
    *_, reply = talk("买服务器 8万", "盖个公章", "证明", "不急")
    assert reply.case is not None and reply.case.process_id == "ASSET"
    assert typed(reply.case.slots["预算金额"].value) == "80000"


@pytest.mark.parametrize("word", ["取消", "取消。", "撤回", "作废吧", "不办"])
def test_one_word_alone_ends_a_case(word: str) -> None:
    *_, reply = talk("买服务器 8万", word)
    assert reply.action is Action.CANCELLED and reply.case is None


@pytest.mark.parametrize("message", ["取消", "我不想申请资产"])
def test_cancelling_where_nothing_is_open_begins_nothing(message: str) -> None:
    (reply,) = talk(message)
    assert reply.action is Action.CANCELLED and reply.case is None


def test_a_name_within_a_longer_one_is_not_meant() -> None:
    change = replace(process("ASSET"), id="CHANGE", name="资产申请变更", aliases=(), digest="c")
    by = guide((*processes(), change))
    (reply,) = talk("办理资产申请变更", by=by)
    assert reply.case is not None and reply.case.process_id == "CHANGE"
    (reply,) = talk("办理资产申请", by=by)
    assert reply.case is not None and reply.case.process_id == "ASSET"
    (reply,) = talk("资产申请和资产申请变更都要办", by=by)
    assert set(reply.candidates) == {"ASSET", "CHANGE"}


@pytest.mark.parametrize("name", ["进度款支付", "翻译申请", "继续教育备案", "取消申请登记", "代理人签字备案"])
def test_a_cue_within_the_name_of_a_process_does_nothing(name: str) -> None:
    named = replace(process("ASSET"), id="NAMED", name=name, aliases=(), digest="n")
    by = guide((*processes(), named))
    (reply,) = talk(f"办理{name}", by=by)
    assert reply.action is Action.ASK and reply.case is not None and reply.case.process_id == "NAMED"
    _, reply = talk("买服务器 8万", f"先办{name}", by=by)
    assert reply.case is not None and reply.case.process_id == "NAMED"


def test_a_cue_beside_the_name_of_a_process_counts() -> None:
    named = replace(process("ASSET"), id="NAMED", name="进度款支付", aliases=(), digest="n")
    (reply,) = talk("我的进度款支付卡在哪了", by=guide((*processes(), named)))
    assert reply.action is Action.STATUS
