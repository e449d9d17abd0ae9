"""One case put to a workbook: values read as its cells are, the row that decides, what kept others."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.loader import load
from rules.table import Process
from service.errors import BadRequest, Conflict
from service.process.evaluating import evaluated, evaluation_json, read_facts
from tests.service.process.kept import workbook

TODAY = date(2026, 11, 30)


@cache
def process(**cells: str) -> Process:
    found = load(workbook(**cells)).process
    assert found is not None
    return found


def told(texts: Mapping[str, str], *, matrix: bool = False, **cells: str) -> Any:
    found = process(**cells)
    return evaluation_json(evaluated(found, read_facts(found, texts), TODAY, matrix=matrix))


def test_a_matched_case_names_its_row_and_the_nearest_others() -> None:
    found = told({"申领金额": "800", "category": "手套", "是否紧急": "加急"})
    assert (found["status"], found["action"], found["message"]) == ("matched", "card", "")
    assert found["card"]["path"] == "简易加急" and found["card"]["basis"]["rows"] == ["R02"]
    assert [value["value"] for value in found["card"]["values"]] == ["800元", "劳保用品", "是"]
    table = found["tables"][0]
    assert table["hits"] == table["deciding"] == ["R02"]
    assert table["matched"][0]["row"] == 7
    nearest = {row["rule"]: row["conditions"] for row in table["nearest"]}
    assert nearest["R01"] == [{"column": "是否紧急", "cell": "否", "truth": "false"}]
    assert "matrix" not in table


def test_the_full_matrix_says_what_every_condition_of_every_row_says() -> None:
    table = told({"申领金额": "5000", "物品类别": "图书", "是否紧急": "否"}, matrix=True)["tables"][0]
    assert table["columns"] == ["申领金额(元)", "物品类别", "是否紧急"]
    assert {row["rule"]: row["truths"] for row in table["matrix"]} == {
        "R01": ["false", "true", "true"],
        "R02": ["false", "true", "false"],
        "R03": ["true", "true", "true"],
        "R04": ["true", "false", "true"],
    }


def test_what_is_missing_is_named_with_its_question() -> None:
    found = told({"物品类别": "图书", "是否紧急": " "})
    assert (found["status"], found["card"]) == ("missing", None)
    assert [each["code"] for each in found["missing"]] == ["amount", "urgent"]
    assert found["missing"][0]["question"] == "请问这次申领一共多少元？"


def test_a_declared_gap_gives_its_reason_and_whom_to_ask() -> None:
    found = told({"申领金额": "5万", "物品类别": "图书", "是否紧急": "否"}, 流程信息_B4="李雯 8012")
    assert found["status"] == "uncovered" and found["gap"]["id"] == "G01"
    assert "5 万元以上请走采购流程" in found["message"] and "李雯 8012" in found["message"]


def test_rows_that_clash_are_named_and_nothing_is_chosen() -> None:
    found = told({"申领金额": "1", "物品类别": "图书", "是否紧急": "否"}, 决策表_D7="否")
    assert (found["status"], found["card"]) == ("conflict", None)
    assert "R01、R02" in found["message"]


def test_every_value_that_cannot_be_used_is_named_with_the_fields_own_words() -> None:
    texts = {
        "申领金额": "约五千",
        "物品类别": "服务器",
        "颜色": "红",
        "是否紧急": "也许",
        "amount": "5",
        "申领部门": "",
    }
    with pytest.raises(BadRequest) as raised:
        read_facts(process(), texts)
    problems = raised.value.details["problems"]
    assert isinstance(problems, list)
    assert [each["field"] for each in problems] == ["申领金额", "物品类别", "颜色", "是否紧急"]
    assert problems[0]["mend"] == "金额需要大于 0，不超过 100 万元。"
    assert raised.value.code == "invalid_facts"


@pytest.mark.parametrize("text", ["0", "-5", "100万零1元", "1000001"])
def test_a_value_outside_of_the_fields_range_is_refused(text: str) -> None:
    with pytest.raises(BadRequest, match="申领金额"):
        read_facts(process(), {"申领金额": text})


def test_a_field_said_twice_is_refused() -> None:
    with pytest.raises(BadRequest, match="写了两次"):
        read_facts(process(), {"申领金额": "5", "amount": "6"})


def test_a_table_that_names_an_unknown_node_is_told_not_crashed() -> None:
    found = replace(process(), nodes=())
    facts = read_facts(found, {"申领金额": "1", "物品类别": "图书", "是否紧急": "否"})
    with pytest.raises(Conflict, match="部门审批"):
        evaluated(found, facts, TODAY)


NAMES = st.sampled_from(["申领金额", "category", "是否紧急", "申领部门", "颜色", ""])
TEXTS = st.text(max_size=12) | st.sampled_from(
    ["8万", "５０００", "0", "书", "加急", "否", "1e5", "5000.001", "--"]
)


@given(texts=st.dictionaries(NAMES, TEXTS, max_size=5))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_or_refused_by_name_and_what_is_read_is_decided(texts: dict[str, str]) -> None:
    found = process()
    try:
        facts = read_facts(found, texts)
    except BadRequest as refused:
        problems = refused.details["problems"]
        assert isinstance(problems, list) and problems
        assert all(each["field"] in texts and each["message"] for each in problems)
        return
    told = evaluation_json(evaluated(found, facts, TODAY, matrix=True))
    assert told["action"] in ("card", "no_match", "conflict", "ask")
    assert (told["card"] is not None) == (told["action"] == "card")
    assert {each["field"] for each in told["facts"]} == set(facts)  # type: ignore[index,union-attr]
