"""A piece is read again alone: what is no exact sum in the message must be none as a piece either."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.mentions.amounts import Op, read_amount, read_amounts
from service.process.case import Refused, Slot
from service.process.extraction import Piece
from service.process.grammar import Context, Grammar
from service.process.sums import sums_said
from service.process.values import worth
from service.process.vocabulary import Utterance, Vocabulary
from service.questions import MAX_QUESTION
from tests.service.process.cases import TODAY, acts, process

ASSET = process("ASSET")
BUDGET = next(field for field in ASSET.fields if field.name == "预算金额")
WORDS = Vocabulary(ASSET)
MOST_SECONDS = 3.0  # for all of a message; a turn of a usual one takes a few milliseconds


def pieces(message: str) -> list[str]:
    return [message[said.start : said.end] for said in sums_said(message, [])]


def read(text: str) -> Slot | Refused:
    return worth(Piece(BUDGET.name, text, 0, len(text)), BUDGET, WORDS, acts(), TODAY)


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("设备3000安装2000", ["3000", "2000"]),
        ("2026年预算2000", ["2000"]),
        ("走300公里2000", ["2000"]),
        ("1200台电脑预算3000", ["3000"]),
        ("工号20250012预算5000", ["5000"]),
        ("内线8012预算5000", ["5000"]),
        ("型号R750服务器预算8000", ["8000"]),
        ("设备3000安装2万", ["2万"]),
    ],
)
def test_a_plain_number_before_a_word_is_a_sum_only_beside_another(message: str, found: list[str]) -> None:
    assert pieces(message) == found


@pytest.mark.parametrize(
    ("message", "piece"),
    [
        ("预算大概可能5万吧，不急", "预算大概可能5万"),
        ("服务器，大概我们要花5万", "大概我们要花5万"),
        ("至少我们部门要批8万", "至少我们部门要批8万"),
        ("大概吧，8万", "大概吧，8万"),
        ("服务器5000+3000", "5000+3000"),
        ("五千加三千", "五千加三千"),
        ("8万+2万", "8万+2万"),
        ("8万加上2万", "8万加上2万"),
        ("5000元减去2000元", "5000元减去2000元"),
        ("5000元打八折", "5000元打八折"),
        ("5万的两倍", "5万的两倍"),
        ("5万上浮一点", "5万上浮"),
        ("8000或者1万", "8000或者1万"),
        ("要么5000要么6000", "5000要么6000"),
    ],
)
def test_what_makes_no_exact_sum_of_it_is_in_the_piece(message: str, piece: str) -> None:
    assert pieces(message) == [piece]
    assert isinstance(read(piece), Refused)


@pytest.mark.parametrize(
    ("message", "found"),
    [
        ("预算8万，服务器", ["8万"]),
        ("单价8千，总价2万4", ["8千", "2万4"]),
        ("加8000元", ["8000元"]),
        ("预算8万加急", ["8万"]),
        ("预算3万，打印机一台", ["3万"]),
        ("估计能用五年，预算8万", ["8万"]),
    ],
)
def test_an_exact_sum_is_a_piece_of_its_own(message: str, found: list[str]) -> None:
    assert pieces(message) == found
    assert all(isinstance(read(piece), Slot) for piece in found)


@given(
    st.sampled_from(["", "服务器，", "不急。", "我们"]),
    st.sampled_from(["大概", "大约", "估计", "可能", "差不多", "至少", "最多", "不超过", "也许"]),
    st.sampled_from(["", "要", "可能", "我们要花", "部门能批", "是", "得花个"]),
    st.sampled_from(["5万", "五千", "八万五", "8000元", "12,000", "3w"]),
    st.sampled_from(["", "吧", "，不急", "左右", "的服务器"]),
)
def test_a_hedged_sum_is_never_taken_for_an_exact_one(
    before: str, hedge: str, link: str, amount: str, behind: str
) -> None:
    message = f"{before}{hedge}{link}{amount}{behind}"
    hedged = [each for each in read_amounts(message, bare=True) if each.op is not Op.EXACT]
    if hedged:
        (piece,) = pieces(message)
        alone = read_amount(piece)
        assert alone is None or alone.op is not Op.EXACT
        assert isinstance(read(piece), Refused)


@pytest.mark.parametrize(
    "unit", ["大概我5万", "5万，", "5+", "加5万", "三台", "估计我三台", "可能急", "5万5万"]
)
def test_the_longest_message_is_read_in_no_time(unit: str) -> None:
    grammar, message = Grammar(ASSET, acts()), (unit * MAX_QUESTION)[:MAX_QUESTION]
    started = time.perf_counter()
    for piece in grammar.pieces(Utterance(message), Context(TODAY)):
        field = ASSET.field(piece.field)
        assert field is not None
        worth(piece, field, WORDS, acts(), TODAY)
    assert time.perf_counter() - started < MOST_SECONDS
