"""Pieces are verbatim, whoever finds them; a model adds to the grammar and never overrules it."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.table import Process
from service.process.case import Desk, Refused, Slot
from service.process.extraction import Piece, verbatim
from service.process.grammar import Context, Grammar
from service.process.model_extraction import added
from service.process.reply import Action
from service.process.values import worth
from service.process.vocabulary import Utterance
from tests.service.process.cases import BUYER, TODAY, acts, guide, process, processes

ASSET, TRAVEL, SEAL = process("ASSET"), process("TRAVEL"), process("SEAL")


def pieces(of: Process, message: str) -> dict[str, str]:
    found = Grammar(of, acts()).pieces(Utterance(message), Context(TODAY))
    return {piece.field: piece.text for piece in found}


def values(of: Process, message: str) -> dict[str, str]:
    grammar = Grammar(of, acts())
    read = {
        piece.field: worth(piece, field, grammar.vocabulary, acts(), TODAY)
        for piece in grammar.pieces(Utterance(message), Context(TODAY))
        if (field := of.field(piece.field)) is not None
    }
    return {field: str(slot.value) for field, slot in read.items() if isinstance(slot, Slot)}


@pytest.mark.parametrize(
    ("message", "field", "value"),
    [
        ("没那么急", "是否紧急", "否"),
        ("不算急", "是否紧急", "否"),
        ("挺急的", "是否紧急", "是"),
        ("把台式机换成服务器", "资产类别", "服务器"),
        ("不是服务器，是交换机", "资产类别", "网络设备"),
        ("不是八万，是８０００块", "预算金额", "8000"),
        ("信息部要申请服务器", "申请部门", "信息技术部"),
    ],
)
def test_words_mean_what_people_mean_by_them(message: str, field: str, value: str) -> None:
    assert values(ASSET, message)[field] == value


@pytest.mark.parametrize("message", ["急不急我也说不好", "要不要加急还没想好", "是否紧急我不清楚"])
def test_a_question_or_a_doubt_is_no_value(message: str) -> None:
    assert "是否紧急" not in values(ASSET, message)


def test_a_longer_word_hides_the_shorter_ones_in_it() -> None:
    assert pieces(SEAL, "要盖个合同章") == {"印章": "合同章"}


def test_the_name_of_a_thing_says_nothing_of_a_department() -> None:
    assert "申请部门" not in pieces(ASSET, "要买一套财务软件")


@pytest.mark.parametrize(
    ("message", "days"), [("昨天回来的", "1"), ("今天刚回来", "0"), ("回来5天了", "5"), ("返回15天", "15")]
)
def test_days_since_are_counted_where_the_field_is_named(message: str, days: str) -> None:
    assert values(TRAVEL, message)["返回天数"] == days


def test_the_length_of_a_journey_is_not_the_days_since_it() -> None:
    assert "返回天数" not in pieces(TRAVEL, "去北京出差3天，花了3200")


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=60), st.sampled_from(processes()))
def test_every_piece_stands_in_the_message(message: str, of: Process) -> None:
    grammar = Grammar(of, acts())
    for piece in grammar.pieces(Utterance(message), Context(TODAY, of.fields[0])):
        assert message[piece.start : piece.end] == piece.text
        field = of.field(piece.field)
        assert field is not None
        assert isinstance(worth(piece, field, grammar.vocabulary, acts(), TODAY), Slot | Refused)


@settings(deadline=None)
@given(st.text(max_size=40), st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8)), max_size=8))
def test_what_a_model_says_is_cut_down_to_the_message(message: str, said: list[tuple[str, str]]) -> None:
    for piece in verbatim(message, ASSET, said):
        assert piece.text in message and ASSET.field(piece.field) is not None


def test_a_model_never_overrules_the_grammar() -> None:
    message = "我想申请一台8万的服务器，比较急"
    speaking = guide()
    read = speaking.read(Desk(), message, BUYER)
    heard, grammar = read.heard, read.pieces
    wrong = verbatim(
        message,
        ASSET,
        [
            ("预算金额", "一台"),
            ("资产类别", "比较急"),
            ("是否紧急", "我想"),
            ("审批人", "服务器"),
            ("单价", "不存在"),
        ],
    )
    more = speaking.usable(ASSET, added(grammar, wrong))
    _, alone = speaking.advance(heard, grammar, BUYER)
    _, helped = speaking.advance(heard, (*grammar, *more), BUYER)
    assert alone.action is helped.action is Action.CARD
    assert alone.card is not None and helped.card is not None
    assert replace(helped.card, values=()) == replace(alone.card, values=())


def test_a_model_points_at_what_the_grammar_missed() -> None:
    message = "打印用的那种大家伙，6500，不急"
    assert added([], verbatim(message, ASSET, [("category", "大家伙")])) == (
        Piece("资产类别", "大家伙", 6, 9),
    )


@pytest.mark.parametrize("message", ["申请资产需要什么材料", "申请资产多久能办完", "你看着办", "为什么"])
def test_a_question_names_nothing_that_is_applied_for(message: str) -> None:
    asked = Context(TODAY, ASSET.field("申请部门"))
    assert Grammar(ASSET, acts()).pieces(Utterance(message), asked) == ()


@pytest.mark.parametrize("message", ["一打电脑", "两双", "5000打八折"])
def test_dozens_and_pairs_are_no_count_of_pieces(message: str) -> None:
    assert "数量" not in values(ASSET, message)


@pytest.mark.parametrize("message", ["估计我们需要三台", "大概要三台", "负三台", "-3台"])
def test_a_count_that_is_not_exact_stays_so_when_it_is_cut_out(message: str) -> None:
    assert "数量" in pieces(ASSET, message) and "数量" not in values(ASSET, message)


@pytest.mark.parametrize(
    "message", ["要加急吗", "是不是", "有什么区别", "会怎么样", "得多久", "需要吗？", "是谁批", "不急吗"]
)
def test_a_question_is_no_answer_to_yes_or_no(message: str) -> None:
    asked = Context(TODAY, ASSET.field("是否紧急"))
    found = Grammar(ASSET, acts()).pieces(Utterance(message), asked)
    assert "是否紧急" not in {piece.field for piece in found}


@pytest.mark.parametrize("message", ["领导说5000", "要求如此", "用途是办公"])
def test_a_verb_within_another_word_has_no_object(message: str) -> None:
    assert "资产类别" not in pieces(ASSET, message)
