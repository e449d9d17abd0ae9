"""Words put in the place of their counterparts, and what only looks like it."""

import pytest

from ingestion.analyzer import fold
from service.knowledge.opposites import opposed, unconditioned


@pytest.mark.parametrize(
    ("source", "answer", "objection"),
    [
        ("会议开始前3个工作日", "会议开始后3个工作日", "开始后"),
        ("3个工作日前提交", "3个工作日后提交", "作日后"),
        ("事前申请", "事后申请", "事后"),
        ("部门经理以上人员", "部门经理以下人员", "经理以下"),
        ("金额上限五百元", "金额下限五百元", "金额下限"),
        ("每月月初报送", "每月月底报送", "月底"),
        ("上旬发放", "下旬发放", "下旬"),
        ("标准上调一成", "标准降低一成", "降低"),
        ("税前扣除", "税后扣除", "税后"),
        ("员工应当提前申请", "员工可以提前申请", "可以提前"),
        ("员工可以提前申请", "员工必须提前申请", "必须提前"),
        ("每人最多五次", "每人最少五次", "最少"),
        ("费用由公司承担", "费用由员工承担", "员工承担"),
        ("员工自行承担", "公司承担", "公司承担"),
        ("运费由甲方支付", "运费由乙方支付", "乙方支付"),
        ("经理或分管领导批准", "经理和分管领导批准", "经理和分管"),
        ("经理和分管领导批准", "经理或者分管领导批准", "经理或者分管"),
    ],
)
def test_the_counterpart_of_a_word_is_objected_to(source: str, answer: str, objection: str) -> None:
    assert opposed(fold(answer), [fold(source)]) == objection


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("会议开始前3个工作日", "会议开始之前3个工作日"),
        ("出差前申请，出差后报销", "出差后报销"),
        ("员工应当承担个人部分，公司承担其余部分", "员工承担个人部分"),
        ("费用由个人承担", "费用由员工承担"),
        ("费用由用人单位承担", "费用由公司承担"),
        ("甲证或乙证可以使用", "甲证和乙证都可以使用"),
        ("经理或分管领导批准", "经理或者分管领导批准"),
        ("最多五次，最少一次", "最少一次"),
        ("标准上调一成", "标准提高一成"),
        ("每月月底报送", "每月月末报送"),
        ("员工应当提前申请", "员工必须提前申请"),
        ("应当书面申请，可以提前申请", "可提前申请"),
        ("员工应当提前三天申请", "员工需要提前申请"),
    ],
)
def test_what_the_source_says_in_other_words_is_not(source: str, answer: str) -> None:
    assert opposed(fold(answer), [fold(source)]) == ""


@pytest.mark.parametrize(
    ("source", "answer", "left_out"),
    [
        ("工作满1年后可休年假", "入职后可休年假", "满1年"),
        ("工作满1年后可休年假", "工作满一年以后可休年假", ""),
        ("工作满1年后可休年假，转正后可休事假", "转正后可休事假", ""),
        ("收到通知后可休年假", "入职后可休年假", ""),
    ],
)
def test_the_number_of_a_condition_may_not_be_left_out(source: str, answer: str, left_out: str) -> None:
    assert unconditioned(fold(answer), [fold(source)]) == left_out
