"""The table that speed is measured on is sound, and the reference agrees with the engine on it."""

from rules.check import check
from rules.engine import CompiledTable
from service.evaluation.rules_speed import DAY, bench_rules, random_cases, row_by_row, sound_process

ROWS = 60


def test_the_table_measured_has_no_findings() -> None:
    process = sound_process(ROWS)
    assert len(process.main.rules) == 63
    assert check(process) == ()


def test_every_case_measured_has_the_one_row_the_reference_finds() -> None:
    process = sound_process(ROWS)
    cases = random_cases(process.fields, 200)
    found = CompiledTable(process.main, DAY).hits(cases)
    assert found == [tuple(row_by_row(process.main, each)) for each in cases]
    assert {len(rules) for rules in found} == {1}


def test_the_figures_name_rates_and_their_ratio_to_the_reference() -> None:
    figures = bench_rules(ROWS, 100, seconds=0.01)["rules"]
    rates = figures["per_second"]
    assert figures["table"] == {"rows": 63.0, "columns": 4.0, "cases": 100.0}
    assert figures["times_row_by_row"]["hit_sets"] == rates["hit_sets"] / rates["row_by_row"]
    assert figures["milliseconds"]["check"] > 0
