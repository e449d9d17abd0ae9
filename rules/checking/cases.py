"""Runs the test cases a workbook brings along. A table whose cases fail cannot be published."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from rules.cells.reading import read_value
from rules.conditions import Value
from rules.engine import Status
from rules.faults import CellFault
from rules.findings import Code, Finding, Severity
from rules.flow import Route, UnknownName, needed, route
from rules.policies import NotANumber
from rules.spelling import plain
from rules.table import Facts, Process, TestCase

SHEET = "测试用例"
UNCOVERED, ASKED, CONFLICT = "未覆盖", "追问", "冲突"


def failed_cases(process: Process, days: Sequence[date]) -> Iterator[Finding]:
    """One finding a case that fails on every one of `days`, the last of which is told.

    A case does not say when it applies, so it passes when it holds in one period of the process.
    """
    for case in process.cases:
        try:
            facts = _facts(process, case)
            routes = [route(process, facts, day) for day in days]
        except CellFault as fault:
            yield _failed(case, f"用例里有读不懂的值：{fault.message}", fault.mend)
        except (NotANumber, UnknownName) as error:
            yield _failed(case, str(error), "请改这一行的结果。")
        else:
            yield from _compared(process, case, facts, routes)


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


def _compared(process: Process, case: TestCase, facts: Facts, routes: Sequence[Route]) -> Iterator[Finding]:
    outcomes = [told(process, facts, each) for each in routes]
    agreeing = [
        each for each, got in zip(routes, outcomes, strict=True) if _folded(got) == _folded(case.expected)
    ]
    if not agreeing:
        yield _failed(
            case, f"期望 {case.expected}，实际 {outcomes[-1]}。", "请核对规则与用例，改其中错的一个。"
        )
    elif case.materials and not any(_materials(each) == sorted(case.materials) for each in agreeing):
        got = "、".join(_materials(agreeing[-1])) or "没有材料"
        wanted = "、".join(case.materials)
        yield _failed(case, f"期望材料 {wanted}，实际 {got}。", "请核对材料与用例，改其中错的一个。")


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


def _materials(found: Route) -> list[str]:
    return sorted(need.material.id for need in found.needs)


def _ids(names: Iterable[str]) -> str:
    return "、".join(names)


def _failed(case: TestCase, what: str, mend: str) -> Finding:
    return Finding(
        Severity.ERROR,
        Code.FAILED_CASE,
        f"用例 {case.id} 没有通过：{what}",
        mend,
        sheet=SHEET,
        row=case.row or None,
        value=case.id,
    )
