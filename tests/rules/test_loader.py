"""Loading a whole workbook: what comes of it, and that one trouble is one finding wherever it is."""

import json
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from rules.check import check
from rules.conditions import Anything, Interval, OneOf, Within
from rules.findings import Code, Finding, Severity, finding_json
from rules.loader import load
from rules.table import FieldType, HitPolicy, Required
from tests.rules.workbooks import as_csv, base, loaded, only, packed, process_of, serious, sheet, with_cells


def test_a_workbook_becomes_a_process() -> None:
    process = process_of()
    assert (process.id, process.name, process.aliases) == ("物品申领", "物品申领", ("申领", "领用"))
    assert process.currency == "元"
    assert process.effective_from == date(2025, 1, 1)
    amount, kind, urgent, department = process.fields
    assert (amount.type, amount.unit, amount.order) == (FieldType.AMOUNT, "元", 1)
    assert amount.aliases == ("金额", "总价", "费用")
    assert amount.bounds == Interval(Decimal(0), Decimal(1_000_000), low_closed=False)
    assert kind.synonyms == {"书": "图书", "文具": "办公用品", "手套": "劳保用品"}
    assert (urgent.options, urgent.synonyms) == (("是", "否"), {"加急": "是", "不急": "否"})
    assert (department.required, department.order) == (Required.NEVER, None)
    assert process.main.policy is HitPolicy.UNIQUE
    assert process.main.otherwise == "该条件组合未匹配到现有流程规则，请联系流程管理员"
    assert [item.field for item in process.main.inputs] == ["申领金额", "物品类别", "是否紧急"]
    third = process.main.rules[2]
    assert (third.id, third.row) == ("R03", 8)
    assert third.conditions == (
        Within((Interval(Decimal(5000), Decimal(50_000), True, False),)),
        OneOf(frozenset({"劳保用品"}), negated=True),
        Anything(),
    )
    assert third.results == ("标准", ("部门审批", "行政审核", "发放登记"), ("M01", "M02"), Decimal(3))
    assert third.cells == ("5000以上且不满5万", "除 劳保用品 外", "任意")
    assert process.gaps[0].reason == "5 万元以上请走采购流程"
    assert process.cases[4].expected == "追问:申领金额"
    assert "申领金额" not in process.cases[4].values
    assert process.nodes[0].days == Decimal(1)
    assert len(process.digest) == 64


def test_columns_are_found_by_name_wherever_they_stand() -> None:
    def turned_round(book: Workbook) -> None:
        for title in ("字段", "节点", "材料", "测试用例", "已声明空缺", "决策表"):
            worksheet = sheet(book, title)
            first = 4 if title == "决策表" else 1
            for row in worksheet.iter_rows(min_row=first):
                values = [cell.value for cell in row]
                for cell, value in zip(row, reversed(values), strict=True):
                    cell.value = value

    found = loaded(turned_round)
    assert serious(found) == []
    assert found.process is not None
    by_id = {rule.id: rule for rule in found.process.main.rules}
    assert by_id["R01"].results[:1] == (Decimal(2),)
    assert [item.field for item in found.process.main.inputs] == ["是否紧急", "物品类别", "申领金额"]


def test_numbers_and_full_width_digits_are_read_as_they_are_meant() -> None:
    process = process_of(决策表_B6="＜５０００", 决策表_H6=2, 测试用例_B2=4999.99, 节点_D2=1.5, 字段_I2=1)
    assert process.main.rules[0].conditions[0] == Within((Interval(None, Decimal(5000), True, False),))
    assert process.cases[0].values["申领金额"] == "4999.99"
    assert process.nodes[0].days == Decimal("1.5")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_a_folder_of_csv_files_loads_like_the_workbook(tmp_path: Path, encoding: str) -> None:
    as_csv(tmp_path, encoding)
    found = load(tmp_path)
    assert serious(found) == []
    assert found.process is not None
    assert found.process.main.rules == process_of().main.rules


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("已声明空缺!E2", "=1"),
        ("决策表!K6", "=1"),
        ("决策表!C5", None),
        ("决策表!B4", "条建"),
        ("决策表!A2", "命中测略"),
        ("决策表!A2", "=1"),
        ("决策表!B5", "=1"),
        ("决策表!F5", "审批节点"),
        ("决策表!A6", "=1"),
        ("字段!A2", "=1"),
        ("字段!F1", "可选项"),
        ("字段!F1", "=1"),
        ("字段!I1", "=1"),
        ("决策表!C2", "=1"),
        ("测试用例!B1", None),
        ("字段!I1", None),
        ("字段!D5", "=1"),
        ("节点!B1", "节点名"),
        ("节点!B1", "=1"),
        ("流程信息!A4", "流程管理人"),
        ("流程信息!A4", "=1"),
        ("已声明空缺!E1", None),
        ("决策表!C5", "是否紧急"),
        ("节点!B3", None),
        ("材料!A2", "=1"),
        ("字段!F3", None),
        ("字段!F4", "急、不急"),
        ("流程信息!B5", "=A1"),
        ("已声明空缺!C2", None),
    ],
)
def test_one_spoilt_cell_is_one_finding_in_its_row(place: str, value: str | None) -> None:
    found = with_cells({place: value})
    (finding,) = found.findings
    title, _, reference = place.partition("!")
    assert (finding.sheet, finding.row) == (title, int(reference[1:]))
    assert found.process is None or check(found.process, found.broken) == ()


@pytest.mark.parametrize(
    "area",
    [
        "决策表!A6:A7",
        "决策表!G6:H6",
        "决策表!B5:C5",
        "字段!C2:C3",
        "节点!B2:B3",
        "测试用例!E2:E3",
        "流程信息!B4:B5",
    ],
)
def test_one_merged_area_is_one_finding_in_its_first_row(area: str) -> None:
    title, _, cells = area.partition("!")
    found = loaded(lambda book: sheet(book, title).merge_cells(cells))
    (finding,) = found.findings
    assert (finding.sheet, finding.row) == (title, int(cells[1]))
    assert found.process is None or check(found.process, found.broken) == ()


def test_a_missing_row_of_roles_is_one_finding() -> None:
    found = loaded(lambda book: sheet(book, "决策表").delete_rows(4))
    (finding,) = found.findings
    assert (finding.sheet, finding.row) == ("决策表", 4)


@pytest.mark.parametrize("place", ["决策表!I6", "流程信息!B6"])
def test_a_day_kept_as_a_number_is_told_with_the_day_it_is(place: str) -> None:
    assert "2025-01-01" in only(with_cells({place: 45658}), Code.BAD_PERIOD).mend


def test_a_process_whose_period_ends_before_it_begins_is_told() -> None:
    finding = only(with_cells({"流程信息!B7": "2024-01-01"}), Code.BAD_PERIOD)
    assert (finding.sheet, finding.row, finding.column) == ("流程信息", 7, "失效日期")


def test_a_missing_sheet_is_told_and_a_similar_one_offered() -> None:
    def renamed(book: Workbook) -> None:
        sheet(book, "字段").title = "字段表"

    found = loaded(renamed)
    finding = only(found, Code.BAD_SHEET)
    assert (finding.sheet, finding.value) == ("字段表", "字段表")
    assert "「字段」" in finding.mend
    assert found.process is None


def test_missing_test_cases_are_a_warning_and_hide_no_gap() -> None:
    def change(book: Workbook) -> None:
        book.remove(sheet(book, "测试用例"))
        sheet(book, "决策表").delete_rows(9)

    found = loaded(change)
    assert [(finding.severity, finding.sheet) for finding in found.findings] == [
        (Severity.WARNING, "测试用例")
    ]
    assert found.process is not None
    assert Code.GAP in {finding.code for finding in check(found.process, found.broken)}


def test_a_missing_list_of_materials_is_told_once_and_no_reference_after_it() -> None:
    found = loaded(lambda book: book.remove(sheet(book, "材料")))
    (finding,) = found.findings
    assert (finding.severity, finding.code, finding.sheet) == (Severity.ERROR, Code.BAD_SHEET, "材料")


@pytest.mark.parametrize(
    ("place", "value", "code", "column", "told"),
    [
        ("测试用例!E2", "R99", Code.UNKNOWN_VALUE, "期望", "R99"),
        ("测试用例!E2", None, Code.BAD_CELL, "期望", ""),
        ("测试用例!E2", "追问:金额", Code.UNKNOWN_FIELD, "期望", "金额"),
        ("测试用例!E2", "冲突:R01", Code.BAD_CELL, "期望", "冲突:R01"),
        ("测试用例!F2", "M77", Code.UNKNOWN_MATERIAL, "期望材料", "M77"),
        ("测试用例!C2", "图数", Code.UNKNOWN_VALUE, "物品类别", "图数"),
        ("测试用例!A3", "T01", Code.DUPLICATE, "用例号", "T01"),
        ("测试用例!B1", "申请金额", Code.UNKNOWN_FIELD, "申请金额", "申请金额"),
        ("已声明空缺!B2", None, Code.BLANK_CONDITION, "申领金额(元)", ""),
        ("已声明空缺!B1", "申请金额", Code.UNKNOWN_FIELD, "申请金额", "申请金额"),
        ("材料!A3", "M01", Code.DUPLICATE, "材料编号", "M01"),
        ("材料!D2", "0", Code.BAD_CELL, "份数", "0"),
        ("节点!D2", "两三天", Code.BAD_CELL, "时限", "两三天"),
        ("流程信息!A4", "流程管理人", Code.BAD_SHEET, "流程管理人", "流程管理人"),
        ("决策表!B2", "唯壹", Code.UNKNOWN_VALUE, "命中策略", "唯壹"),
        ("决策表!E4", "结论", Code.BAD_SHEET, "路径", "结论"),
    ],
)
def test_a_trouble_in_another_sheet_is_told_at_its_place(
    place: str, value: object, code: Code, column: str, told: str
) -> None:
    found = with_cells({place: value})
    finding = next(finding for finding in found.findings if finding.code is code)
    title, _, reference = place.partition("!")
    assert (finding.sheet, finding.row) == (title, int(reference[1:]))
    assert (finding.column, finding.value) == (column, told)
    assert finding.mend


def test_hidden_rows_and_sheets_count_and_are_mentioned() -> None:
    def hide(book: Workbook) -> None:
        sheet(book, "决策表").row_dimensions[7].hidden = True
        sheet(book, "材料").sheet_state = "hidden"

    found = loaded(hide)
    assert [(f.severity, f.sheet, f.row) for f in found.findings] == [
        (Severity.INFO, "决策表", 7),
        (Severity.INFO, "材料", None),
    ]
    assert found.process is not None
    assert len(found.process.main.rules) == 4


def test_a_name_stands_in_for_a_missing_id() -> None:
    book = base()
    sheet(book, "流程信息")["B1"] = None
    found = load(packed(book), "申领")
    assert only(found, Code.BAD_SHEET).column == "流程编号"
    assert found.process is not None
    assert found.process.id == "申领"


PLACES = [
    f"{worksheet.title}!{cell.coordinate}"
    for worksheet in base().worksheets
    for row in worksheet.iter_rows()
    for cell in row
    if cell.value is not None
]
TEXTS = st.one_of(
    st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12),
    st.sampled_from(
        [
            "任意",
            "-",
            "2万~5万",
            "R01",
            "M01",
            "是",
            "条件",
            "冲突:",
            "追问:",
            "=",
            "()",
            "、",
            "除外",
            "a=b=c",
        ]
    ),
    st.integers(-(10**18), 10**18),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    st.datetimes(min_value=datetime(1950, 1, 1), max_value=datetime(2200, 1, 1)),
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(PLACES), TEXTS, min_size=1, max_size=6))
def test_whatever_cells_say_loading_never_fails_and_every_finding_helps(cells: dict[str, object]) -> None:
    found = with_cells(cells)
    assert found.process is None or found.process.tables
    for finding in found.findings:
        assert finding.message
        assert finding.sheet
        assert finding.mend
    if found.process is not None:
        kept = {rule.id for table in found.process.tables for rule in table.rules}
        repeated = {finding.value for finding in found.findings if finding.code is Code.DUPLICATE}
        assert not kept & found.broken - repeated


# The shared examples.


@pytest.fixture
def tables(shared_data: Path) -> Path:
    return shared_data / "process_tables"


@pytest.mark.data
@pytest.mark.parametrize("name", ["资产申请", "差旅报销", "用印申请"])
def test_the_good_examples_load_without_any_finding(tables: Path, name: str) -> None:
    found = load(tables / f"{name}.xlsx")
    assert found.findings == ()
    assert found.process is not None
    assert found.process.name == name


@pytest.mark.data
def test_each_planted_defect_of_a_cell_is_found_where_it_is_and_nothing_else(tables: Path) -> None:
    planted = json.loads((tables / "defects" / "expected.json").read_text(encoding="utf-8"))
    of_cells = {Code.UNKNOWN_VALUE, Code.BLANK_CONDITION, Code.UNKNOWN_MATERIAL}
    for defect in planted:
        found = load(tables / "defects" / defect["file"])
        assert found.process is not None
        expected = defect["expect"]
        if expected["code"] not in of_cells:
            assert found.findings == ()
            continue
        (finding,) = found.findings
        assert _agrees(finding, expected), (finding, expected)
        assert found.broken == frozenset(expected["rules"])


def _agrees(finding: Finding, expected: dict[str, object]) -> bool:
    told = finding_json(finding)
    return all(told[key] == value for key, value in expected.items())  # type: ignore[literal-required]
