"""Every way to write a number keeps its value with every word that makes it a bound or an estimate."""

from decimal import Decimal
from itertools import product

import pytest

from rules.mentions.amounts import read_amount, read_amounts

NUMBERS = {
    "八万五": 85000,
    "8.5万": 85000,
    "10w": 100000,
    "3k": 3000,
    "一百二": 120,
    "1,200": 1200,
    "８００００": 80000,
    "捌万伍仟": 85000,
    "12万5": 125000,
    "万八": 18000,
    "半万": 5000,
    "5个w": 50000,
    "八万零五": 80005,
}
UNITS = ["", "元", "块钱", "人民币", " 元"]
IN_FRONT = {
    "~": "约 大约 大概要 差不多 将近 接近 近 估计 恐怕 怕是 没准 说不定 兴许",
    "<": "不到 不足 低于 少于 ＜",
    ">": "超过 高于 大于 ＞ 多于",
    "<=": "不超过 最多 至多 不高于 ≤ 最多花",
    ">=": "至少 不低于 不少于 ≥ 起码 最少要",
}
BEHIND = {
    "~": "左右 上下 前后 的样子 左右吧 吧大概 应该差不多 可能不够 怕还不够",
    ">=": "以上 及以上 （含）以上 起 往上",
    "<=": "以下 以内 之内 （含）以下 封顶",
    ">": "以外 出头 开外 （不含）以上",
    "<": "不到 （不含）以下",
    "=": "吧 啊 。",
}


def forms() -> list[tuple[str, int]]:
    return [(number + unit, value) for (number, value), unit in product(NUMBERS.items(), UNITS)]


@pytest.mark.parametrize(("op", "words"), IN_FRONT.items())
def test_a_word_in_front_makes_its_op_of_every_number(op: str, words: str) -> None:
    for word, (form, value) in product(words.split(), forms()):
        amount = read_amount(word + form)
        assert amount is not None, word + form
        assert (amount.op.value, amount.value) == (op, Decimal(value)), word + form


@pytest.mark.parametrize(("op", "words"), BEHIND.items())
def test_a_word_behind_makes_its_op_of_every_number(op: str, words: str) -> None:
    for word, (form, value) in product(words.split(), forms()):
        amount = read_amount(form + word)
        assert amount is not None, form + word
        assert (amount.op.value, amount.value) == (op, Decimal(value)), form + word


@pytest.mark.parametrize(
    "sentence",
    [
        "预算{}，不急",
        "我要申请{}的服务器",
        "花了{}",
        "想买台电脑，{}",
        "金额改成{}",
        "{}，加急，行政部",
        "就{}吧",
        "不是{}",
    ],
)
def test_a_plain_number_in_a_sentence_is_exact(sentence: str) -> None:
    for form, value in forms():
        (amount,) = read_amounts(sentence.format(form), bare=True)
        assert (amount.op.value, amount.value, amount.text) == ("=", Decimal(value), form)


@pytest.mark.parametrize("word", ["大概", "可能", "最多", "至少", "估计", "不超过"])
def test_a_hedge_further_off_in_the_clause_is_asked_about(word: str) -> None:
    (amount,) = read_amounts(f"{word}我们部门今年能批8万")
    assert amount.op.value != "="


@pytest.mark.parametrize(
    "sentence", ["大概下周要用，8万", "可能不急，8万", "没超标，8万", "签约8万", "最近8万"]
)
def test_a_hedge_of_another_clause_or_word_changes_nothing(sentence: str) -> None:
    (amount,) = read_amounts(sentence)
    assert amount.op.value == "="
