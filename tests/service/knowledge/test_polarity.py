"""Sentences that permit what their source forbids, or forbid what it permits."""

import pytest

from ingestion.analyzer import fold
from service.knowledge.polarity import flipped


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("未经审批，保管人不得用印。", "未经审批，保管人可以用印"),
        ("未经审批，保管人不得用印。", "经过审批，保管人不得用印"),
        ("账号实行一人一号，不得转借。", "账号可以转借给同事"),
        ("员工可以申请一次。", "员工不可以申请"),
        ("电子印章与实物印章具有同等效力。", "电子印章不具有同等效力"),
        ("工作计划不周不属于紧急情况。", "工作计划不周属于紧急情况"),
        ("住宿费不得超过限额。", "住宿费可以超过限额"),
        ("未达到年限的，除损坏外，不得更换。", "未达到年限的，也可以更换"),
        ("前次借款未结清的，不得再次借款。", "前次借款未结清的，可以再次借款"),
    ],
)
def test_a_turned_sentence_is_noticed(source: str, answer: str) -> None:
    assert flipped(fold(answer), [fold(source)])


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("未经审批，保管人不得用印。", "没有审批，保管人不能用印"),
        ("未经审批，保管人不得用印。", "未经审批保管人不得用印"),
        ("未经审批，保管人不得用印。", "经审批后，保管人才可以用印"),
        ("严禁在空白合同上用印。", "不得在空白合同上用印"),
        ("领用资产不收取押金。", "领用资产无需押金"),
        ("工作计划不周不属于紧急情况。", "工作计划不周的，不算紧急情况"),
        ("住宿费不得超过限额。", "住宿费最多为限额"),
        ("逾期未还的，超过30日未还的暂停借用资格半年。", "超过30日未还的，暂停借用资格半年"),
        ("员工可以申请一次。", "员工可以申请"),
        ("员工可以申请一次。", "会议室今天没有人预订"),
    ],
)
def test_the_same_meaning_passes(source: str, answer: str) -> None:
    assert flipped(fold(answer), [fold(source)]) == ""
