"""Facts 事实 of a text: every number, date, time, code and bound that an answer must not change.

Stricter than `ingestion.literals`, which serves matching: a single Chinese numeral with any measure word
counts, and a bound (以上, 不满) is part of its number. So do a day of the week, a part of the day and the
period of 每月 or 按年. Works on folded text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from ingestion.literals import Literal, LiteralKind, find_literals, parse_number


class Bound(StrEnum):
    """Which side of a number is meant. 以上 includes the number, 不满 does not."""

    NONE = ""
    AT_LEAST = ">="
    ABOVE = ">"
    AT_MOST = "<="
    BELOW = "<"


@dataclass(frozen=True, slots=True)
class Fact:
    """`text[start:end]` with its bound. `forms`: equal or coarser readings (2025年7月1日 is also 7月1日).

    `per` is the period it is told for: 每日 of 「每天100元」 and of 「100元/天」; empty when none is beside.
    """

    value: str
    unit: str
    bound: Bound
    start: int
    end: int
    forms: tuple[str, ...] = ()
    written: str = ""  # as it stands in the text, bound included
    per: str = ""

    def says(self, other: "Fact") -> bool:
        """Whether a source that holds this fact supports `other`: 600 under a header in 元 supports 600元.

        A bound that the source states may not be left out: 「三天」 is not what 「超过三天」 says.
        """
        if self.bound is not Bound.NONE and self.bound is not other.bound:
            return False
        if self.per and other.per and self.per != other.per:
            return False
        if other.value in self.forms or other.value in self._parts_of_day():
            return True
        return self.value == other.value and (not self.unit or not other.unit or self.unit == other.unit)

    def _parts_of_day(self) -> frozenset[str]:
        """14:00 is in the afternoon, whether its source says so or not."""
        hour, colon, _ = self.value.partition(":")
        if not colon:
            return frozenset()
        return frozenset(part for part, (first, last) in _HOURS.items() if first <= int(hour) <= last)


WEEKDAY, PART_OF_DAY, PERIOD = "星期", "时段", "周期"
"""Units of the facts that are no numbers: 周三, 上午, 每月."""
_HOURS = {"上午": (0, 12), "中午": (11, 14), "下午": (12, 19), "晚上": (17, 24)}
_PARTS = {
    **dict.fromkeys(("早上", "早晨", "清晨", "凌晨"), "上午"),
    **dict.fromkeys(("晚间", "夜间", "夜里", "夜晚", "傍晚"), "晚上"),
}
_PERIODS = {"天": "日", "星期": "周", "礼拜": "周", "季度": "季", "年度": "年", "月度": "月"}
_NUMERAL = "一二两三四五六七八九十"
_UNITS = (
    "工作日|日历天|自然日|小时|分钟|等座|等舱|个月|平方米|公里|人次|gb|mb|tb|kg|km|"
    "[元圆块年月周日天岁倍人名户次份台件套辆米吨克页家张级类项条层枚版种步秒分位组批期处所门支箱包]"
)
_SAME_UNIT = {"天": "日", "自然日": "日", "圆": "元", "块": "元", "个工作日": "工作日", "个小时": "小时"}
_NOT_COUNTED = re.compile(r"[同统唯之万某任另逐]一|十分|百分|一[般些样致]|一[个种][人样]|[第〔]")
_TIMES = rf"[次天名节份场批]|个|小时|人|[~～—–至到-][{_NUMERAL}]次"  # 每周三次 is no Wednesday
_SPECIAL = re.compile(
    rf"(?P<hour>\d{{1,2}})[:：](?P<minute>\d{{2}})"
    rf"|(?P<below>[{_NUMERAL}]+|\d+)分之(?P<above>[{_NUMERAL}]+|\d+)"
    rf"|半\s?(?:个)?(?P<half>年|天|日|月|小时|数)"
    rf"|(?<![\d一二两三四五六七八九十])每?(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天末])(?!{_TIMES})"
    r"|(?P<part>上午|下午(?!茶)|中午|晚上|早[上晨]|清晨|凌晨|晚间|夜[间里晚]|傍晚)"
    r"|(?:每个?|[按逐/·])(?![日月年][工薪均历期])"
    rf"(?P<period>小时|天|日(?!常)|(?:周|星期)(?![日末]|[一二三四五六天](?!{_TIMES}))|月(?!饼)|季度?|年度?|学期)"
)
_SINGLE = re.compile(rf"(?P<n>[{_NUMERAL}])(?=\s?个?\s?(?:{_UNITS})|[至到~～—–-]+\s?[{_NUMERAL}\d\0])")
_UNIT_AFTER = re.compile(rf"\s?个?\s?(?P<unit>{_UNITS})")
_RANGE_UNIT = re.compile(rf"[至到~～—–-]+\s?[{_NUMERAL}\d.,]+\s?个?\s?(?P<unit>{_UNITS})")
_QUANTITY = re.compile(r"(?P<value>\d+(?:\.\d+)?)(?P<unit>\D*)")
_BETWEEN = r"(?:提前|需要?|要|应当?|须|是|为|有|用|收|休|给)?\s?"  # 至少提前3天
_BEFORE = (
    (
        re.compile(rf"(?:不得?少于|不得?低于|不小于|至少|最少|最低|达到|下限|(?<![不未])满){_BETWEEN}$"),
        Bound.AT_LEAST,
    ),
    (
        re.compile(
            rf"(?:不得?超过|未超过|不得?高于|不得?多于|不大于|至多|最多|最高|最大|最长|上限){_BETWEEN}$"
        ),
        Bound.AT_MOST,
    ),
    (re.compile(r"(?:不满|不足|未满|不到|低于|少于|小于)\s?$"), Bound.BELOW),
    (re.compile(r"(?:超过|高于|多于|大于)\s?$"), Bound.ABOVE),
)
_AFTER = (
    (re.compile(r"(?:\([^()]{0,6}\))?(?:及?以上(?!午)|起步)"), Bound.AT_LEAST),
    (re.compile(r"(?:\([^()]{0,6}\))?(?:及?以[内下](?!午)|之?内(?![线部容网存测置]))"), Bound.AT_MOST),
)
_LIST_NUMBER = re.compile(r"\s*\(?\d{1,2}[.、)](?!\d)")
_LONGEST_BOUND = 7  # characters of the longest bound before a number


def facts(text: str) -> tuple[Fact, ...]:
    """The facts of folded text in order, not overlapping. The number of a list item is none."""
    item = _LIST_NUMBER.match(text)
    begin = item.end() if item else 0
    found = [fact for fact in _special(text) if fact.start >= begin]
    rest = _blanked("\0" * begin + text[begin:], found)
    named = [fact for literal in find_literals(rest) for fact in _of_literal(rest, literal)]
    rest = _blanked(rest, named)
    found += [*named, *_singles(text, rest)]
    ordered = sorted((_bounded(text, fact) for fact in found), key=lambda fact: fact.start)
    return tuple(_per_period(ordered))


def _per_period(ordered: list[Fact]) -> Iterator[Fact]:
    """Each number with the period right before it (每天100元) or else right behind it (100元/天)."""
    for before, fact, after in zip([None, *ordered], ordered, [*ordered[1:], None], strict=False):
        if fact.unit == PERIOD:
            yield fact
        elif before is not None and before.unit == PERIOD and before.end == fact.start:
            yield replace(fact, per=before.value)
        elif after is not None and after.unit == PERIOD and after.start == fact.end:
            yield replace(fact, per=after.value)
        else:
            yield fact


def _special(text: str) -> Iterator[Fact]:
    for match in _SPECIAL.finditer(text):
        if match["hour"]:
            value, unit = f"{int(match['hour'])}:{match['minute']}", ""
        elif match["half"]:
            value, unit = "0.5", _SAME_UNIT.get(match["half"], match["half"])
        elif match["weekday"]:
            value, unit = f"周{match['weekday'].replace('天', '日')}", WEEKDAY
        elif match["part"]:
            value, unit = _PARTS.get(match["part"], match["part"]), PART_OF_DAY
        elif match["period"]:
            value, unit = f"每{_PERIODS.get(match['period'], match['period'])}", PERIOD
        else:
            value, unit = f"{parse_number(match['above'])}/{parse_number(match['below'])}", ""
        yield Fact(value, unit, Bound.NONE, match.start(), match.end())


def _of_literal(text: str, literal: Literal) -> Iterator[Fact]:
    if literal.kind in (LiteralKind.QUANTITY, LiteralKind.NUMBER):
        if _NOT_COUNTED.search(text[max(0, literal.start - 1) : literal.start + 2]):
            return
        match = _QUANTITY.match(literal.normal)
        if match is None:
            return
        unit, end = match["unit"], literal.end
        if not unit:
            unit, end = _unit_after(text, literal.end)
        yield Fact(match["value"], _SAME_UNIT.get(unit, unit), Bound.NONE, literal.start, end)
        return
    forms = literal.tokens
    if literal.kind is LiteralKind.DATE and "年" in literal.normal:
        forms = (*forms, *filter(None, (literal.normal.partition("年")[2],)))
    if literal.kind is LiteralKind.CODE:
        forms = literal.tokens[:1]
    yield Fact(literal.normal, "", Bound.NONE, literal.start, literal.end, forms)


def _singles(text: str, rest: str) -> Iterator[Fact]:
    """三家, 两位, 三至: too short to be an index token, and a fact all the same."""
    for match in _SINGLE.finditer(rest):
        if _NOT_COUNTED.search(text[max(0, match.start() - 1) : match.start() + 3]):
            continue
        unit, end = _unit_after(text, match.end())
        yield Fact(str(parse_number(match["n"])), unit, Bound.NONE, match.start(), end)


def _unit_after(text: str, end: int) -> tuple[str, int]:
    own = _UNIT_AFTER.match(text, end)
    if own is not None:
        return _SAME_UNIT.get(own["unit"], own["unit"]), own.end()
    shared = _RANGE_UNIT.match(text, end)  # 3至5天: the unit of both
    return (_SAME_UNIT.get(shared["unit"], shared["unit"]) if shared else ""), end


def _bounded(text: str, fact: Fact) -> Fact:
    before = text[max(0, fact.start - _LONGEST_BOUND) : fact.start]
    start, end, bound = fact.start, fact.end, Bound.NONE
    for pattern, meaning in _BEFORE:
        if match := pattern.search(before):
            start, bound = fact.start - len(before) + match.start(), meaning
            break
    else:
        for pattern, meaning in _AFTER:
            if match := pattern.match(text, fact.end):
                end, bound = match.end(), meaning
                break
    written = text[start:end]
    return Fact(fact.value, fact.unit, bound, start, end, fact.forms, written)


def _blanked(text: str, found: list[Fact]) -> str:
    for fact in found:
        text = text[: fact.start] + "\0" * (fact.end - fact.start) + text[fact.end :]
    return text
