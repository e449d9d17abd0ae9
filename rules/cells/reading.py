"""What a cell of a workbook says: a condition, a range of values or one value, for every type of field.

The grammar's parts: `comparisons` for numbers and days, `choices` for words, `numbers` for single numbers.
Everything raises `CellFault` for what it cannot read with certainty, and nothing else.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from rules import numbers
from rules.cells.choices import read_words, unknown_value, yes_or_no
from rules.cells.comparisons import read_comparison
from rules.cells.tokens import Measure
from rules.conditions import Anything, Condition, Interval, Value
from rules.faults import CellFault, bad_cell, bad_range
from rules.findings import Code
from rules.spelling import plain, tight
from rules.table import NO, ORDERED, YES, Field, FieldType, Input

ANYTHING = frozenset({"任意", "-", "–", "—", "——", "−"})
_LIKE_ANYTHING = frozenset(
    {"不限", "不限制", "不论", "无限制", "无要求", "全部", "所有", "均可", "任何", "都可以", "/"}
)
_MONEY = re.compile("(?P<scale>千|万|十万|百万|千万|亿)?(?P<money>元|圆|块|人民币)")
_MONEY_WORDS = frozenset({"元", "圆", "块", "块钱", "元整", "人民币"})
_COUNTERS = frozenset(
    {"个", "台", "套", "件", "份", "人", "次", "人次", "天", "日", "日历天", "工作日", "个工作日"}
)
_SAME_COUNTERS = ({"天", "日", "日历天"}, {"工作日", "个工作日"})
_CHAINED = re.compile(
    rf"(?P<low>{numbers.NUMBER})(?P<first><=|≤|<)(?P<name>[^<=≤]+)(?P<second><=|≤|<)(?P<high>{numbers.NUMBER})"
)
_SCIENTIFIC = re.compile(r"[+-]?[0-9](?:\.[0-9]+)?[eE][+-]?[0-9]+")
_DATED = re.compile(r"[0-9]{1,2}月[0-9]{1,2}日|[0-9]{1,2}-[A-Z][a-z]{2}|[A-Z][a-z]{2}-[0-9]{2}")
_SPACED = re.compile("[0-9] (?=[0-9])")
_MIDNIGHT = re.compile("(?<=[0-9]) 0{1,2}:00(?::00)?(?![0-9])")
LONGEST = 300
"""Characters of a condition on numbers or days. Nobody can check a longer one."""


def read_condition(text: str, column: Input) -> Condition:
    """A cell of a condition column. Amounts are in 元 whatever unit the column's name gives.

    Raises CellFault: a blank cell, a value that is not among the column's, a range without certain ends, and
    whatever else is no condition.
    """
    said = plain(text)
    if not said:
        raise CellFault(Code.BLANK_CONDITION, "条件格是空的。", "不限就写「任意」；否则请写上条件。")
    if said in ANYTHING and said not in column.domain:
        return Anything()
    if said in _LIKE_ANYTHING and said not in column.domain:
        code = Code.UNKNOWN_VALUE if column.domain else Code.BAD_CELL
        raise CellFault(
            code, f"「{said}」不是条件的写法。", "不限请写「任意」。", value=said, corrections=("任意",)
        )
    if column.type in ORDERED:
        _refuse_mangled(said, column.type)
        compared = _without_name(_joined(said), column.field)
        return read_comparison(compared, measure_of(column.type, column.unit))
    if column.type is FieldType.YES_NO:
        return read_words(said, column.domain or (YES, NO), yes_no=set(column.domain) <= {YES, NO})
    return read_words(said if column.domain else _in_lines(text), column.domain)


def _in_lines(text: str) -> str:
    """With its line ends: without options nothing else tells that there may be several words."""
    return "\n".join(line for each in text.splitlines() if (line := plain(each)))


def _joined(said: str) -> str:
    """`said` without spaces. Raises CellFault where one parts two numbers: 30 60 is not 3060."""
    text = _MIDNIGHT.sub("", said)
    if len(text) > LONGEST:
        raise bad_cell(text, f"这一格有 {len(text)} 个字，太长", "请写一个条件；几种情况请分成几行规则。")
    if _SPACED.search(text):
        raise bad_cell(
            said,
            "两个数之间只有空格或换行，分不清是一个数还是几个",
            "是一个数就去掉空格；是几个数，中间请写「或」或者「~」。",
        )
    return text.replace(" ", "")


def _without_name(text: str, name: str) -> str:
    """预算金额≥5万 as ≥5万, and 5000≤预算金额<20000 as ≥5000且<20000."""
    name = tight(name)
    chained = _CHAINED.fullmatch(text)
    if chained and chained["name"] in (name, "x", "X"):
        low = ">" if chained["first"] == "<" else "≥"
        return f"{low}{chained['low']}且{chained['second']}{chained['high']}"
    return text.removeprefix(name) if len(text) > len(name) else text


def read_bounds(text: str, type_: FieldType, unit: str = "") -> Interval:
    """A field's 取值范围, one range: 0(不含)~1000万(含). Raises CellFault."""
    said = plain(text)
    _refuse_mangled(said, type_)
    found = read_comparison(_joined(said), measure_of(type_, unit))
    if len(found.intervals) != 1 or found.negated:
        raise bad_range(text, "取值范围只能是一段", "请写成一段，例如 0(不含)~1000万(含)。")
    return found.intervals[0]


def read_value(text: str, field: Field) -> Value:
    """One value of a field, as a test case gives it: 8万, 2025-01-31, 服务器. Raises CellFault."""
    said = plain(text)
    if field.type in (FieldType.AMOUNT, FieldType.INTEGER):
        return read_amount(said, field.type, field.unit)
    if field.type is FieldType.DATE:
        day = numbers.read_day(said)
        if day is None:
            raise bad_cell(text, "不是日期", "请写成 2025-01-31 的样子。")
        return day
    if field.type is FieldType.YES_NO and not set(field.options) - {YES, NO}:
        word = yes_or_no(said)
        if word is None:
            raise unknown_value(said, (YES, NO))
        return word
    if field.options and said not in field.options:
        if said in field.synonyms:
            return field.synonyms[said]
        raise unknown_value(said, field.options)
    return said


def read_amount(text: str, type_: FieldType = FieldType.AMOUNT, unit: str = "") -> Decimal:
    """One number, nothing compared: 4, 2.5万, 5个工作日. Raises CellFault."""
    said = _joined(plain(text))
    _refuse_mangled(said, type_)
    measure = measure_of(type_, unit)
    value = numbers.read_number(said, measure.scale)
    counter = numbers.counter_of(said)
    if value is None or (counter and counter not in measure.counters):
        raise bad_cell(text, "不是一个确定的数", "请写一个数，例如 5 或 2万。")
    if measure.whole and value != value.to_integral_value():
        raise bad_cell(text, "要的是整数", "请写整数。")
    return value


def read_days(text: str, unit: str = "工作日") -> Decimal:
    """How long something takes: 3, 0.5, 5个工作日. Raises CellFault, also for less than nothing."""
    value = read_amount(text, FieldType.AMOUNT, unit)
    if value < 0:
        raise bad_cell(text, "时间不能是负数", "请写 0 或更大的数。")
    return value


def measure_of(type_: FieldType, unit: str = "") -> Measure:
    """How the numbers of such a column are read. `unit` as its name gives it: 元, 万元, 天."""
    if type_ is FieldType.DATE:
        return Measure(days=True)
    if type_ is FieldType.INTEGER:
        return Measure(whole=True, counters=_counters(unit), unit=unit)
    money = _MONEY.fullmatch(unit)
    scale = numbers.SCALES[money["scale"]] if money and money["scale"] else Decimal(1)
    return Measure(scale=scale, counters=_MONEY_WORDS if money or not unit else _counters(unit), unit=unit)


def is_unit(text: str) -> bool:
    """Whether it is a unit for certain: 元, 万元, 天; not 含税."""
    return bool(_MONEY.fullmatch(text)) or text in _COUNTERS


def base_unit(unit: str) -> str:
    """What amounts are counted in once read: 元 for 万元 or 人民币, the unit itself for others."""
    return "元" if _MONEY.fullmatch(unit) else unit


def _counters(unit: str) -> frozenset[str]:
    if not unit:
        return _COUNTERS
    same: Sequence[set[str]] = [group for group in _SAME_COUNTERS if unit in group]
    return frozenset({unit}.union(*same))


def _refuse_mangled(said: str, type_: FieldType) -> None:
    """What spreadsheet programs make of 3-5 and of long numbers, as it comes out of a CSV file."""
    if _SCIENTIFIC.fullmatch(said):
        why = f"「{said}」是科学计数法，后面的数字可能已经丢了。"
        raise CellFault(Code.SCIENTIFIC, why, "请把这一格设成文本格式，再重新写完整的数。", value=said)
    if type_ is not FieldType.DATE and _DATED.fullmatch(said):
        why = f"「{said}」像是把「3-5」这样的写法自动变成了日期。"
        raise CellFault(Code.DATE_CELL, why, "请把这一格设成文本格式，范围写成「3~5」。", value=said)
