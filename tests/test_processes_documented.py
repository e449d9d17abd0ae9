"""docs/processes.md explains every finding and no other; what it shows of conditions can be written."""

import re

from rules.cells.reading import read_condition
from rules.findings import Code
from rules.table import FieldType, HitPolicy, Input
from tests.conftest import REPOSITORY

PAGE = (REPOSITORY / "docs" / "processes.md").read_text(encoding="utf-8")


def test_every_finding_is_explained_and_nothing_else() -> None:
    cells = re.findall(r"^\| ((?:`[a-z_]+` ?)+)\|", PAGE, re.M)
    explained = [code for cell in cells for code in re.findall(r"`([a-z_]+)`", cell)]
    assert sorted(explained) == sorted(code.value for code in Code)


def test_every_condition_that_is_shown_can_be_read() -> None:
    shown = re.findall(r"^\| (金额|整数|日期|单选|是否) \| `([^`]+)` \|", PAGE, re.M)
    assert {kind for kind, _ in shown} == {"金额", "整数", "日期", "单选", "是否"}
    options = ("服务器", "网络设备", "车辆")
    for kind, cell in shown:
        domain = options if kind == "单选" else ()
        assert read_condition(cell, Input("列", "列", FieldType(kind), domain))


def test_every_hit_policy_is_explained() -> None:
    section = PAGE.split("### 命中策略")[1].split("\n## ")[0]
    cells = re.findall(r"^\| ([^|]+) \|", section, re.M)
    named = {name for cell in cells for name in cell.split("、")}
    assert {policy.value for policy in HitPolicy} <= named
