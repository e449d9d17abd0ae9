"""Each decision leaves who, what, by which rows of which version; usage counts them."""

from datetime import date

import pytest

from rules.flow import route
from rules.table import Process
from service.access import LOCAL, Principal, Role
from service.errors import Forbidden
from service.process.evaluating import read_facts
from service.store.decisions import MatchedRows, Origin
from tests.service.process.kept import ID, Kept, workbook

TODAY = date(2026, 11, 30)


def decide(kept: Kept, principal: Principal, **texts: str) -> Process:
    process = kept.library.on(TODAY)[0]
    facts = read_facts(process, texts)
    kept.decisions.record_decision(
        principal, process, facts, route(process, facts, TODAY), "offline", "card", origin=Origin.EVALUATE
    )
    return process


def test_a_decision_tells_version_inputs_rows_and_person(kept: Kept) -> None:
    kept.publish(workbook())
    process = decide(kept, LOCAL, 申领金额="5000", 物品类别="书", 是否紧急="不急")
    items, total = kept.decisions.page(LOCAL, ID)
    assert total == 1
    found = items[0]
    assert (found.digest, found.version, found.name) == (process.digest, "1.0", LOCAL.name)
    assert found.inputs == {"amount": "5000", "category": "图书", "urgent": "否"}
    assert found.matched == (MatchedRows(process.main.name, ("R03",)),)
    assert (found.origin, found.action, found.engine) == (Origin.EVALUATE, "card", "offline")


def test_usage_counts_actions_and_rows_the_most_used_first(kept: Kept) -> None:
    kept.publish(workbook())
    for amount in ("1", "2", "6000"):
        process = decide(kept, LOCAL, 申领金额=amount, 物品类别="图书", 是否紧急="否")
    kept.decisions.record_decision(LOCAL, process, {}, None, "offline", "ask")
    usage = kept.decisions.usage(LOCAL, ID)
    assert (usage.total, usage.by_action) == (4, {"card": 3, "ask": 1})
    assert [(each.rule, each.times) for each in usage.by_rule] == [("R01", 2), ("R03", 1)]
    assert kept.decisions.usage(LOCAL, "别的").total == 0


def test_pages_hold_the_latest_first(kept: Kept) -> None:
    kept.publish(workbook())
    for amount in ("1", "2", "3"):
        decide(kept, LOCAL, 申领金额=amount, 物品类别="图书", 是否紧急="否")
    first, total = kept.decisions.page(LOCAL, ID, 1, 2)
    second, _ = kept.decisions.page(LOCAL, ID, 2, 2)
    assert total == 3
    assert [each.inputs["amount"] for each in (*first, *second)] == ["3", "2", "1"]


@pytest.mark.parametrize("role", [Role.READER, Role.CONTRIBUTOR, Role.PROCESS_ADMIN])
def test_only_administrators_see_who_asked_what(kept: Kept, role: Role) -> None:
    with pytest.raises(Forbidden):
        kept.decisions.page(Principal("x", role=role), ID)
    with pytest.raises(Forbidden):
        kept.decisions.usage(Principal("x", role=role), ID)
