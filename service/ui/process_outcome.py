"""What came of a trial: the status, the step card, the rows that matched and those that came nearest."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rules.conditions import Truth
from rules.engine import Outcome, RowTruths, Status
from rules.explaining import RowReading
from rules.flow import Route
from rules.table import DecisionTable, Facts, Input, ResultKind, Rule
from rules.wording import said, typed
from service.process.card import noted, number
from service.process.evaluating import Evaluation, message_of
from service.process.offered import form_name
from service.process.wording import outcomes_of
from service.store.processes import Draft, Version
from service.ui.elements import Pager, box, button, facts, icon, tag, words
from service.ui.process_files import template_link
from service.ui.process_table import scrolled, width_of
from service.ui.process_words import STATUS_TAGS, STATUSES, TRUTHS
from service.wording import day_of

MATRIX_PAGE = 50
_MARKS = {Truth.TRUE: "check", Truth.FALSE: "close", Truth.MISSING: "info"}


@dataclass(frozen=True, slots=True)
class Read:
    """A row and what each of its conditions says, in the order of the table's inputs."""

    rule: Rule
    truths: tuple[Truth, ...]


class OutcomeView:
    """`opened` holds the names of the tables of which all rows are wanted, from one outcome to the next."""

    def __init__(self, subject: Version | Draft, found: Evaluation, name: str, opened: set[str]) -> None:
        self._subject = subject
        self._found = found
        self._name = name
        self._opened = opened

    def show(self) -> None:
        found = self._found
        with box("div", "outcome-head"):
            with box("p", "verdict-line"):
                tag(STATUSES[found.status], STATUS_TAGS[found.status])
                words("strong", headline(found))
            undecided = "、".join(found.route.undecided)
            facts(f"按{day_of(found.day)}", self._name, f"还会影响结果：{undecided}" if undecided else "")
        if found.status is Status.MATCHED:
            self._card(found.route)
        tables = zip(found.process.tables, outcomes_of(found.route), found.matrices, strict=True)
        for table, outcome, matrix in tables:
            TableReading(table, outcome, matrix, found.facts, self._opened).show()

    def _card(self, route: Route) -> None:
        with box("div", "card outcome-card"):
            if route.nodes:
                words("h3", "步骤", "card-title")
                with box("ol", "steps"):
                    for node in route.nodes:
                        with box("li"):
                            words("span", node.name, "step-name")
                            days = f"{number(node.days)} 个工作日" if node.days is not None else ""
                            facts(node.role, days, node.notes)
            if route.days is not None:
                words("p", f"预计 {number(route.days)} 个工作日", "outcome-days")
            self._needs(route)
            if route.basis is not None:
                rows = "、".join(rule.id for rule in route.basis.rules)
                facts(f"依据：{route.basis.table} {rows}", route.basis.source, f"版本 {route.basis.version}")
                for rule in noted(route.basis):
                    words("p", f"{rule.id} 备注：{rule.note}", "hint")

    def _needs(self, route: Route) -> None:
        words("h3", "材料", "card-title")
        if not route.needs:
            words("p", "不需要另交材料。", "hint")
            return
        there = {form_name(each.name) for each in self._subject.templates}
        with box("ul", "needs"):
            for need in route.needs:
                material = need.material
                with box("li"):
                    copies = f"，{material.copies} 份" if material.copies > 1 else ""
                    words("span", f"{material.id} {material.name}{copies}", "step-name")
                    if material.template and form_name(material.template) in there:
                        template_link(self._subject, material.template, "下载模板")
                    facts(f"因为：{need.required_because}", material.notes)


class TableReading:
    """The rows of one table that matched or came near; all of them when they are asked for."""

    def __init__(
        self,
        table: DecisionTable,
        outcome: Outcome,
        matrix: Sequence[RowTruths],
        given: Facts,
        opened: set[str],
    ) -> None:
        self._table = table
        self._outcome = outcome
        self._matrix = matrix
        self._given = given
        self._pager = Pager(MATRIX_PAGE, self._turn)
        self._opened = opened
        kinds = [output.kind for output in table.outputs]
        # The one result by which people know a row; the card has the others.
        self._told = kinds.index(ResultKind.PATH) if ResultKind.PATH in kinds else 0

    def show(self) -> None:
        with box("section", "reading", aria_label=self._table.name):
            self._heading = words("h3", self._table.name, "card-title", tabindex="-1")
            facts(f"命中策略：{self._table.policy.value}", f"结果：{STATUSES[self._outcome.status]}")
            self._body = box("div")
            self._switch = button(self._offer(), self._switched, "link")
            self._draw()

    @property
    def _all(self) -> bool:
        return self._table.name in self._opened

    def _offer(self) -> str:
        return "只看命中与最接近的" if self._all else f"看全部 {len(self._matrix)} 行"

    async def _switched(self) -> None:
        self._opened ^= {self._table.name}
        self._pager.reset()
        self._switch.set_text(self._offer())
        self._draw()

    async def _turn(self) -> None:
        self._draw()
        self._heading.run_method("focus")

    def _draw(self) -> None:
        self._body.clear()
        with self._body:
            if self._all:
                start = (self._pager.number - 1) * MATRIX_PAGE
                rows = [Read(each.rule, each.truths) for each in self._matrix[start : start + MATRIX_PAGE]]
                self._rows("全部行", rows)
                self._pager.draw(len(self._matrix))
                return
            hits = [self._read(each) for each in self._outcome.matched]
            near = [self._read(each) for each in self._outcome.nearest]
            self._rows(f"命中的行（{len(hits)}）", hits)
            self._rows(f"最接近的行（{len(near)}）", near)

    def _read(self, reading: RowReading) -> Read:
        """The conditions that are not told of are met."""
        told = {each.column: each.truth for each in reading.conditions}
        return Read(reading.rule, tuple(told.get(column.name, Truth.TRUE) for column in self._table.inputs))

    def _rows(self, caption: str, rows: Sequence[Read]) -> None:
        if not rows:
            return
        name = f"{self._table.name}：{caption}"
        words("p", caption, "reading-caption")
        with scrolled(name, "sheet-table"):
            self._head()
            with box("tbody"):
                for row in rows:
                    self._row(row)

    def _head(self) -> None:
        with box("thead"), box("tr"):
            words("th", "规则", scope="col")
            for column in self._table.inputs:
                with box("th", "column-condition", scope="col"):
                    words("span", column.name)
                    words("span", f"填的是 {_given(self._given, column)}", "column-role")
            words("th", self._table.outputs[self._told].name, "column-result", scope="col")

    def _row(self, row: Read) -> None:
        met = all(truth is Truth.TRUE for truth in row.truths)
        with box("tr", "row-met" if met else ""):
            with box("th", "row-key", scope="row"):
                words("span", row.rule.id, "row-id")
                words("span", f"第 {row.rule.row} 行", "row-number")
                if met:
                    tag("命中", "active")
            for truth, cell in zip(row.truths, _cells(row.rule, self._table.inputs), strict=True):
                _condition(truth, cell)
            result = row.rule.results[self._told]
            words("td", "、".join(result) if isinstance(result, tuple) else typed(result))


def _condition(truth: Truth, cell: str) -> None:
    with box("td", f"truth-{truth.value} {width_of(cell)}"):
        with box("span", "cell-mark"):
            icon(_MARKS[truth])
            words("span", f"{TRUTHS[truth]}：", "visually-hidden")
        words("span", cell)
        if truth is not Truth.TRUE:
            words("span", TRUTHS[truth], "truth-word", aria_hidden="true")


def _cells(rule: Rule, inputs: Sequence[Input]) -> Iterator[str]:
    for at, column in enumerate(inputs):
        yield rule.cells[at] if rule.cells else said(rule.conditions[at], column.domain)


def _given(given: Facts, column: Input) -> str:
    value = given.get(column.field)
    if value is None:
        return "（没有填）"
    return f"{value:,f}" if isinstance(value, Decimal) else typed(value)


def headline(found: Evaluation) -> str:
    """What came out, in one line."""
    if found.status is Status.MATCHED:
        return found.route.path or "按下面的步骤办理"
    return message_of(found)
