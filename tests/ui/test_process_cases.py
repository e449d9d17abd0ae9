"""What came of a workbook's test cases: run and held, run and failed, or not run."""

import pytest

from rules.checking import cases
from rules.loader import load
from service.config import ASSETS
from service.ui.process_cases import results_of

PROCESS = load(ASSETS / "data" / "processes" / "用印申请.xlsx").process


def test_the_cases_of_a_sample_were_run_and_none_failed() -> None:
    assert PROCESS is not None
    results = results_of(PROCESS)
    assert results.run == {case.id for case in PROCESS.cases} and results.failed == {}


def test_cases_that_were_not_run_are_told_as_such_and_not_as_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cases, "BUDGET", 0)
    results = results_of(PROCESS)
    assert (results.run, results.failed) == (frozenset(), {})
