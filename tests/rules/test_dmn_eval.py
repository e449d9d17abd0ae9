"""Our engine on decision tables of the DMN TCK: every case, or one line why its table is not run."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from rules.engine import CompiledTable, Status
from rules.table import SINGLE_HIT, DecisionTable
from tests.rules.feel import FOREVER, Case, Unsupported, cases_of, load, plain, table_of

pytestmark = pytest.mark.data

NOT_RUN = {
    "0008-listGen/listGen5",  # results are variables
    "0017-tableTests/dateCompare2",  # the end of a comparison is a variable
    "0017-tableTests/priceInRange",  # the ends of an interval are variables
}


def test_every_case_of_a_readable_table_gives_the_expected_results(shared_data: Path) -> None:
    not_run, wrong, right = set(), {}, 0
    for path in sorted((shared_data / "dmn" / "eval").glob("*.json")):
        raw = load(path)
        try:
            table = table_of(raw)
        except Unsupported:
            not_run.add(str(raw["id"]))
            continue
        for case in cases_of(raw):
            got = outcome(table, case)
            right += got == case.expected
            if got != case.expected:
                wrong[case.id] = (case.expected, got)
    assert not wrong
    assert not_run == NOT_RUN
    assert right == 24


def outcome(table: DecisionTable, case: Case) -> object:
    """In the form of the data: one value, one per output by name, or a list of them."""
    found = CompiledTable(table, FOREVER).evaluate(case.given)
    assert found.status is Status.MATCHED
    rows = [_row(table, results) for results in found.results]
    single = (
        table.policy in SINGLE_HIT
        or len(rows) == 1
        and table.policy.value.startswith("收集")
        and table.policy.value != "收集"
    )
    return rows[0] if single else rows


def _row(table: DecisionTable, results: tuple[object, ...]) -> object:
    if len(results) == 1:
        return plain(results[0])
    named: Mapping[str, object] = {
        output.name: plain(each) for output, each in zip(table.outputs, results, strict=True)
    }
    return named
