"""Our engine on decision tables of the DMN TCK: every case, or one line why its table is not run."""

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from rules.conditions import Value
from rules.engine import Status
from tests.rules.feel import Case, Unsupported, cases_of, load, outcome, plain, table_of

NOT_RUN = {
    "0008-listGen/listGen5",  # results are variables
    "0017-tableTests/dateCompare2",  # the end of a comparison is a variable
    "0017-tableTests/priceInRange",  # the ends of an interval are variables
}


@pytest.mark.data
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
            got = outcome(raw, table, case)
            right += got == case.expected
            if got != case.expected:
                wrong[case.id] = (case.expected, got)
    assert not wrong
    assert not_run == NOT_RUN
    assert right == 24


def a_table(policy: str, *rows: tuple[str, str], kind: str = "number", **output: object) -> dict[str, object]:
    return {
        "id": "own",
        "hit_policy": policy,
        "aggregation": None,
        "inputs": [{"expr": "x", "type": kind, "allowed": None}],
        "outputs": [{"name": None, "values": None, "default": None, **output}],
        "rules": [{"in": [test], "out": [result]} for test, result in rows],
    }


@pytest.mark.parametrize(
    ("kind", "test", "inside", "outside"),
    [
        ("number", "[1..3),(7..9]", ["1", "2.9", "9"], ["3", "7", "9.1"]),
        ("number", "]1..3[", ["2"], ["1", "3"]),
        ("number", "not(1, >5)", ["0", "5"], ["1", "6"]),
        ("number", "<-1.5, .5", ["-2", "0.5"], ["-1.5", "0"]),
        ("string", '"a, b","c"', ["a, b", "c"], ["a", "b"]),
        ("string", 'not("a","c")', ["b", ""], ["a", "c"]),
        ("date", '>= date("2024-02-29")', ["2024-02-29"], ["2024-02-28"]),
        ("date", '@"2024-02-29"', ["2024-02-29"], ["2024-03-01"]),
    ],
)
def test_the_kinds_of_cells_that_are_read_mean_what_feel_says(
    kind: str, test: str, inside: list[str], outside: list[str]
) -> None:
    raw = a_table("UNIQUE", (test, "true"), kind=kind, default="false")
    table = table_of(raw)
    for texts, expected in ((inside, True), (outside, False)):
        for text in texts:
            case = Case("own", {"x": value(kind, text)}, plain(expected))
            assert outcome(raw, table, case) == case.expected, text


def test_a_clash_is_no_result_and_no_row_without_a_default_is_null() -> None:
    raw = a_table("ANY", ("<5", "1"), (">3", "2"), ("10", "2"))
    table = table_of(raw)
    got = [outcome(raw, table, Case("own", {"x": value("number", text)}, None)) for text in ("4", "10", "1")]
    assert got == [Status.CONFLICT, value("number", "2"), value("number", "1")]
    empty = a_table("UNIQUE", ("<5", "1"))
    assert outcome(empty, table_of(empty), Case("own", {"x": value("number", "5")}, None)) is None


@pytest.mark.parametrize("cell", ["> y", "[a..b]", 'duration("P1D")'])
def test_a_cell_that_needs_an_expression_is_named_and_not_guessed(cell: str) -> None:
    with pytest.raises(Unsupported):
        table_of(a_table("UNIQUE", (cell, "1")))


def value(kind: str, text: str) -> Value:
    if kind == "number":
        return Decimal(text)
    return date.fromisoformat(text) if kind == "date" else text
