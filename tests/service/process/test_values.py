"""What an answer to a question is worth: plain digits, a doubt, a question back."""

import pytest

from rules.table import NO
from rules.wording import typed
from service.process.reply import Action
from tests.service.process.cases import talk


@pytest.mark.parametrize("message", ["2026", "1999", "10086"])
def test_plain_digits_are_an_answer_to_a_question_for_a_sum(message: str) -> None:
    _, reply = talk("申请一台服务器，不急", message)
    assert reply.case is not None and typed(reply.case.slots["预算金额"].value) == message


@pytest.mark.parametrize("message", ["5", "1e9", "123456789", "1.2.3"])
def test_a_number_that_cannot_be_used_is_asked_for_again_and_is_not_off_topic(message: str) -> None:
    _, reply = talk("申请一台服务器，不急", message)
    assert reply.action is Action.ASK and reply.asked is not None and reply.asked.name == "预算金额"


@pytest.mark.parametrize("message", ["可能急", "说不定不急", "也许急吧", "不是不急", "不能说不急"])
def test_a_yes_that_may_be_is_asked_back(message: str) -> None:
    _, reply = talk("买服务器 8万", message)
    assert reply.action is Action.ASK and reply.case is not None and "是否紧急" not in reply.case.slots


def test_impossible_is_no_and_no_doubt() -> None:
    _, reply = talk("买服务器 8万", "不可能急")
    assert reply.case is not None and reply.case.values["是否紧急"] == NO


@pytest.mark.parametrize("message", ["这算紧急吗", "算急么", "能加急吗"])
def test_a_question_whether_it_is_so_is_no_yes(message: str) -> None:
    _, reply = talk("买服务器 8万", message)
    assert reply.case is None or "是否紧急" not in reply.case.slots


@pytest.mark.parametrize(
    "message", ["预算增加5000", "再加5000元", "预算减少了5000", "少花2万", "追加预算3万"]
)
def test_by_so_much_is_not_to_so_much(message: str) -> None:
    _, reply = talk("申请一台8万的服务器，不急", message)
    assert reply.action is Action.ASK and reply.case is not None
    assert typed(reply.case.slots["预算金额"].value) == "80000"


@pytest.mark.parametrize(
    ("message", "value"), [("预算增加到9万", "90000"), ("预算降到3万", "30000")]
)
def test_to_so_much_is_a_new_sum(message: str, value: str) -> None:
    _, reply = talk("申请一台8万的服务器，不急", message)
    assert reply.case is not None and typed(reply.case.slots["预算金额"].value) == value


def test_a_sum_that_is_added_is_the_sum_where_none_was_said() -> None:
    (reply,) = talk("申请服务器，追加预算3万，不急")
    assert reply.case is not None and typed(reply.case.slots["预算金额"].value) == "30000"
