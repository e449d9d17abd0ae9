"""Our check on decision tables of Drools' analyser, whose grids say which rows match at every point."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from rules.checking.periods import Period
from rules.checking.space import Space, space_of
from rules.checking.survey import Survey, survey
from rules.conditions import Interval, Truth, Value, Within, meets
from rules.engine import CompiledTable, Status
from rules.policies import clash
from rules.regions import Box
from rules.table import DecisionTable, HitPolicy
from tests.rules.feel import FOREVER, Unsupported, load, plain, point_value, table_of

pytestmark = pytest.mark.data

READ_FOR_CONDITIONS_ALONE = {"drools/posDoubleNegHalf"}  # its results are expressions


@dataclass(frozen=True)
class Example:
    raw: Mapping[str, object]
    table: DecisionTable
    space: Space
    survey: Survey

    def gaps(self) -> list[Box]:
        return [self.space.box(hole.cells) for hole in self.survey.holes]

    def overlaps(self) -> list[tuple[set[str], Box]]:
        return [
            ({rule.id for rule in self.space.rules_of(each.rows)}, self.space.box(cells))
            for each in self.survey.shared
            for cells in each.boxes
        ]

    def points(self) -> Iterator[tuple[dict[str, Value], set[str]]]:
        for each in self.raw["grid"]:  # type: ignore[attr-defined]
            names = [column.field for column in self.table.inputs]
            values = [point_value(value) for value in each["point"]]
            yield dict(zip(names, values, strict=True)), {str(row) for row in each["hits"]}


@pytest.fixture(scope="module")
def examples(shared_data: Path) -> list[Example]:
    found, replaced = [], set()
    for path in sorted((shared_data / "dmn" / "static").glob("*.json")):
        raw = load(path)
        try:
            table = table_of(raw)
        except Unsupported:
            replaced.add(str(raw["id"]))
            table = table_of(
                {**raw, "rules": [{**rule, "out": ['""'] * len(rule["out"])} for rule in raw["rules"]]}
            )  # type: ignore[attr-defined]
        space = space_of(table)
        found.append(Example(raw, table, space, survey(space, [Period(None, None, FOREVER)])))
    assert replaced == READ_FOR_CONDITIONS_ALONE
    assert len(found) == 10
    return found


def test_the_rows_that_match_at_every_grid_point_are_the_expected_ones(examples: list[Example]) -> None:
    for example in examples:
        points = list(example.points())
        hits = CompiledTable(example.table, FOREVER).hits([point for point, _ in points])
        assert [{rule.id for rule in rules} for rules in hits] == [expected for _, expected in points], (
            example.table.name
        )


def test_a_grid_point_is_in_a_gap_exactly_when_no_row_matches(examples: list[Example]) -> None:
    for example in examples:
        gaps = example.gaps()
        for point, hits in example.points():
            assert any(point in gap for gap in gaps) == (not hits), (example.table.name, point)


def test_a_grid_point_is_in_an_overlap_of_exactly_the_rows_that_match_there(examples: list[Example]) -> None:
    for example in examples:
        overlaps = example.overlaps()
        for point, hits in example.points():
            found = [rows for rows, box in overlaps if point in box]
            assert found == ([hits] if len(hits) > 1 else []), (example.table.name, point)


def test_a_clash_at_a_grid_point_is_a_conflict_and_no_row_is_uncovered(examples: list[Example]) -> None:
    for example in examples:
        compiled = CompiledTable(example.table, FOREVER)
        for point, hits in example.points():
            found = compiled.evaluate(point)
            assert (found.status is Status.UNCOVERED) == (not hits)
            if found.status is Status.CONFLICT:
                assert {rule.id for rule in found.hits} == hits
            assert (found.status is Status.CONFLICT) == clash(example.table.policy, found.hits)


def test_the_regions_drools_asserts_are_the_regions_found(examples: list[Example]) -> None:
    for example in examples:
        expect = example.raw["expect"]
        assert isinstance(expect, dict)
        sides = [list(expect["gaps"] or []), [each["box"] for each in expect["overlaps"] or []]]
        found = [example.gaps(), [box for _, box in example.overlaps()]]
        for boxes, ours, known in zip(sides, found, ("gaps", "overlaps"), strict=True):
            if expect[known] is not None:
                for point, _ in example.points():
                    inside = any(drools_holds(box, list(point.values())) for box in boxes)
                    assert inside == any(point in box for box in ours), (example.table.name, known, point)


def test_a_masked_row_never_decides_once_the_order_of_results_is_known(examples: list[Example]) -> None:
    example = next(each for each in examples if each.table.name == "drools/MaskBasic")
    ranked = DecisionTable(
        "masked",
        "",
        HitPolicy.PRIORITY,
        example.table.inputs,
        tuple(type(output)(output.name, priority=("NO", "OK")) for output in example.table.outputs),
        example.table.rules,
    )
    found = survey(space_of(ranked), [Period(None, None, FOREVER)])
    assert [(idle.rule.id, [rule.id for rule in idle.behind]) for idle in found.idle] == [("1", ["2"])]


def drools_holds(box: Sequence[object], point: Sequence[Value]) -> bool:
    return all(_side_holds(side, value) for side, value in zip(box, point, strict=True))


def _side_holds(side: object, value: Value) -> bool:
    if side is None:
        return True
    assert isinstance(side, dict)
    if "values" in side:
        return value in [plain(each) for each in side["values"]]
    ends = [None if side[end] is None else point_value(side[end]) for end in ("lo", "hi")]
    low, high = (None if isinstance(end, str) else end for end in ends)
    interval = Interval(low, high, bool(side["lo_closed"]), bool(side["hi_closed"]))
    return meets(Within((interval,)), value) is Truth.TRUE
