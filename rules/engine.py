"""Exact evaluation of one decision table, and why it came out so. No search through the rows: bit sets.

The matching rows of a case are the AND of one mask a column, and the explanation comes from the same masks.
Libraries on PyPI run rules (business-rules, cDMN) or hold intervals (portion); none was found that tells
which missing value still matters and which rows just failed, so this is our own.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from rules.axes import axis_of
from rules.conditions import Truth, Value
from rules.explaining import Explainer, RowReading, Verdicts
from rules.masks import bits, column_of
from rules.policies import FIRST_OF, clash, deciding, in_order, results_of
from rules.table import DecisionTable, Facts, HitPolicy, Result, Rule

REMEMBERED = 1_000_000  # rows kept, of all sets of hits together


class Status(StrEnum):
    MATCHED = "matched"
    UNCOVERED = "uncovered"  # no row, whatever else might be said
    CONFLICT = "conflict"  # rows match together that may not
    MISSING = "missing"  # what was not said could still change the outcome


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a table says of a case.

    `hits` are all rows that match, in the policy's order; of a conflict they are the rows that clash.
    `deciding` are those among them that count, and `results` theirs, one tuple a row in the order of the
    outputs; an aggregating policy has one tuple. Both are empty unless the status is matched.
    `undecided` names the fields not said that could change the outcome, in the order of the columns.
    """

    status: Status
    hits: tuple[Rule, ...]
    deciding: tuple[Rule, ...] = ()
    results: tuple[tuple[Result, ...], ...] = ()
    undecided: tuple[str, ...] = ()
    matched: tuple[RowReading, ...] = ()
    nearest: tuple[RowReading, ...] = ()


@dataclass(frozen=True, slots=True)
class RowTruths:
    """One row of the full matrix: what each condition says, in the order of the inputs."""

    rule: Rule
    truths: tuple[Truth, ...]


class CompiledTable:
    """The rows of a table in force on a day, ready for many cases. Holds no state but what is derived."""

    def __init__(self, table: DecisionTable, day: date) -> None:
        self.table = table
        self.rules = tuple(rule for rule in in_order(table) if rule.in_force(day))
        self._fields = tuple(column.field for column in table.inputs)
        self._columns = tuple(
            column_of([rule.conditions[at] for rule in self.rules]) for at in range(len(table.inputs))
        )
        self._all = (1 << len(self.rules)) - 1
        self._possible = self._all & _possible(table, self.rules)
        self._explainer = Explainer(table.inputs, self.rules, self._columns)
        self._rows: dict[int, tuple[Rule, ...]] = {}
        self._kept = 0  # rows in all of them

    def hits(self, points: Sequence[Facts]) -> list[tuple[Rule, ...]]:
        """The matching rows of many cases at once, in the policy's order."""
        masks = [self._all] * len(points)
        for column, field in zip(self._columns, self._fields, strict=True):
            at = column.at
            masks = [mask & at(point.get(field)) for mask, point in zip(masks, points, strict=True)]
        return [self._rules_of(mask) for mask in masks]

    def evaluate(self, facts: Facts, absent: Collection[str] = ()) -> Outcome:
        """`absent` are fields known to have no value: conditions on them are false, not open.

        Raises policies.NotANumber when words are to be added up, which the static check reports.
        """
        verdicts = self._verdicts(facts, absent)
        hits = self._rules_of(verdicts.true)
        matched, nearest = self._explainer.explain(verdicts)
        policy = self.table.policy
        if clash(policy, hits):
            return Outcome(Status.CONFLICT, hits, matched=matched, nearest=nearest)
        undecided = self._undecided(verdicts)
        if undecided:
            return Outcome(Status.MISSING, hits, undecided=undecided, matched=matched, nearest=nearest)
        if not hits:
            return Outcome(Status.UNCOVERED, hits, nearest=nearest)
        rules = deciding(policy, hits)
        results = results_of(self.table, rules)
        return Outcome(Status.MATCHED, hits, rules, results, (), matched, nearest)

    def matrix(self, facts: Facts, absent: Collection[str] = ()) -> tuple[RowTruths, ...]:
        """What every condition of every row says, in the policy's order."""
        verdicts = self._verdicts(facts, absent)
        return tuple(
            RowTruths(rule, tuple(verdicts.truth(row, at) for at in range(len(self._columns))))
            for row, rule in enumerate(self.rules)
        )

    def _verdicts(self, facts: Facts, absent: Collection[str]) -> Verdicts:
        true = possible = everything = self._all
        values: list[Value | None] = []
        met, false, open_ = [], [], []
        for column, field in zip(self._columns, self._fields, strict=True):
            value = facts.get(field)
            rows = column.at(value)
            rest = everything ^ rows
            left = rest if value is None and field not in absent else 0
            true &= rows
            possible &= rows | left
            values.append(value)
            met.append(rows)
            false.append(rest ^ left)
            open_.append(left)
        return Verdicts(tuple(values), tuple(met), tuple(false), tuple(open_), true, possible, everything)

    def _undecided(self, verdicts: Verdicts) -> tuple[str, ...]:
        live = self._could_count(verdicts.possible & ~verdicts.true & self._possible, verdicts.true)
        if not live:
            return ()
        return tuple(field for field, rows in zip(self._fields, verdicts.open, strict=True) if rows & live)

    def _could_count(self, unsettled: int, true: int) -> int:
        """Of the rows that may yet match, those that would change the outcome if they did."""
        if not unsettled or not true:
            return unsettled
        if self.table.policy in FIRST_OF:
            return unsettled & ((true & -true) - 1)  # only what stands before the row that decides
        if self.table.policy is HitPolicy.ANY:
            same = self.rules[(true & -true).bit_length() - 1].results
            return sum(1 << row for row in bits(unsettled) if self.rules[row].results != same)
        return unsettled

    def _rules_of(self, mask: int) -> tuple[Rule, ...]:
        found = self._rows.get(mask)
        if found is None:
            found = tuple(self.rules[row] for row in bits(mask))
            self._kept += 1 + len(found)
            if self._kept > REMEMBERED:
                self._rows.clear()
                self._kept = 1 + len(found)
            self._rows[mask] = found
        return found


def _possible(table: DecisionTable, rules: Sequence[Rule]) -> int:
    """The rows each of whose conditions some value of its column meets."""
    found = -1
    for at, column in enumerate(table.inputs):
        axis = axis_of(column, [rule.conditions[at] for rule in rules], bounds=column.bounds, absent=False)
        found &= axis.met_somewhere(axis.whole)
    return found


def evaluate(
    table: DecisionTable, facts: Mapping[str, Value], day: date, absent: Collection[str] = ()
) -> Outcome:
    """One case on one day. Whoever asks a table often keeps its CompiledTable."""
    return CompiledTable(table, day).evaluate(facts, absent)
