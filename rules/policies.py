"""What a hit policy makes of the rows that match: which decide, in which order, and with which results.

The policies of DMN 1.5, section 8.2.8; sums and extremes are exact, whatever the number of digits.
"""

from collections.abc import Sequence
from decimal import Context, Decimal, Inexact, localcontext

from rules.table import DecisionTable, HitPolicy, Result, Rule

EXACT = Context(prec=200, traps=[Inexact])  # a sum that would be rounded is an error
SUMMED = frozenset({HitPolicy.COLLECT_SUM, HitPolicy.COLLECT_MIN, HitPolicy.COLLECT_MAX})
AGGREGATES = SUMMED | {HitPolicy.COLLECT_COUNT}
RANKED = frozenset({HitPolicy.PRIORITY, HitPolicy.OUTPUT_ORDER})
CLASHING = frozenset({HitPolicy.UNIQUE, HitPolicy.ANY})
FIRST_OF = frozenset({HitPolicy.FIRST, HitPolicy.PRIORITY})


class NotANumber(ValueError):
    """A row's result cannot be added up or compared. The static check finds it before publishing."""

    def __init__(self, rule: str, column: str) -> None:
        super().__init__(f"规则 {rule} 的「{column}」不是数，无法汇总。")
        self.rule = rule
        self.column = column


def in_order(table: DecisionTable) -> tuple[Rule, ...]:
    """The rows in the order in which they decide: as written, or best result first where the policy ranks."""
    if table.policy not in RANKED:
        return table.rules
    return tuple(sorted(table.rules, key=lambda rule: _rank(table, rule)))


def clash(policy: HitPolicy, hits: Sequence[Rule]) -> bool:
    """Whether these rows may not match together: two under 唯一, two with unlike results under 相同."""
    if policy is HitPolicy.UNIQUE:
        return len(hits) > 1
    return policy is HitPolicy.ANY and any(rule.results != hits[0].results for rule in hits[1:])


def deciding(policy: HitPolicy, hits: Sequence[Rule]) -> tuple[Rule, ...]:
    """The rows whose results count, of `hits` in the order of `in_order` and free of clashes."""
    single = policy in FIRST_OF or policy in CLASHING
    return tuple(hits[:1] if single else hits)


def results_of(table: DecisionTable, rules: Sequence[Rule]) -> tuple[tuple[Result, ...], ...]:
    """The results of each deciding row in turn; of an aggregating policy one row. Raises NotANumber."""
    if not rules:
        return ()
    if table.policy is HitPolicy.COLLECT_COUNT:
        return ((Decimal(len(rules)),) * len(table.outputs),)
    if table.policy in AGGREGATES:
        return (tuple(_aggregated(table, rules, column) for column in range(len(table.outputs))),)
    return tuple(rule.results for rule in rules)


def numbers_of(table: DecisionTable, rules: Sequence[Rule], column: int) -> list[Decimal]:
    """Raises NotANumber."""
    found = []
    for rule in rules:
        result = rule.results[column]
        if not isinstance(result, Decimal):
            raise NotANumber(rule.id, table.outputs[column].name)
        found.append(result)
    return found


def _aggregated(table: DecisionTable, rules: Sequence[Rule], column: int) -> Decimal:
    numbers = numbers_of(table, rules, column)
    if table.policy is HitPolicy.COLLECT_MIN:
        return min(numbers)
    if table.policy is HitPolicy.COLLECT_MAX:
        return max(numbers)
    with localcontext(EXACT):
        return sum(numbers, Decimal(0))


def _rank(table: DecisionTable, rule: Rule) -> tuple[int, ...]:
    """By the outputs from the left; a word without a place comes after those that have one."""
    return tuple(
        output.priority.index(result)
        if isinstance(result, str) and result in output.priority
        else len(output.priority)
        for output, result in zip(table.outputs, rule.results, strict=True)
        if output.priority
    )
