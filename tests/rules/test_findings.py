"""Findings as other programs read them."""

import json

from rules.findings import Code, Finding, Severity, finding_json
from tests.rules.workbooks import only, with_cells


def test_a_finding_becomes_json_with_fixed_keys() -> None:
    found = with_cells({"决策表!C6": "图数"})
    told = json.loads(json.dumps(finding_json(only(found, Code.UNKNOWN_VALUE)), ensure_ascii=False))
    assert told["severity"] == "error"
    assert told["code"] == "unknown_value"
    assert (told["sheet"], told["row"], told["column"], told["rules"]) == ("决策表", 6, "物品类别", ["R01"])
    assert [*told] == ["severity", "code", "sheet", "row", "rules", "near_rules", "shadowed_by"] + [
        "column",
        "value",
        "witness",
        "message",
        "mend",
    ]


def test_a_witness_becomes_json_with_numbers_as_numbers() -> None:
    witness = {"预算金额": "47000", "单价": "0.5", "资产类别": "服务器", "开始日期": "2025-01-01"}
    told = finding_json(Finding(Severity.ERROR, Code.GAP, "缺一行。", witness=witness))
    assert told["witness"] == {"预算金额": 47000, "单价": 0.5, "资产类别": "服务器", "开始日期": "2025-01-01"}


def test_a_number_that_json_would_round_stays_text() -> None:
    exact = "12345678901234567.25"
    told = finding_json(Finding(Severity.ERROR, Code.GAP, "缺一行。", witness={"预算金额": exact}))
    assert told["witness"] == {"预算金额": exact}
