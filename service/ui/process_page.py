"""The page of one process: its rules, fields, steps and test cases as they are written, trials, versions."""

from collections.abc import Iterable, Sequence

from starlette.concurrency import run_in_threadpool

from rules.findings import FindingJson, Severity
from rules.loader import CASES as CASES_SHEET
from rules.loader import CHANGES, GAPS, INFO, MATERIALS, NODES
from rules.loader import FIELDS as FIELDS_SHEET
from rules.sheets.grid import Sheet
from rules.spelling import plain
from service.access import Role
from service.bootstrap import Parts
from service.process.offered import form_name
from service.ui import pages
from service.ui.elements import box, icon, words
from service.ui.frame import PROCESSES, frame
from service.ui.pages import Visit
from service.ui.process_addresses import (
    CASES,
    FIELDS,
    RECORD,
    RULES,
    STEPS,
    TRIAL,
    VERSIONS,
    process_address,
)
from service.ui.process_cases import show_cases
from service.ui.process_files import template_link
from service.ui.process_findings import draw_findings
from service.ui.process_grids import Grid, Row, grid_of, is_table
from service.ui.process_head import draw_head
from service.ui.process_record import RecordView
from service.ui.process_shown import Shown, load_shown
from service.ui.process_table import Extra, GridView
from service.ui.process_trial import TrialView
from service.ui.process_versions import Kept, VersionsView, kept
from service.ui.process_words import counts_words, severity_of
from service.ui.sections import sections
from service.ui.sessions import Sessions

SIDES = {
    RULES: "规则表",
    FIELDS: "字段",
    STEPS: "节点与材料",
    TRIAL: "试算",
    CASES: "测试用例",
    VERSIONS: "版本",
    RECORD: "记录",
}
SHEETS = {
    RULES: (GAPS,),
    FIELDS: (INFO, FIELDS_SHEET),
    STEPS: (NODES, MATERIALS),
    CASES: (CASES_SHEET,),
    VERSIONS: (CHANGES,),
}
UNREADABLE = "这个工作簿读不成流程，没有可以试算的。请先按发现的问题改正。"


def register(parts: Parts, sessions: Sessions) -> None:
    pages.register("/processes/{process:path}", parts, sessions, _build, Role.READER)


async def _build(visit: Visit) -> None:
    process_id, version, draft = visit.asked("process"), visit.asked("version"), visit.asked("draft")
    parts, principal = visit.parts, visit.principal
    shown = await run_in_threadpool(load_shown, parts, principal, process_id, version, draft)
    found = await run_in_threadpool(kept, parts, principal, process_id)
    side = visit.asked("side")
    if side not in SIDES or (side == RECORD and not principal.allows(Role.PROCESS_ADMIN)):
        side = RULES
    title = shown.subject.name or process_id
    with frame(title, room=PROCESSES, principal=principal, signed_in=visit.visitor.signs_in):
        draw_head(visit, shown, found)
        _sides(visit, shown, side)
        _homeless(shown)
        await _SHOW[side](visit, shown, found)


def _sides(visit: Visit, shown: Shown, current: str) -> None:
    """Each with how many findings stand on it, so that none has to be looked for."""
    named: dict[str, str] = {}
    for side, name in SIDES.items():
        if side == RECORD and not visit.principal.allows(Role.PROCESS_ADMIN):
            continue
        count = sum(_home(each) == side and severity_of(each) is not Severity.INFO for each in shown.findings)
        subject = None if shown.by_day else shown.subject
        named[f"{name}（{count}）" if count else name] = process_address(shown.id, side, subject)
    chosen = list(SIDES).index(current)
    sections(named, list(named)[min(chosen, len(named) - 1)])
    _sum_up(shown.findings)


def _sum_up(findings: Sequence[FindingJson]) -> None:
    present = {severity_of(each) for each in findings}
    if not present - {Severity.INFO}:
        return
    faulty = Severity.ERROR in present
    with box("p", "problem", role="alert" if faulty else "status"):
        icon("warning")
        must = "改好错误才能发布。" if faulty else ""
        words("span", f"检查发现 {counts_words(findings)}，分别写在所说的那一行旁边。{must}")


def _home(finding: FindingJson) -> str:
    """The side on which a finding stands; empty for one about no sheet that is shown."""
    title = plain(finding["sheet"])
    if is_table(title):
        return RULES
    return next((side for side, titles in SHEETS.items() if title in titles), "")


def _homeless(shown: Shown) -> None:
    """What is about the file as a whole, or about a sheet that there is not."""
    present = {plain(sheet.title) for sheet in shown.sheets}
    loose = [each for each in shown.findings if not _home(each) or plain(each["sheet"]) not in present]
    if loose:
        with box("section", aria_label="关于整个工作簿"):
            draw_findings(loose)


async def _rules(visit: Visit, shown: Shown, found: Kept) -> None:
    tables = [sheet for sheet in shown.sheets if is_table(sheet.title)]
    if not tables:
        words("p", "这个工作簿里没有决策表。", "list-note")
    await _grids(visit, shown, [*tables, *_named(shown, SHEETS[RULES])])


async def _fields(visit: Visit, shown: Shown, found: Kept) -> None:
    await _grids(visit, shown, _named(shown, SHEETS[FIELDS]))


async def _steps(visit: Visit, shown: Shown, found: Kept) -> None:
    await _grids(visit, shown, _named(shown, (NODES,)))
    for sheet in _named(shown, (MATERIALS,)):
        grid = grid_of(sheet, shown.findings)
        await GridView(visit, shown, grid, extra=_template_column(shown, grid)).show()


def _template_column(shown: Shown, grid: Grid) -> Extra:
    there = {form_name(each.name): each.name for each in shown.subject.templates}

    def template(row: Row) -> None:
        name = there.get(form_name(grid.at(row, "模板文件")))
        if name:
            template_link(shown.subject, name)

    return Extra("模板", template)


async def _trial(visit: Visit, shown: Shown, found: Kept) -> None:
    if shown.process is None:
        words("p", UNREADABLE, "list-note")
    else:
        await TrialView(visit, shown, shown.process).show()


async def _cases(visit: Visit, shown: Shown, found: Kept) -> None:
    sheets = _named(shown, SHEETS[CASES])
    if not sheets:
        words("p", "这个工作簿里没有「测试用例」表。", "list-note")
    for sheet in sheets:
        await show_cases(visit, shown, sheet)


async def _versions(visit: Visit, shown: Shown, found: Kept) -> None:
    await VersionsView(visit, shown, found).show()
    await _grids(visit, shown, _named(shown, SHEETS[VERSIONS]))


async def _record(visit: Visit, shown: Shown, found: Kept) -> None:
    await RecordView(visit, shown).show()


_SHOW = {
    RULES: _rules,
    FIELDS: _fields,
    STEPS: _steps,
    TRIAL: _trial,
    CASES: _cases,
    VERSIONS: _versions,
    RECORD: _record,
}


async def _grids(visit: Visit, shown: Shown, sheets: Iterable[Sheet]) -> None:
    for sheet in sheets:
        await GridView(visit, shown, grid_of(sheet, shown.findings)).show()


def _named(shown: Shown, titles: Sequence[str]) -> list[Sheet]:
    return [sheet for title in titles for sheet in shown.sheets if plain(sheet.title) == title]
