"""Runs the test cases a workbook brings along. A table whose cases fail cannot be published."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from rules.cells.reading import read_value
from rules.conditions import Value
from rules.engine import Status
from rules.faults import CellFault
from rules.findings import Code, Finding, Severity
from rules.flow import CompiledProcess, Route, UnknownName, needed
from rules.policies import NotANumber
from rules.spelling import plain
from rules.table import ASKED, CONFLICT, UNCOVERED, Facts, Process, TestCase
from rules.titles import CASES

BUDGET = 1_000_000
"""What running the cases may cost: a condition made ready for a day counts 1, a case on a day RUN.

About four seconds. Whoever dates each of a thousand rows differently has as many days as rows.
"""
RUN = 20


@dataclass(slots=True)
class _Open:
    """A case that has not held on any day yet, with what came out on the last."""

    case: TestCase
    facts: Facts
    got: str = ""
    materials: list[str] | None = None  # of the last day on which all else was as expected

    def holds(self, process: Process, found: Route) -> bool:
        self.got = told(process, self.facts, found)
        if _folded(self.got) != _folded(self.case.expected):
            return False
        self.materials = sorted(need.material.id for need in found.needs)
        return self.case.materials is None or self.materials == sorted(self.case.materials)


def failed_cases(process: Process, days: Sequence[date]) -> tuple[Finding, ...]:
    """One finding a case that fails on every one of `days`, the last of which is told, or was not run on all.

    A case does not say when it applies, so it passes when it holds in one period of the process.
    """
    failed: dict[str, Finding] = {}
    open_: list[_Open] = []
    for case in process.cases:
        try:
            open_.append(_Open(case, _facts(process, case)))
        except CellFault as fault:
            failed[case.id] = _failed(case, f"用例里有读不懂的值：{fault.message}", fault.mend)
    left, conditions = BUDGET, sum(len(table.rules) * len(table.inputs) for table in process.tables)
    for day in days if open_ else ():
        left -= conditions + RUN * len(open_)
        if left < 0:
            failed |= {each.case.id: _not_run(each.case) for each in open_}
            return _in_order(process, failed)
        open_ = _run(process, day, open_, failed)
        if not open_:
            break
    failed |= {each.case.id: _unlike(each) for each in open_}
    return _in_order(process, failed)


def _run(process: Process, day: date, cases: Sequence[_Open], failed: dict[str, Finding]) -> list[_Open]:
    """The cases that still do not hold; those that cannot be run go to `failed`."""
    compiled = CompiledProcess(process, day)
    left = []
    for each in cases:
        try:
            if not each.holds(process, compiled.route(each.facts)):
                left.append(each)
        except (NotANumber, UnknownName) as error:
            failed[each.case.id] = _failed(each.case, str(error), "请改这一行的结果。")
    return left


def _in_order(process: Process, failed: Mapping[str, Finding]) -> tuple[Finding, ...]:
    return tuple(failed[case.id] for case in process.cases if case.id in failed)


def told(process: Process, facts: Facts, found: Route) -> str:
    """What a test case would have to expect: R12, 未覆盖, 追问:预算金额, 冲突:R1、R2."""
    missing = [field.name for field in needed(process, facts)] or list(found.undecided)
    if missing:
        return f"{ASKED}:{missing[0]}"
    if found.status is Status.UNCOVERED:
        return UNCOVERED
    if found.status is Status.CONFLICT:
        clash = next(each for each in (found.outcome, *found.further) if each.status is Status.CONFLICT)
        return f"{CONFLICT}:{_ids(rule.id for rule in clash.hits)}"
    return _ids(rule.id for rule in found.outcome.deciding)


def _unlike(found: _Open) -> Finding:
    case = found.case
    if found.materials is None or case.materials is None:
        what = f"期望 {case.expected}，实际 {found.got}。"
        return _failed(case, what, "请核对规则与用例，改其中错的一个。")
    wanted, got = ("、".join(ids) or "没有材料" for ids in (case.materials, found.materials))
    return _failed(case, f"期望材料 {wanted}，实际 {got}。", "请核对材料与用例，改其中错的一个。")


def _facts(process: Process, case: TestCase) -> dict[str, Value]:
    """Raises CellFault."""
    found = {}
    for name, text in case.values.items():
        field = process.field(name)
        if field is not None and text.strip():
            found[field.name] = read_value(text, field)
    return found


def _folded(text: str) -> tuple[str, tuple[str, ...]]:
    """The word before the colon, and the names after it in any order."""
    head, _, names = plain(text).replace(" ", "").rpartition(":")
    return head, tuple(sorted(names.replace(",", "、").replace(";", "、").split("、")))


def _ids(names: Iterable[str]) -> str:
    return "、".join(names)


def _failed(case: TestCase, what: str, mend: str) -> Finding:
    return _told_of(case, Code.FAILED_CASE, f"用例 {case.id} 没有通过：{what}", mend)


def _not_run(case: TestCase) -> Finding:
    """An error, so that nothing is published whose cases were not run."""
    message = f"用例 {case.id} 没有跑完：用例与有效期分出的时段太多。"
    return _told_of(case, Code.NOT_CHECKED, message, "请减少用例，或让各行用同样的生效、失效日期。")


def _told_of(case: TestCase, code: Code, message: str, mend: str) -> Finding:
    return Finding(Severity.ERROR, code, message, mend, sheet=CASES, row=case.row or None, value=case.id)
