"""The test cases of a workbook with what came of each."""

from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool

from rules.checking.cases import failed_cases
from rules.checking.periods import periods_of
from rules.findings import Code, Finding
from rules.sheets.grid import Sheet
from rules.table import Process
from service.ui.elements import box, icon, link, tag, words
from service.ui.pages import Visit
from service.ui.process_addresses import trial_address
from service.ui.process_grids import Row, grid_of
from service.ui.process_shown import Shown
from service.ui.process_table import Extra, GridView

EMPTY = "还没有测试用例。每条规则至少写一条，改表时就知道有没有改坏。"
NO_PLACE = "一条用例没有通过，工作簿就不能发布。"


@dataclass(frozen=True, slots=True)
class Results:
    """What the cases came to, by their ids; those that could not be read or were not run are in neither."""

    run: frozenset[str]
    failed: dict[str, Finding]


def results_of(process: Process | None) -> Results:
    if process is None:
        return Results(frozenset(), {})
    days = [period.day for period in periods_of(process)]
    found = {finding.value: finding for finding in failed_cases(process, days)}
    failed = {case: finding for case, finding in found.items() if finding.code is not Code.NOT_CHECKED}
    run = {case.id for case in process.cases} - (found.keys() - failed.keys())
    return Results(frozenset(run), failed)


async def show_cases(visit: Visit, shown: Shown, sheet: Sheet) -> None:
    results = await run_in_threadpool(results_of, shown.process)
    passed = len(results.run) - len(results.failed)
    with box("p", "verdict-line", role="status"):
        if results.failed:
            tag(f"{len(results.failed)} 条没有通过", "withdrawn")
        if results.run:
            tag(f"{passed} 条通过", "active")
    words("p", NO_PLACE, "hint")
    view = GridView(
        visit,
        shown,
        grid_of(sheet, shown.findings),
        extra=Extra("结果", lambda row: _result(shown, results, row)),
        empty=EMPTY,
    )
    await view.show()


def _result(shown: Shown, results: Results, row: Row) -> None:
    if row.key not in results.run:
        tag("没有运行")
        return
    with box("p", "case-result"):
        if row.key in results.failed:
            with box("span", "severity severity-error"):
                icon("close")
                words("span", "没有通过")
            if not row.findings:  # of a draft with rows that cannot be read the check runs no cases
                words("span", results.failed[row.key].message, "case-why")
        else:
            with box("span", "severity severity-good"):
                icon("check")
                words("span", "通过")
        link("试算", _trial(shown, row.key), aria_label=f"试算：用例 {row.key}")


def _trial(shown: Shown, case_id: str) -> str:
    process = shown.process
    case = next((each for each in process.cases if each.id == case_id), None) if process else None
    values = {}
    if process is not None and case is not None:
        known = ((process.field(name), text) for name, text in case.values.items())
        values = {field.code: text for field, text in known if field is not None}
    return trial_address(shown.subject, values)
