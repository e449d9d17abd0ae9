"""Which value a question asks for, and which sentence holds one."""

import pytest

from ingestion.analyzer import fold
from service.knowledge.answer_type import AnswerType, Expected


@pytest.mark.parametrize(
    ("question", "kind", "holding", "lacking"),
    [
        ("一台多少钱？", AnswerType.MONEY, "单价上限为6,500元。", "最低使用年限为五年。"),
        ("每个月房租多少？", AnswerType.MONEY, "免费提供住宿。", "每月核对一次。"),
        ("最多能借几天？", AnswerType.DURATION, "不超过十五日。", "由部门经理批准。"),
        ("早上几点发车？", AnswerType.CLOCK, "首班车7:50发车。", "乘车须系好安全带。"),
        ("从哪天开始执行？", AnswerType.TIME, "自2025年7月1日起施行。", "由财务部解释。"),
        ("残值率是多少？", AnswerType.RATE, "残值率为5%。", "使用年限为五年。"),
        ("李雯的手机号是多少？", AnswerType.CONTACT, "手机13900000000", "内线8012，邮箱a@b.example"),
        ("李雯的邮箱是多少？", AnswerType.CONTACT, "邮箱a@b.example", "内线8012"),
        ("报修打哪个电话？", AnswerType.CONTACT, "内线8100", "负责企业邮箱。"),
        ("评审小组要几个人？", AnswerType.COUNT, "评审小组由五名成员组成。", "评审小组负责打分。"),
        ("归哪个部门管？", AnswerType.OFFICE, "由行政部负责。", "应当妥善使用。"),
        ("最多能带多少？", AnswerType.NUMBER, "不超过20。", "不得携带。"),
    ],
)
def test_a_value_of_the_expected_kind_is_found_in_a_sentence(
    question: str, kind: AnswerType, holding: str, lacking: str
) -> None:
    expected = Expected(fold(question))
    assert expected.kind is kind
    assert expected.in_sentence(fold(holding))
    assert not expected.in_sentence(fold(lacking))


@pytest.mark.parametrize("question", ["什么是低值易耗品？", "几内亚的首都叫什么？", "谁负责盖章？", "", "？"])
def test_a_question_for_no_recognisable_kind_expects_nothing(question: str) -> None:
    expected = Expected(fold(question))
    assert expected.kind is None
    assert not expected.in_sentence("2023年5月1日，6,500元")


def test_a_number_under_a_header_that_names_money_is_a_sum() -> None:
    expected = Expected("住宿费限额是多少?")
    assert expected.in_cell("住宿费限额", "1,500") and expected.in_cell("上限", "450", "元")
    assert not expected.in_cell("人数", "1,500") and not expected.in_cell("住宿费限额", "据实报销")
