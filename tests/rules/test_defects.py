"""The three example workbooks have no findings, and each broken copy has the one that was planted."""

import json
from pathlib import Path

import pytest

from rules.cells.reading import read_value
from rules.check import check
from rules.conditions import Value
from rules.findings import Code, Finding, covers
from rules.loader import load
from rules.table import Process

pytestmark = pytest.mark.data


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> Path:
    return shared_data / "process_tables"


def findings_of(path: Path) -> tuple[Process, tuple[Finding, ...]]:
    loaded = load(path)
    assert loaded.process is not None
    return loaded.process, (*loaded.findings, *check(loaded.process, loaded.broken))


def test_a_sound_workbook_has_no_findings(folder: Path) -> None:
    paths = sorted(folder.glob("*.xlsx"))
    assert len(paths) == 3
    assert {path.name: findings_of(path)[1] for path in paths} == {path.name: () for path in paths}


def test_every_planted_defect_is_found_where_it_is(folder: Path) -> None:
    planted = json.loads((folder / "defects" / "expected.json").read_text(encoding="utf-8"))
    assert len(planted) == 6
    for each in planted:
        process, findings = findings_of(folder / "defects" / each["file"])
        expect = each["expect"]
        finding = next(found for found in findings if found.code == expect["code"])
        assert finding.severity == expect["severity"]
        for name in ("rules", "near_rules", "shadowed_by"):
            assert list(getattr(finding, name)) == expect.get(name, []), each["file"]
        for name in ("column", "value"):
            assert name not in expect or getattr(finding, name) == expect[name]
        if "witness" in expect:
            assert covers(finding, point(process, expect["witness"]))


def test_a_defect_brings_no_finding_but_its_own_and_the_cases_it_breaks(folder: Path) -> None:
    planted = json.loads((folder / "defects" / "expected.json").read_text(encoding="utf-8"))
    for each in planted:
        _, findings = findings_of(folder / "defects" / each["file"])
        codes = [found.code for found in findings if found.code is not Code.FAILED_CASE]
        assert codes == [each["expect"]["code"]]


def point(process: Process, typed: dict[str, object]) -> dict[str, Value]:
    fields = {name: process.field(name) for name in typed}
    return {field.name: read_value(str(typed[name]), field) for name, field in fields.items() if field}
