"""Cuts a condition on numbers or days into tokens: the words of the grammar that `comparisons` reads."""

import re
from collections.abc import Iterable, Iterator
from datetime import date

from rules import numbers
from rules.cells.tokens import After, Amount, Before, Bound, Mark, Measure, Open, Side, Token, Vague
from rules.conditions import Ordered
from rules.faults import bad_cell

_BEFORE: dict[str, Bound] = {
    **dict.fromkeys(
        (
            "大于或等于",
            "大于等于",
            ">=",
            "=>",
            "≥",
            "≧",
            "⩾",
            "不小于",
            "不低于",
            "不少于",
            "不早于",
            "至少",
            "最少",
        )
        + ("最低", "起码", "达到", "达", "已满", "满", "自", "从"),
        Bound(Side.ABOVE, True),
    ),
    **dict.fromkeys(("大于", ">", "超过", "高于", "多于", "超出", "晚于"), Bound(Side.ABOVE, False)),
    **dict.fromkeys(
        (
            "小于或等于",
            "小于等于",
            "<=",
            "=<",
            "≤",
            "≦",
            "⩽",
            "不大于",
            "不高于",
            "不超过",
            "不多于",
            "不超出",
        )
        + ("不晚于", "至多", "最多", "最高"),
        Bound(Side.BELOW, True),
    ),
    **dict.fromkeys(
        ("小于", "<", "低于", "少于", "早于", "不满", "不足", "未满", "未达到", "未达", "不到"),
        Bound(Side.BELOW, False),
    ),
    **dict.fromkeys(("等于", "==", "="), Bound(Side.EQUAL, True)),
    **dict.fromkeys(("不等于", "≠", "!=", "<>"), Bound(Side.OTHER, True)),
}
_AFTER: dict[str, Bound] = {
    # Civil Code of the PRC, art. 1259: 以上, 以下 and 以内 include the number, 以外 does not.
    **dict.fromkeys(("及以上", "及其以上", "以上", "之上", "起"), Bound(Side.ABOVE, True)),
    **dict.fromkeys(("以外", "之外"), Bound(Side.ABOVE, False)),
    **dict.fromkeys(
        ("及以下", "及其以下", "以下", "之下", "及以内", "以内", "之内", "内", "止"), Bound(Side.BELOW, True)
    ),
}
_VAGUE = {"以后": Side.ABOVE, "之后": Side.ABOVE, "后": Side.ABOVE}
_VAGUE |= {"以前": Side.BELOW, "之前": Side.BELOW, "前": Side.BELOW}
_MARKS = {
    **dict.fromkeys(("~", "-", "–", "—", "──", "——", "−", "至", "到", ".."), Mark.TO),
    **dict.fromkeys(("且", "并且", "而且", "同时", "并", "但", "又", "&&", "&"), Mark.AND),
    **dict.fromkeys(("或", "或者", "||", "|"), Mark.OR),
    **dict.fromkeys(("、", ",", ";"), Mark.LIST),
    **{mark.value: mark for mark in (Mark.LEFT_CLOSED, Mark.LEFT_OPEN, Mark.RIGHT_CLOSED, Mark.RIGHT_OPEN)},
    **dict.fromkeys(("+∞", "-∞", "∞", "正无穷", "负无穷", "无穷大", "无穷"), Mark.ENDLESS),
}


def _any_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_SAME = rf"(?:本数|本级|当天|当日|{numbers.DAY}|{numbers.NUMBER})?"
_GRAMMAR = re.compile(
    rf"(?P<open>(?:\((?:不)?(?:包含|包括|含){_SAME}\)|(?:不)?(?:包含|包括|含)(?:本数|当天|当日)?))"
    rf"|(?P<day>{numbers.DAY})"
    rf"|(?P<endless>{_any_of(word for word, mark in _MARKS.items() if mark is Mark.ENDLESS)})"
    rf"|(?P<before>{_any_of(_BEFORE)})"
    rf"|(?P<after>{_any_of(_AFTER)})"
    rf"|(?P<vague>{_any_of(_VAGUE)})"
    rf"|(?P<number>{numbers.NUMBER})"
    rf"|(?P<mark>{_any_of(_MARKS)})"
)


def tokens(text: str, measure: Measure) -> Iterator[Token]:
    """`text` after NFKC and without spaces. Raises CellFault at what the grammar does not know."""
    place = 0
    before: Token | None = None
    while place < len(text):
        found = _match(text, place, before)
        if found is None or not found.group():
            rest = text[place : place + 12]
            raise bad_cell(text, f"「{rest}」不是数字，也不是以上、以下、不满、超过这类词", _how(measure))
        before = _token(found, text, measure)
        yield before
        place = found.end() + _unit_after(before, text[found.end() :], measure)


def _unit_after(token: Token, rest: str, measure: Measure) -> int:
    """The length of a unit that stands behind the brackets: 2万(含)~5万(不含)元."""
    if not isinstance(token, Open) and token not in (Mark.RIGHT_CLOSED, Mark.RIGHT_OPEN):
        return 0
    return max((len(unit) for unit in measure.counters if rest.startswith(unit)), default=0)


def _match(text: str, place: int, before: Token | None) -> re.Match[str] | None:
    """A dash after a number joins two numbers; elsewhere it makes the number negative."""
    if isinstance(before, Amount | Open | After) and text[place] in "+-":
        return re.compile(r"(?P<mark>-)").match(text, place)
    return _GRAMMAR.match(text, place)


def _token(found: re.Match[str], text: str, measure: Measure) -> Token:
    word = found.group()
    kind = found.lastgroup
    if kind == "open":
        return Open("不" not in word, _named(word, text, measure))
    if kind == "before":
        return Before(_BEFORE[word])
    if kind == "after":
        return After(_AFTER[word])
    if kind == "vague":
        return Vague(_VAGUE[word], word)
    if kind in ("mark", "endless"):
        return _MARKS[word]
    return _day(word, text, measure) if kind == "day" else _number(word, text, measure)


def _named(word: str, text: str, measure: Measure) -> Ordered | None:
    """The number in 不含5万, None in 不含本数."""
    number = re.search(rf"(?P<day>{numbers.DAY})|(?P<number>{numbers.NUMBER})", word)
    if number is None:
        return None
    read = _day if number["day"] else _number
    return read(number.group(), text, measure).value


def _day(word: str, text: str, measure: Measure) -> Amount:
    day: date | None = numbers.read_day(word)
    if day is None:
        raise bad_cell(text, f"没有「{word}」这一天", "请检查年月日。")
    if not measure.days:
        raise bad_cell(text, f"这一列是数字，「{word}」却是日期", _how(measure))
    return Amount(day, word)


def _number(word: str, text: str, measure: Measure) -> Amount:
    if measure.days:
        kept = numbers.day_of_serial(word)
        mend = f"如果是 {kept}，请写成这样，或者把这一格的格式设成日期。" if kept else _how(measure)
        raise bad_cell(text, f"这一列是日期，「{word}」却不是", mend)
    value = numbers.read_number(word, measure.scale)
    if value is None:
        raise bad_cell(
            text, f"「{word}」不是确定的数", "请改用阿拉伯数字，例如 12000 或 1.2万；几个数之间用顿号隔开。"
        )
    scaled = numbers.has_scale(word)
    if scaled and measure.scale != 1:
        bare = numbers.written(value / measure.scale)
        raise bad_cell(
            text,
            f"列名已写明单位「{measure.unit}」，格里又写了「{word}」",
            f"单位只写一处：请把「{word}」写成「{bare}」，或者去掉列名里的单位。",
        )
    counter = numbers.counter_of(word)
    if counter and counter not in measure.counters:
        raise bad_cell(text, f"「{counter}」不是这一列的单位", f"请去掉「{counter}」，或改写成这一列的单位。")
    if measure.whole and value != value.to_integral_value():
        raise bad_cell(text, f"这一列是整数，「{word}」却有小数", "请写整数。")
    return Amount(value, word, scaled)


def _how(measure: Measure) -> str:
    if measure.days:
        return "请写日期或日期范围，例如 2025-01-01~2025-12-31；不限就写「任意」。"
    if measure.whole:
        return "请写整数条件，例如 ≤30、31~90、5以上；不限就写「任意」。"
    return "请写金额或数量条件，例如 不满5000、2万(含)~5万(不含)、20万以上且不满100万；不限就写「任意」。"
