"""What a table answers, what is still open, and why: by example, and against a row-by-row evaluator."""

from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.conditions import Truth, Value
from rules.engine import CompiledTable, Outcome, Status, evaluate
from rules.policies import NotANumber, clash
from rules.table import HitPolicy, Output, ResultKind
from tests.rules.building import AMOUNT, DAY, KIND, URGENT, dated, facts, table
from tests.rules.drawn import Drawn, naive_hits, representatives, tables

FIELDS = (AMOUNT, KIND, URGENT)
ROWS = [
    ("不满5万", "除 车辆 外", "否"),
    ("不满5万", "除 车辆 外", "是"),
    ("5万以上且不满20万", "服务器", "任意"),
    ("5万以上且不满20万", "软件", "任意"),
    ("任意", "车辆", "任意"),
]
PATHS = table(HitPolicy.UNIQUE, FIELDS, ROWS)


def ids(found: Outcome) -> list[str]:
    return [rule.id for rule in found.hits]


def test_a_case_that_meets_one_row_matches_it_and_gives_its_results() -> None:
    found = evaluate(PATHS, facts(FIELDS, amount="8万", kind="服务器", urgent="是"), DAY)
    assert found.status is Status.MATCHED
    assert ids(found) == ["R3"]
    assert found.results == (("R3",),)


@pytest.mark.parametrize(("amount", "row"), [("49999.99", "R1"), ("50000", "R3"), ("199999.99", "R3")])
def test_a_boundary_belongs_to_the_row_that_says_so(amount: str, row: str) -> None:
    assert ids(evaluate(PATHS, facts(FIELDS, amount=amount, kind="服务器", urgent="否"), DAY)) == [row]


def test_a_case_without_a_row_is_uncovered_and_the_near_rows_say_what_failed() -> None:
    found = evaluate(PATHS, facts(FIELDS, amount="20万", kind="服务器", urgent="否"), DAY)
    assert found.status is Status.UNCOVERED
    nearest = found.nearest[0]
    assert nearest.rule.id == "R3"
    assert [(each.column, each.cell, each.truth) for each in nearest.conditions] == [
        ("预算金额", "5万以上且不满20万", Truth.FALSE)
    ]


def test_a_number_that_just_misses_is_nearer_than_another_word() -> None:
    wide = table(HitPolicy.UNIQUE, (AMOUNT, KIND), [("不满5万", "软件"), ("5万以上", "服务器")])
    found = evaluate(wide, facts(FIELDS, amount="6万", kind="软件"), DAY)
    assert [each.rule.id for each in found.nearest] == ["R1", "R2"]


def test_two_rows_under_unique_are_a_conflict_that_names_both() -> None:
    both = table(HitPolicy.UNIQUE, (AMOUNT,), [("不超过5万",), ("5万以上",)])
    found = evaluate(both, facts(FIELDS, amount="5万"), DAY)
    assert (found.status, ids(found), found.results) == (Status.CONFLICT, ["R1", "R2"], ())


@pytest.mark.parametrize(("second", "status"), [("一般", Status.MATCHED), ("加急", Status.CONFLICT)])
def test_two_rows_under_any_conflict_only_when_their_results_differ(second: str, status: Status) -> None:
    both = table(HitPolicy.ANY, (AMOUNT,), [("任意",), ("5万以上",)], results=[("一般",), (second,)])
    assert evaluate(both, facts(FIELDS, amount="5万"), DAY).status is status


def test_a_missing_value_leaves_the_rows_it_could_still_meet_undecided() -> None:
    found = evaluate(PATHS, facts(FIELDS, kind="服务器"), DAY)
    assert found.status is Status.MISSING
    assert found.undecided == ("预算金额", "是否紧急")
    assert evaluate(PATHS, facts(FIELDS, amount="8万", kind="服务器"), DAY).status is Status.MATCHED


def test_under_first_what_stands_behind_the_deciding_row_is_not_asked() -> None:
    rows = [("任意", "车辆"), ("5万以上", "任意")]
    first = table(HitPolicy.FIRST, (AMOUNT, KIND), rows)
    assert evaluate(first, facts(FIELDS, kind="车辆"), DAY).status is Status.MATCHED
    assert evaluate(first, facts(FIELDS, amount="8万"), DAY).undecided == ("资产类别",)


def test_a_value_known_to_be_absent_meets_only_anything() -> None:
    first = table(HitPolicy.FIRST, (AMOUNT, KIND), [("5万以上", "软件"), ("任意", "软件")])
    said = facts(FIELDS, kind="软件")
    assert evaluate(first, said, DAY).undecided == ("预算金额",)
    found = evaluate(first, said, DAY, absent=("预算金额",))
    assert (found.status, ids(found)) == (Status.MATCHED, ["R2"])


def test_rows_count_from_their_first_day_up_to_their_last() -> None:
    changed = dated(
        table(HitPolicy.UNIQUE, (KIND,), [("软件",), ("软件",)]), {"R1": (None, DAY), "R2": (DAY, None)}
    )
    said = facts(FIELDS, kind="软件")
    assert ids(evaluate(changed, said, DAY)) == ["R2"]
    assert ids(evaluate(changed, said, DAY.replace(day=DAY.day, month=5))) == ["R1"]


@pytest.mark.parametrize(
    ("policy", "results"),
    [
        (HitPolicy.COLLECT, ((Decimal("0.1"),), (Decimal("0.2"),))),
        (HitPolicy.RULE_ORDER, ((Decimal("0.1"),), (Decimal("0.2"),))),
        (HitPolicy.COLLECT_SUM, ((Decimal("0.3"),),)),
        (HitPolicy.COLLECT_MIN, ((Decimal("0.1"),),)),
        (HitPolicy.COLLECT_MAX, ((Decimal("0.2"),),)),
        (HitPolicy.COLLECT_COUNT, ((Decimal(2),),)),
        (HitPolicy.FIRST, ((Decimal("0.1"),),)),
    ],
)
def test_a_policy_makes_its_results_of_the_rows_that_match(policy: HitPolicy, results: object) -> None:
    found = table(policy, (KIND,), [("任意",), ("软件",)], results=[(Decimal("0.1"),), (Decimal("0.2"),)])
    assert evaluate(found, facts(FIELDS, kind="软件"), DAY).results == results


def test_priority_takes_the_best_result_whatever_the_order_of_rows() -> None:
    outputs = (Output("路径", ResultKind.PATH, priority=("严", "宽")),)
    rows, results = [("任意",), ("软件",)], [("宽",), ("严",)]
    said = facts(FIELDS, kind="软件")
    best = table(HitPolicy.PRIORITY, (KIND,), rows, outputs=outputs, results=results)
    assert evaluate(best, said, DAY).results == (("严",),)
    ordered = table(HitPolicy.OUTPUT_ORDER, (KIND,), rows, outputs=outputs, results=results)
    assert evaluate(ordered, said, DAY).results == (("严",), ("宽",))


def test_a_sum_is_exact_beyond_the_usual_precision() -> None:
    numbers = (Decimal("1E+40"), Decimal("0.01"))
    total = table(HitPolicy.COLLECT_SUM, (KIND,), [("任意",)] * 2, results=[(each,) for each in numbers])
    found = evaluate(total, facts(FIELDS, kind="软件"), DAY).results
    assert found == ((Decimal(f"1{'0' * 40}.01"),),)


def test_words_cannot_be_added_up() -> None:
    total = table(HitPolicy.COLLECT_SUM, (KIND,), [("任意",)])
    with pytest.raises(NotANumber, match="R1"):
        evaluate(total, facts(FIELDS, kind="软件"), DAY)


def test_the_matrix_has_a_truth_for_every_condition_of_every_row() -> None:
    found = CompiledTable(PATHS, DAY).matrix(facts(FIELDS, amount="8万", kind="服务器"))
    assert [row.rule.id for row in found] == ["R1", "R2", "R3", "R4", "R5"]
    assert found[0].truths == (Truth.FALSE, Truth.TRUE, Truth.MISSING)
    assert found[2].truths == (Truth.TRUE, Truth.TRUE, Truth.TRUE)


def test_at_most_five_near_rows_are_told_fewest_failures_first() -> None:
    rows = [(f"{at}万以上且不满{at + 1}万", "服务器", "否") for at in range(10)]
    found = evaluate(
        table(HitPolicy.UNIQUE, FIELDS, rows), facts(FIELDS, amount="20万", kind="软件", urgent="否"), DAY
    )
    counts = [len(each.conditions) for each in found.nearest]
    assert counts == [2] * 5
    assert found.nearest[0].rule.id == "R10"


@given(tables())
def test_the_rows_that_match_are_always_those_a_row_by_row_evaluator_finds(drawn: Drawn) -> None:
    points = list(drawn.points())
    said = [{name: value for name, value in point.items() if value is not None} for point in points]
    found = CompiledTable(drawn.table, DAY).hits(said)
    for point, rules in zip(points, found, strict=True):
        assert {rule.id for rule in rules} == {rule.id for rule in naive_hits(drawn.table, point)}


@given(tables(width=2), st.data())
def test_an_outcome_that_leaves_nothing_undecided_stays_whatever_is_said_later(
    drawn: Drawn, data: st.DataObject
) -> None:
    names = [field.name for field in drawn.fields]
    known = data.draw(st.sets(st.sampled_from(names)))
    said = {f.name: data.draw(st.sampled_from(representatives(f))) for f in drawn.fields if f.name in known}
    compiled = CompiledTable(drawn.table, DAY)
    found = compiled.evaluate(said)
    assert set(found.undecided) <= set(names) - known
    if not found.undecided:
        for point in completions(drawn, said):
            later = compiled.evaluate(point, absent=names)
            assert (later.status, later.results) == (found.status, found.results)


@given(tables(policies=(HitPolicy.COLLECT,), width=2), st.data())
def test_each_undecided_field_alone_could_still_change_which_rows_match(
    drawn: Drawn, data: st.DataObject
) -> None:
    names = [field.name for field in drawn.fields]
    known = data.draw(st.sets(st.sampled_from(names)))
    said = {f.name: data.draw(st.sampled_from(representatives(f))) for f in drawn.fields if f.name in known}
    found = CompiledTable(drawn.table, DAY).evaluate(said)
    hits = {
        tuple(sorted(point.items(), key=str)): {rule.id for rule in naive_hits(drawn.table, dict(point))}
        for point in completions(drawn, said)
    }
    for name in set(names) - known:
        rest: dict[object, set[frozenset[str]]] = {}
        for key, rows in hits.items():
            others = tuple(pair for pair in key if pair[0] != name)
            rest.setdefault(others, set()).add(frozenset(rows))
        assert (name in found.undecided) == any(len(outcomes) > 1 for outcomes in rest.values())


@given(tables(), st.data())
def test_near_rows_never_match_and_come_with_what_kept_them_from_it(
    drawn: Drawn, data: st.DataObject
) -> None:
    point = data.draw(st.sampled_from(list(drawn.points())))
    said = {name: value for name, value in point.items() if value is not None}
    compiled = CompiledTable(drawn.table, DAY)
    found = compiled.evaluate(said)
    rows = {row.rule.id: row.truths for row in compiled.matrix(said)}
    assert len(found.nearest) == min(5, len(rows) - len(found.hits))
    counts = []
    for reading in found.nearest:
        truths = rows[reading.rule.id]
        assert [each.truth for each in reading.conditions] == [
            each for each in truths if each is not Truth.TRUE
        ]
        assert reading.conditions
        counts.append((truths.count(Truth.FALSE), truths.count(Truth.MISSING)))
    assert counts == sorted(counts)
    assert clash(drawn.table.policy, found.hits) == (found.status is Status.CONFLICT)


def completions(drawn: Drawn, said: dict[str, Value]) -> list[dict[str, Value]]:
    """Every way to say the rest, or not to."""
    open_ = [field for field in drawn.fields if field.name not in said]
    found = []
    for values in product(*((*representatives(field), None) for field in open_)):
        rest = {field.name: value for field, value in zip(open_, values, strict=True) if value is not None}
        found.append({**said, **rest})
    return found


def test_sets_of_hits_are_remembered_only_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.engine.REMEMBERED", 8)
    rows = table(HitPolicy.COLLECT, (AMOUNT,), [("任意",), *((f"{at}以上",) for at in range(1, 6))])
    compiled = CompiledTable(rows, DAY)
    points = [{"预算金额": Decimal(at)} for at in (5, 1, 3, 5, 2, 4, 0)]
    assert [len(hits) for hits in compiled.hits(points)] == [6, 2, 4, 6, 3, 5, 1]
