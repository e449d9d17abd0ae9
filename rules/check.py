"""The static check of a process: everything that can be known to be wrong before anyone asks.

PyPI has no library that checks decision tables; `portion` could hold the intervals, but not the product of
columns. So the space of elementary cells is walked here, with rows as bit sets (`space`, `survey`).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from datetime import date

from rules.checking.cases import failed_cases
from rules.checking.periods import Period, periods_of
from rules.checking.reporting import gaps_found, idle_found, not_checked, overlaps_found, totals_found
from rules.checking.space import Row, space_of
from rules.checking.survey import survey
from rules.conditions import Anything, Condition
from rules.findings import Code, Finding, Severity
from rules.table import SINGLE_HIT, DecisionTable, Process, ResultKind, Rule
from rules.titles import GAPS, INFO, MATERIALS, NODES


def check(process: Process, broken: Collection[str] = ()) -> tuple[Finding, ...]:
    """What is wrong with a process, table by table.

    `broken` are the ids of rows that could not be read, or the names of sheets such rows stand on. They take
    no part, and what might only follow from their absence (gaps, unused materials, failing cases) is not
    told. An id that no table has may belong to any of them.
    """
    if not _valid(process.effective_from, process.effective_to):
        return (_process_never_valid(process),)
    findings = list(_bad_periods(process))
    left_out = {*broken, *_backwards(process)}
    periods = periods_of(process)
    for table in process.tables:
        rules = tuple(rule for rule in table.rules if rule.id not in left_out and _ever(process, rule))
        whole = not _suffers(process, table, left_out)
        findings += _table_findings(process, replace(table, rules=rules), periods, whole=whole)
    if not left_out and process.tables:
        findings += failed_cases(process, [period.day for period in periods])
        findings += _unused(process)
    return tuple(findings)


def _table_findings(
    process: Process, table: DecisionTable, periods: Sequence[Period], *, whole: bool
) -> Iterator[Finding]:
    """`whole`: every row of the table could be read, so that what is missing is missing for good."""
    gaps = [row for row in (_gap_row(process, table, at) for at in range(len(process.gaps))) if row]
    space = space_of(table, {field.name: field for field in process.fields}, gaps)
    found = survey(space, periods)
    if whole and (table.policy in SINGLE_HIT or table.sheet == process.main.sheet):
        yield from gaps_found(space, found.holes, periods)
    if whole and found.complete and table.sheet == process.main.sheet:
        yield from _no_gaps(process, found.declared)
    yield from overlaps_found(space, found.shared, periods)
    yield from idle_found(space, found.idle)
    yield from totals_found(table)
    if not found.complete:
        yield not_checked(space, found)


def _gap_row(process: Process, table: DecisionTable, at: int) -> Row | None:
    """A declared gap in the columns of `table`; None when it rests on a column the table does not have."""
    conditions = process.gaps[at].conditions
    by_field: dict[str, Condition] = {
        column.field: each for column, each in zip(process.main.inputs, conditions, strict=True)
    }
    own = {column.field for column in table.inputs}
    if any(not isinstance(each, Anything) for name, each in by_field.items() if name not in own):
        return None
    return tuple(by_field.get(column.field, Anything()) for column in table.inputs)


def _suffers(process: Process, table: DecisionTable, broken: Collection[str]) -> bool:
    known = {rule.id for each in process.tables for rule in each.rules} | {
        each.sheet for each in process.tables
    }
    own = {rule.id for rule in table.rules} | {table.sheet}
    return any(name in own or name not in known for name in broken)


def _valid(start: date | None, end: date | None) -> bool:
    return start is None or end is None or start < end


def _ever(process: Process, rule: Rule) -> bool:
    """Whether the row is in force on any day of the process's validity."""
    starts = [day for day in (rule.effective_from, process.effective_from) if day]
    ends = [day for day in (rule.effective_to, process.effective_to) if day]
    return _valid(max(starts, default=None), min(ends, default=None))


def _backwards(process: Process) -> Iterator[str]:
    """The rows whose last day comes before their first: whoever wrote them meant something else."""
    for table in process.tables:
        for rule in table.rules:
            if not _valid(rule.effective_from, rule.effective_to):
                yield rule.id


def _process_never_valid(process: Process) -> Finding:
    return Finding(
        Severity.ERROR,
        Code.BAD_PERIOD,
        f"流程的失效日期 {process.effective_to} 不晚于生效日期 {process.effective_from}，永远不会生效。",
        "请改「流程信息」里的生效日期或失效日期。",
        sheet=INFO,
    )


def _bad_periods(process: Process) -> Iterator[Finding]:
    for table in process.tables:
        for rule in table.rules:
            if not _ever(process, rule):
                yield _bad_period(table, rule)


def _bad_period(table: DecisionTable, rule: Rule) -> Finding:
    """An error when the dates contradict each other; a row of another time is only told of."""
    backwards = not _valid(rule.effective_from, rule.effective_to)
    why = (
        f"失效日期 {rule.effective_to} 不晚于生效日期 {rule.effective_from}"
        if backwards
        else "它的有效期在流程的有效期之外"
    )
    return Finding(
        Severity.ERROR if backwards else Severity.WARNING,
        Code.BAD_PERIOD,
        f"规则 {rule.id} 永远不会生效：{why}。",
        "请改这一行的生效日期或失效日期；失效日期是不再适用的第一天。",
        sheet=table.sheet,
        row=rule.row or None,
        rules=(rule.id,),
    )


def _unused(process: Process) -> Iterator[Finding]:
    nodes = _named(process, ResultKind.NODES)
    for node in process.nodes:
        if node.name not in nodes and node.id not in nodes:
            yield _never_used(NODES, node.id, node.name)
    materials = _named(process, ResultKind.MATERIALS)
    for material in process.materials:
        if material.id not in materials:
            yield _never_used(MATERIALS, material.id, material.name)


def _named(process: Process, kind: ResultKind) -> set[str]:
    found: set[str] = set()
    for table in process.tables:
        for at in (at for at, output in enumerate(table.outputs) if output.kind is kind):
            for rule in table.rules:
                result = rule.results[at]
                found.update(result if isinstance(result, tuple) else (str(result),))
    return found


def _no_gaps(process: Process, declared: int) -> Iterator[Finding]:
    for at, gap in enumerate(process.gaps):
        if not declared >> at & 1:
            yield Finding(
                Severity.WARNING,
                Code.UNUSED,
                f"空缺 {gap.id} 里的情况都已经有规则，它的原因不会告诉任何人。",
                "请删去这一行；如果规则多写了，请改规则。",
                sheet=GAPS,
                row=gap.row or None,
                value=gap.id,
            )


def _never_used(sheet: str, id_: str, name: str) -> Finding:
    return Finding(
        Severity.WARNING,
        Code.UNUSED,
        f"{sheet} {id_}「{name}」没有任何规则用到。",
        "如果不再需要，请删去这一行；如果漏写了，请补到规则里。",
        sheet=sheet,
        value=id_,
    )
