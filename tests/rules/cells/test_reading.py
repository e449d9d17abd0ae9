"""Cells: what each way of writing means, and that nothing else comes through."""

import csv
from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.cells.reading import read_bounds, read_condition, read_value
from rules.cells.requirements import read_requirement
from rules.conditions import Anything, Condition, Interval, OneOf, Ordered, Within
from rules.faults import CellFault
from rules.findings import Code
from rules.table import Clause, Field, FieldType, Input
from tests.conftest import REPOSITORY

KINDS = ("服务器", "网络设备", "车辆")
COLUMNS = {
    "金额": Input("预算金额(元)", "预算金额", FieldType.AMOUNT, unit="元"),
    "万元": Input("预算金额(万元)", "预算金额", FieldType.AMOUNT, unit="万元"),
    "整数": Input("返回天数", "返回天数", FieldType.INTEGER),
    "日期": Input("开始日期", "开始日期", FieldType.DATE),
    "单选": Input("资产类别", "资产类别", FieldType.CHOICE, KINDS),
    "是否": Input("是否紧急", "是否紧急", FieldType.YES_NO, ("是", "否")),
    "部门": Input("申请部门", "申请部门", FieldType.DEPARTMENT),
}
CASES = REPOSITORY / "tests" / "cases" / "rules" / "cells.csv"


def cases() -> list[tuple[str, str, str]]:
    with CASES.open(encoding="utf-8", newline="") as file:
        return [(row["列"], row["写法"], row["读作"]) for row in csv.DictReader(file)]


def shown(condition: Condition) -> str:
    """The notation of the cases: [20000,50000), 非 车辆, 任意."""
    if isinstance(condition, Anything):
        return "任意"
    if isinstance(condition, OneOf):
        text = "、".join(sorted(condition.values))
    else:
        text = " 或 ".join(_shown(interval) for interval in condition.intervals)
    return f"非 {text}" if condition.negated else text


def _shown(interval: Interval) -> str:
    left = "(-∞" if interval.low is None else f"{'[' if interval.low_closed else '('}{interval.low}"
    right = "∞)" if interval.high is None else f"{interval.high}{']' if interval.high_closed else ')'}"
    return f"{left},{right}"


@pytest.mark.parametrize(("column", "text", "meaning"), cases())
def test_a_cell_means_what_the_cases_say(column: str, text: str, meaning: str) -> None:
    try:
        found = shown(read_condition(text, COLUMNS[column]))
    except CellFault as fault:
        found = f"!{fault.code} {' / '.join(fault.corrections)}".rstrip()
        assert fault.message
        assert fault.mend
    assert found == meaning


@pytest.mark.parametrize(("column", "text", "meaning"), [case for case in cases() if case[2].startswith("!")])
def test_every_offered_correction_can_be_read_or_leads_on(column: str, text: str, meaning: str) -> None:
    """「2~5万」 leads to 「2万~5万」, which asks for the ends; two steps always arrive."""
    with pytest.raises(CellFault) as caught:
        read_condition(text, COLUMNS[column])
    for correction in caught.value.corrections:
        try:
            read_condition(correction, COLUMNS[column])
        except CellFault as second:
            assert second.corrections
            for further in second.corrections:
                read_condition(further, COLUMNS[column])


def test_an_unknown_value_comes_with_the_nearest_option() -> None:
    with pytest.raises(CellFault) as caught:
        read_condition("服务器、网路设备", COLUMNS["单选"])
    assert caught.value.code is Code.UNKNOWN_VALUE
    assert caught.value.value == "网路设备"
    assert "「网络设备」" in caught.value.mend


def test_an_option_that_looks_like_grammar_is_read_as_the_option() -> None:
    column = Input(
        "类别", "类别", FieldType.CHOICE, ("非合同", "合同", "货物和服务", "除尘设备外壳", "其他(含维修)")
    )
    for option in column.domain:
        assert read_condition(option, column) == OneOf(frozenset({option}))
    assert read_condition("非合同、货物和服务", column) == OneOf(frozenset({"非合同", "货物和服务"}))
    assert read_condition("其他（含维修）", column) == OneOf(frozenset({"其他(含维修)"}))


# Every condition, written, reads back as itself.

amounts = st.decimals(min_value=0, max_value=10**9, places=2, allow_nan=False, allow_infinity=False).map(
    lambda value: value.quantize(Decimal("0.01"))
)
whole = st.integers(min_value=0, max_value=10**6).map(Decimal)
days = st.dates(min_value=date(2000, 1, 1), max_value=date(2099, 12, 31))


@st.composite
def intervals(draw: st.DrawFn, values: st.SearchStrategy[Ordered]) -> Interval:
    a, b = draw(values), draw(values)
    low, high = (a, b) if a <= b else (b, a)  # type: ignore[operator]  # both of one kind
    shape = draw(st.sampled_from(["both", "low", "high", "point"]))
    if shape == "point":
        return Interval(low, low)
    low_closed, high_closed = draw(st.booleans()), draw(st.booleans())
    if shape == "low":
        return Interval(low, None, low_closed, True)
    if shape == "high":
        return Interval(None, high, True, high_closed)
    apart = _apart(low, high)
    return Interval(low, high, low_closed or not apart, high_closed or not apart)


def _apart(low: Ordered, high: Ordered) -> bool:
    """Whether a value lies between them even when both ends are left out, also among whole numbers."""
    if isinstance(low, date) or isinstance(high, date):
        return isinstance(low, date) and isinstance(high, date) and high - low > timedelta(days=1)
    return high - low > 1


def written(interval: Interval) -> list[str]:
    """Several ways in which people write it."""
    low, high = interval.low, interval.high
    if low is not None and low == high:
        return [f"{low}", f"={low}", f"等于{low}"]
    if high is None:
        return (
            [f"{low}以上", f"≥{low}", f"不低于 {low}"] if interval.low_closed else [f"超过{low}", f"＞{low}"]
        )
    if low is None:
        return (
            [f"{high}以下", f"不超过{high}", f"<={high}"]
            if interval.high_closed
            else [f"不满{high}", f"＜{high}"]
        )
    ends = (
        f"{low}({'含' if interval.low_closed else '不含'})",
        f"{high}（{'含' if interval.high_closed else '不含'}）",
    )
    left, right = "[" if interval.low_closed else "(", "]" if interval.high_closed else ")"
    above = "≥" if interval.low_closed else ">"
    below = "≤" if interval.high_closed else "<"
    return [
        f"{ends[0]}~{ends[1]}",
        f"{ends[0]} 至 {ends[1]}",
        f"{left}{low},{high}{right}",
        f"{above}{low}且{below}{high}",
    ]


def _reads_back(found: list[Interval], negated: bool, column: Input, draw: st.DataObject) -> None:
    texts = [draw.draw(st.sampled_from(written(interval))) for interval in found]
    text = "或".join(texts)
    condition = read_condition(f"除 {text} 外" if negated else text, column)
    assert condition == Within(tuple(found), negated)


@given(st.lists(intervals(amounts), min_size=1, max_size=3), st.booleans(), st.data())
def test_conditions_on_amounts_always_read_back(
    found: list[Interval], negated: bool, data: st.DataObject
) -> None:
    _reads_back(found, negated, COLUMNS["金额"], data)


@given(st.lists(intervals(whole), min_size=1, max_size=3), st.booleans(), st.data())
def test_conditions_on_whole_numbers_always_read_back(
    found: list[Interval], negated: bool, data: st.DataObject
) -> None:
    _reads_back(found, negated, COLUMNS["整数"], data)


@given(st.lists(intervals(days), min_size=1, max_size=3), st.booleans(), st.data())
def test_conditions_on_days_always_read_back(
    found: list[Interval], negated: bool, data: st.DataObject
) -> None:
    _reads_back(found, negated, COLUMNS["日期"], data)


@given(st.sets(st.sampled_from(KINDS), min_size=1, max_size=2), st.sampled_from("、，,;；"), st.booleans())
def test_conditions_on_words_always_read_back(words: set[str], mark: str, negated: bool) -> None:
    text = mark.join(sorted(words))
    condition = read_condition(f"除 {text} 外" if negated else text, COLUMNS["单选"])
    assert condition == OneOf(frozenset(words), negated)


GRAMMAR = "0123456789.,万千亿元以上下内外不满超过含至少多等于且或除任意天个月年日-~≥≤<>=[]()（）∞，、 　%"


@given(
    st.one_of(st.text(max_size=30), st.text(alphabet=GRAMMAR, max_size=20)), st.sampled_from(sorted(COLUMNS))
)
def test_arbitrary_text_is_read_or_refused_and_never_fails_otherwise(text: str, column: str) -> None:
    try:
        condition = read_condition(text, COLUMNS[column])
    except CellFault as fault:
        assert fault.message.endswith("。")
        assert fault.mend
    else:
        assert isinstance(condition, Anything | Within | OneOf)


@given(st.text(alphabet=GRAMMAR, min_size=200, max_size=2000))
def test_long_nonsense_is_refused_quickly(text: str) -> None:
    with pytest.raises(CellFault):
        read_condition(f"x{text}", COLUMNS["金额"])


@pytest.mark.parametrize("column", ["金额", "整数", "日期"])
def test_a_condition_that_nobody_can_check_is_refused_and_not_repeated_in_full(column: str) -> None:
    with pytest.raises(CellFault) as caught:
        read_condition("[" + "1," * 16_000 + ")", COLUMNS[column])
    assert "太长" in caught.value.message
    assert len(caught.value.message) < 120


def test_what_nobody_sees_is_no_part_of_a_word() -> None:
    assert read_condition("财务部\u200b", COLUMNS["部门"]) == OneOf(frozenset({"财务部"}))
    assert read_value("\ufeff财务部", Field("部门", "d", FieldType.DEPARTMENT)) == "财务部"


def test_bounds_are_one_range() -> None:
    assert read_bounds("0(不含)~1000万(含)", FieldType.AMOUNT, "元") == Interval(
        Decimal(0), Decimal(10_000_000), low_closed=False
    )
    assert read_bounds("0~3650", FieldType.INTEGER) == Interval(Decimal(0), Decimal(3650))
    with pytest.raises(CellFault):
        read_bounds("1或5", FieldType.INTEGER)
    with pytest.raises(CellFault):
        read_bounds("0~1000万", FieldType.AMOUNT)


AMOUNT = Field("预算金额", "amount", FieldType.AMOUNT, unit="元")
PAPER = Field("文件类型", "doc", FieldType.CHOICE, options=("合同", "证明", "其他"))
OUT = Field("是否外带", "out", FieldType.YES_NO, options=("是", "否"))
FIELDS = (AMOUNT, PAPER, OUT)


def paper(*words: str, negated: bool = False) -> Clause:
    return Clause("文件类型", OneOf(frozenset(words), negated))


FROM_50000 = Clause("预算金额", Within((Interval(Decimal(50_000)),)))


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("文件类型=合同", (paper("合同"),)),
        ("文件类型＝合同、证明", (paper("合同", "证明"),)),
        ("文件类型为合同", (paper("合同"),)),
        ("文件类型≠合同", (paper("合同", negated=True),)),
        ("文件类型不是合同", (paper("合同", negated=True),)),
        ("文件类型=除 合同 外", (paper("合同", negated=True),)),
        ("预算金额≥5万", (FROM_50000,)),
        ("预算金额5万以上", (FROM_50000,)),
        ("文件类型=合同且预算金额≥5万", (paper("合同"), FROM_50000)),
        ("文件类型=合同、证明、预算金额≥5万", (paper("合同", "证明"), FROM_50000)),
        ("文件类型=合同，是否外带=是", (paper("合同"), Clause("是否外带", OneOf(frozenset({"是"}))))),
        ("doc=合同 and amount>=50000", (paper("合同"), FROM_50000)),
    ],
)
def test_a_requirement_is_read_as_its_clauses(text: str, clauses: tuple[Clause, ...]) -> None:
    assert read_requirement(text, FIELDS) == clauses


@pytest.mark.parametrize(
    ("text", "code", "value", "hint"),
    [
        ("文件种类=合同", Code.UNKNOWN_FIELD, "文件种类", "文件类型"),
        ("文件类型=合约", Code.UNKNOWN_VALUE, "合约", "合同"),
        ("文件类型=合同且预算额度≥5万", Code.UNKNOWN_FIELD, "预算额度", "预算金额"),
        ("合同时必填", Code.BAD_CELL, "合同时必填", "字段=值"),
        ("文件类型=合同或预算金额≥5万", Code.BAD_CELL, "文件类型=合同或预算金额≥5万", "「且」"),
        ("", Code.BAD_CELL, "", "字段=值"),
        ("预算金额=2万~5万", Code.BAD_RANGE, "2万~5万", "2万(含)~5万(不含)"),
    ],
)
def test_a_requirement_that_cannot_be_read_says_why(text: str, code: Code, value: str, hint: str) -> None:
    with pytest.raises(CellFault) as caught:
        read_requirement(text, FIELDS)
    assert caught.value.code is code
    assert caught.value.value == value
    assert hint in caught.value.mend


def test_a_requirement_that_rests_on_its_own_field_is_refused() -> None:
    assert read_requirement("文件类型=合同", FIELDS, own="是否外带")
    with pytest.raises(CellFault, match="取决于它自己"):
        read_requirement("预算金额≥5万且文件类型=合同", FIELDS, own="文件类型")


@given(st.text(alphabet=GRAMMAR + "预算金额文件类型=且", max_size=30))
def test_arbitrary_requirements_are_read_or_refused(text: str) -> None:
    try:
        clauses = read_requirement(text, FIELDS)
    except CellFault as fault:
        assert fault.mend
    else:
        assert {clause.field for clause in clauses} <= {field.name for field in FIELDS}


def test_single_values_are_read_by_the_type_of_their_field() -> None:
    assert read_value("8万", AMOUNT) == Decimal(80_000)
    assert read_value("４９９９.99", AMOUNT) == Decimal("4999.99")
    assert read_value("有", OUT) == "是"
    assert read_value("合同", PAPER) == "合同"
    assert read_value("2025/1/31", Field("开始日期", "start", FieldType.DATE)) == date(2025, 1, 31)
    for text, field in (("合约", PAPER), ("5万以上", AMOUNT), ("急", OUT)):
        with pytest.raises(CellFault):
            read_value(text, field)
