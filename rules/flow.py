"""What a process asks of someone next, and what comes out once it knows enough: path, nodes, materials."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from rules.conditions import Anything, Truth, all_of, meets
from rules.engine import CompiledTable, Outcome, Status
from rules.explaining import Tested
from rules.policies import EXACT
from rules.table import (
    SINGLE_HIT,
    DecisionTable,
    Facts,
    Field,
    Gap,
    Material,
    Node,
    Process,
    Required,
    Result,
    ResultKind,
    Rule,
)
from rules.wording import said


class UnknownName(ValueError):
    """A result names a node or a material the process does not have. The check finds it before publishing."""

    def __init__(self, kind: str, name: str, rule: str) -> None:
        super().__init__(f"规则 {rule} 引用的{kind}「{name}」不在表里，请联系流程管理员。")


@dataclass(frozen=True, slots=True)
class Need:
    """A material and why it is asked for: 差旅报销材料 C03：是否超标 是."""

    material: Material
    rule: Rule
    table: str
    required_because: str


@dataclass(frozen=True, slots=True)
class Basis:
    """What a card rests on. `conditions` are those of the row that decides, 任意 left out; `source` is the
    clause that row names, else the process's."""

    table: str
    sheet: str
    rules: tuple[Rule, ...]
    conditions: tuple[Tested, ...]
    source: str
    version: str


@dataclass(frozen=True, slots=True)
class Route:
    """`status` speaks of all tables together: a conflict or an open question in any of them is the route's.

    `path`, `nodes`, `needs` and `days` are empty unless it is matched. `gap` is the declared one that an
    uncovered case falls into, if any. `undecided` are fields that could still change what comes out.
    """

    status: Status
    outcome: Outcome
    further: tuple[Outcome, ...]
    path: str = ""
    nodes: tuple[Node, ...] = ()
    needs: tuple[Need, ...] = ()
    days: Decimal | None = None
    gap: Gap | None = None
    undecided: tuple[str, ...] = ()
    basis: Basis | None = None


def required(field: Field, facts: Facts) -> Truth:
    """Whether a value must be given; missing while it hangs on what was not said yet."""
    if field.required is Required.WHEN:
        return all_of(meets(each.condition, facts.get(each.field)) for each in field.required_when)
    return Truth.TRUE if field.required is Required.ALWAYS else Truth.FALSE


def needed(process: Process, facts: Facts) -> tuple[Field, ...]:
    """The required fields not said yet, in the order in which they are asked; those never asked come last."""
    open_ = [
        field for field in process.fields if field.name not in facts and required(field, facts) is Truth.TRUE
    ]
    return tuple(sorted(open_, key=lambda field: (field.order is None, field.order or 0)))


class CompiledProcess:
    """The tables of a process with their rows in force on a day, ready for many cases."""

    def __init__(self, process: Process, day: date) -> None:
        self.process = process
        self._tables = [CompiledTable(table, day) for table in process.tables]

    def route(self, facts: Facts) -> Route:
        """Evaluates every table; what may be absent and is absent meets only 任意.

        Raises UnknownName for a result that names nothing.
        """
        absent = frozenset(
            field.name
            for field in self.process.fields
            if field.name not in facts and required(field, facts) is Truth.FALSE
        )
        return _route(self.process, facts, [table.evaluate(facts, absent) for table in self._tables])


def route(process: Process, facts: Facts, day: date) -> Route:
    """One case on one day, as `CompiledProcess.route` has it."""
    return CompiledProcess(process, day).route(facts)


def _route(process: Process, facts: Facts, outcomes: Sequence[Outcome]) -> Route:
    main, further = outcomes[0], tuple(outcomes[1:])
    status = _status(process, outcomes)
    if status is not Status.MATCHED:
        gap = _declared(process, facts) if main.status is Status.UNCOVERED else None
        return Route(status, main, further, gap=gap, undecided=_undecided(process, outcomes))
    nodes = tuple(_nodes(process, main))
    return Route(
        status,
        main,
        further,
        path="、".join(_texts(process.main, main, ResultKind.PATH)),
        nodes=nodes,
        needs=_needs(process, outcomes),
        days=_days(process.main, main, nodes),
        basis=_basis(process, main),
    )


def _status(process: Process, outcomes: Sequence[Outcome]) -> Status:
    """A later table may have no row for a case only if it collects."""
    found = [
        Status.MATCHED
        if at and outcome.status is Status.UNCOVERED and table.policy not in SINGLE_HIT
        else outcome.status
        for at, (table, outcome) in enumerate(zip(process.tables, outcomes, strict=True))
    ]
    if found[0] is Status.UNCOVERED:
        return Status.UNCOVERED
    return next(
        (status for status in (Status.CONFLICT, Status.UNCOVERED, Status.MISSING) if status in found),
        Status.MATCHED,
    )


def _undecided(process: Process, outcomes: Iterable[Outcome]) -> tuple[str, ...]:
    names = {name for outcome in outcomes for name in outcome.undecided}
    asked = sorted(process.fields, key=lambda field: (field.order is None, field.order or 0))
    return tuple(field.name for field in asked if field.name in names)


def _declared(process: Process, facts: Facts) -> Gap | None:
    """The first declared gap that the case falls into."""
    fields = [column.field for column in process.main.inputs]
    for gap in process.gaps:
        truths = (meets(each, facts.get(field)) for each, field in zip(gap.conditions, fields, strict=True))
        if all_of(truths) is Truth.TRUE:
            return gap
    return None


def _results(table: DecisionTable, outcome: Outcome, kind: ResultKind) -> Iterator[tuple[Rule, Result]]:
    """The results of one kind, with the row that gave each."""
    for rule, results in zip(outcome.deciding, outcome.results, strict=False):
        for output, result in zip(table.outputs, results, strict=True):
            if output.kind is kind:
                yield rule, result


def _texts(table: DecisionTable, outcome: Outcome, kind: ResultKind) -> list[str]:
    return [text for _, result in _results(table, outcome, kind) for text in _listed(result)]


def _listed(result: Result) -> tuple[str, ...]:
    if isinstance(result, tuple):
        return result
    return (result,) if isinstance(result, str) and result else ()


def _nodes(process: Process, outcome: Outcome) -> Iterator[Node]:
    known = {name: node for node in process.nodes for name in (node.id, node.name)}
    for rule, result in _results(process.main, outcome, ResultKind.NODES):
        for name in _listed(result):
            if name not in known:
                raise UnknownName("节点", name, rule.id)
            yield known[name]


def _needs(process: Process, outcomes: Sequence[Outcome]) -> tuple[Need, ...]:
    """Each material once, with the first row that asks for it."""
    known = {material.id: material for material in process.materials}
    found: dict[str, Need] = {}
    for table, outcome in zip(process.tables, outcomes, strict=True):
        for rule, result in _results(table, outcome, ResultKind.MATERIALS):
            for name in _listed(result):
                if name not in known:
                    raise UnknownName("材料", name, rule.id)
                found.setdefault(name, Need(known[name], rule, table.name, _because(table, rule)))
    return tuple(found.values())


def _because(table: DecisionTable, rule: Rule) -> str:
    told = [f"{column} {cell}" for column, cell in _conditions(table, rule)]
    return f"{table.name} {rule.id}：{'，'.join(told) or '所有申请都要'}"


def _conditions(table: DecisionTable, rule: Rule) -> Iterator[tuple[str, str]]:
    cells = rule.cells or tuple(said(condition) for condition in rule.conditions)
    for column, condition, cell in zip(table.inputs, rule.conditions, cells, strict=True):
        if not isinstance(condition, Anything):
            yield column.name, cell


def _days(table: DecisionTable, outcome: Outcome, nodes: Sequence[Node]) -> Decimal | None:
    """What the row says; without such a column the sum of its nodes, when each has a time."""
    stated = [
        result for _, result in _results(table, outcome, ResultKind.DAYS) if isinstance(result, Decimal)
    ]
    if stated:
        return max(stated)
    times = [node.days for node in nodes if node.days is not None]
    if not nodes or len(times) < len(nodes):
        return None
    total = Decimal(0)
    for time in times:
        total = EXACT.add(total, time)
    return total


def _basis(process: Process, outcome: Outcome) -> Basis:
    table = process.main
    told = tuple(
        Tested(rule.id, column, cell, Truth.TRUE)
        for rule in outcome.deciding
        for column, cell in _conditions(table, rule)
    )
    own = dict.fromkeys(_texts(table, outcome, ResultKind.SOURCE))
    source = "、".join(own) or process.source
    return Basis(table.name, table.sheet, outcome.deciding, told, source, process.version)
