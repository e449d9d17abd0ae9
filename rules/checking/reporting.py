"""Tells people what a survey of a table has found, and how to mend it. Chinese wording lives here."""

from collections.abc import Iterator, Sequence

from rules.checking.near import near_rules
from rules.checking.periods import Period
from rules.checking.space import Cells, Space
from rules.checking.survey import LIMIT, REPORTED, Hole, Idle, Shared, Survey
from rules.conditions import Anything
from rules.findings import Code, Finding, Severity
from rules.masks import bits
from rules.policies import SUMMED, NotANumber, numbers_of
from rules.regions import Box, Side
from rules.table import DecisionTable, FieldType, HitPolicy, Input, Result, Rule
from rules.wording import said

TOGETHER = 1000
"""Boxes kept of one finding."""
NAMED = 12
"""Rows, or stretches of time, named in one sentence."""


def gaps_found(space: Space, holes: Sequence[Hole], periods: Sequence[Period]) -> Iterator[Finding]:
    for hole in holes[:REPORTED]:
        yield _gap(space, hole, periods)
    rest = holes[REPORTED:]
    if rest:
        yield _of_many(Code.GAP, space, [hole.cells for hole in rest], f"另有 {len(rest)} 处没有规则的情况")


def overlaps_found(space: Space, shared: Sequence[Shared], periods: Sequence[Period]) -> Iterator[Finding]:
    clashing = _clashing(space, shared)
    for each in clashing[:REPORTED]:
        yield _overlap(space, each, periods)
    rest = clashing[REPORTED:]
    if rest:
        boxes = [cells for each in rest for cells in each.boxes]
        yield _of_many(Code.OVERLAP, space, boxes, f"另有 {len(rest)} 处几行同时命中的情况")


def _clashing(space: Space, shared: Sequence[Shared]) -> Sequence[Shared]:
    """Those that the policy does not allow: all under 唯一, under 相同 those of unlike results."""
    if space.table.policy is HitPolicy.UNIQUE:
        return shared
    if space.table.policy is not HitPolicy.ANY:
        return ()
    alike: dict[tuple[Result, ...], int] = {}
    for row, rule in enumerate(space.rules):
        alike[rule.results] = alike.get(rule.results, 0) | 1 << row
    first = ((each, space.rules[next(bits(each.rows))]) for each in shared)
    return [each for each, rule in first if each.rows & ~alike[rule.results]]


def idle_found(space: Space, idle: Sequence[Idle]) -> Iterator[Finding]:
    for each in idle[:REPORTED]:
        yield _idle(space, each)
    rest = idle[REPORTED:]
    if rest:
        rules = [each.rule for each in rest]
        yield Finding(
            Severity.ERROR,
            Code.UNREACHABLE,
            f"另有 {len(rest)} 行规则永远不会起作用：{_ids(rules)}。",
            "请先改好上面列出的，再检查一次。",
            sheet=space.table.sheet,
            row=rules[0].row or None,
            rules=_names(rules),
        )


def _idle(space: Space, idle: Idle) -> Finding:
    if idle.column:
        why = f"「{idle.column}」这一格在取值范围内没有任何值能满足。"
        mend = "请改这一格，或把「字段」表的可选值、取值范围补全。"
    else:
        first = "排在前面" if space.table.policy is HitPolicy.FIRST else "优先级不低于它"
        why = f"它的所有情况都已被{first}的 {_ids(idle.behind)} 截走。"
        mend = f"请把 {idle.rule.id} 移到 {_ids(idle.behind)} 之前、缩小前面的条件，或删去这一行。"
    return Finding(
        Severity.ERROR,
        Code.UNREACHABLE,
        f"规则 {idle.rule.id} 永远不会起作用：{why}",
        mend,
        sheet=space.table.sheet,
        row=idle.rule.row or None,
        column=idle.column,
        rules=(idle.rule.id,),
        shadowed_by=_names(idle.behind),
    )


def not_checked(space: Space, found: Survey) -> Finding:
    done = "只两两比较了各行是否重叠" if found.compared else "只两两比较了一部分行是否重叠"
    return Finding(
        Severity.INFO,
        Code.NOT_CHECKED,
        f"「{space.table.name}」的条件组合超过 {LIMIT // 10_000} 万种，没有全部检查："
        f"{done}，没有查空缺和被几行合起来遮住的行。",
        "请把表拆成几张，或合并相近的分段。",
        sheet=space.table.sheet,
    )


def totals_found(table: DecisionTable) -> Iterator[Finding]:
    """Results that are to be added up or compared and are no numbers."""
    if table.policy not in SUMMED:
        return
    for rule in table.rules:
        for at, output in enumerate(table.outputs):
            try:
                numbers_of(table, [rule], at)
            except NotANumber as error:
                yield Finding(
                    Severity.ERROR,
                    Code.BAD_CELL,
                    str(error),
                    f"命中策略是「{table.policy}」，这一列每行都要写一个数。",
                    sheet=table.sheet,
                    row=rule.row or None,
                    column=output.name,
                    rules=(rule.id,),
                )


def described(box: Box, inputs: Sequence[Input]) -> str:
    """预算金额 4.5万(含)~5万(不含)、是否紧急 否; sides that leave everything open are not told."""
    sides = [(column, box.sides[column.field]) for column in inputs]
    told = [
        f"{column.field} {_said(side, column)}"
        for column, side in sides
        if not isinstance(side.condition, Anything)
    ]
    return "，".join(told) or "任何情况"


def _said(side: Side, column: Input) -> str:
    values = said(side.condition, column.domain, counted=column.type is FieldType.INTEGER)
    if not side.missing:
        return values
    return f"{values} 或未填写" if values else "未填写"


def _gap(space: Space, hole: Hole, periods: Sequence[Period]) -> Finding:
    box = space.box(hole.cells)
    rows = near_rules(space, hole)
    near = _names(rows)
    widen = f"请看 {'、'.join(near)} 是否应当包括这种情况，或补一行规则" if near else "请补一行规则"
    return Finding(
        Severity.ERROR,
        Code.GAP,
        f"{_when(hole.periods, periods)}{described(box, space.table.inputs)}：没有任何一行规则。",
        f"{widen}；如果是有意不办，请在「已声明空缺」里写明原因。",
        sheet=space.table.sheet,
        row=rows[0].row or None if rows else None,
        near_rules=near,
        witness=space.witness(hole.cells),
        region=(box,),
    )


def _overlap(space: Space, shared: Shared, periods: Sequence[Period]) -> Finding:
    rules = space.rules_of(shared.rows)
    boxes = tuple(space.box(cells) for cells in shared.boxes[:TOGETHER])
    unlike = "，结果却不同" if space.table.policy is HitPolicy.ANY else ""
    more = f"等 {len(shared.boxes)} 种情况" if len(shared.boxes) > 1 else ""
    where = described(boxes[0], space.table.inputs)
    return Finding(
        Severity.ERROR,
        Code.OVERLAP,
        f"{_when(shared.periods, periods)}{where}{more}：{_ids(rules)} 同时命中{unlike}，"
        f"命中策略「{space.table.policy}」不允许。",
        f"请改 {_ids(rules)} 的条件，使每种情况只归一行；边界值要写明「含」或「不含」。",
        sheet=space.table.sheet,
        row=rules[0].row or None,
        rules=_names(rules),
        witness=space.witness(shared.boxes[0]),
        region=boxes,
    )


def _of_many(code: Code, space: Space, boxes: Sequence[Cells], what: str) -> Finding:
    return Finding(
        Severity.ERROR,
        code,
        f"「{space.table.name}」{what}，没有逐一列出。",
        "请先改好上面列出的，再检查一次。",
        sheet=space.table.sheet,
        witness=space.witness(boxes[0]),
        region=tuple(space.box(cells) for cells in boxes[:TOGETHER]),
    )


def _when(some: Sequence[Period], all_: Sequence[Period]) -> str:
    return "" if len(some) == len(all_) else _few([str(period) for period in some], "；", "段") + "，"


def _names(rules: Sequence[Rule]) -> tuple[str, ...]:
    return tuple(rule.id for rule in rules)


def _ids(rules: Sequence[Rule]) -> str:
    return _few(_names(rules), "、", "行")


def _few(names: Sequence[str], between: str, counted: str) -> str:
    """The first of them, and how many there are: R1、R2等 400 行."""
    told = between.join(names[:NAMED])
    return told if len(names) <= NAMED else f"{told}等 {len(names)} {counted}"
