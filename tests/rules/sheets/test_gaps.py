"""The sheet 已声明空缺: what has no rule on purpose."""

from pathlib import Path

import pytest

from rules.check import check
from rules.findings import Code, Severity
from rules.loader import load
from tests.rules.workbooks import as_csv, process_of, with_cells


def test_a_gap_is_read_with_its_reason_and_a_column_it_leaves_out_restricts_nothing() -> None:
    (gap,) = process_of(已声明空缺_C1=None, 已声明空缺_C2=None).gaps
    assert (gap.id, gap.reason, gap.row) == ("G01", "5 万元以上请走采购流程", 2)
    assert gap.cells == ("5万以上", "任意", "任意")


def test_a_gap_that_rules_cover_is_told_as_unused() -> None:
    found = with_cells({"已声明空缺!B2": "不满1000"})
    assert found.process is not None
    (told,) = (each for each in check(found.process) if each.sheet == "已声明空缺")
    assert (told.severity, told.code, told.row, told.value) == (Severity.WARNING, Code.UNUSED, 2, "G01")


@pytest.mark.parametrize(("rows", "told"), [(1_000, []), (1_001, ["已声明空缺"])])
def test_far_too_many_gaps_are_told_and_not_read(tmp_path: Path, rows: int, told: list[str]) -> None:
    as_csv(tmp_path, "utf-8")
    path = tmp_path / "已声明空缺.csv"
    (head, row, *_) = path.read_text(encoding="utf-8").splitlines()
    lines = [row.replace("G01", f"G{at}") for at in range(rows)]
    path.write_text("\n".join([head, *lines]), encoding="utf-8")
    found = load(tmp_path)
    assert [each.sheet for each in found.findings] == told
    assert found.process is not None
    assert len(found.process.gaps) == (0 if told else rows)
