"""The replies of the process path, in Markdown. Questions come from the workbook; no process is named here.

What workbooks and users say is escaped; `uncovered` and `conflicting` are plain text, for whoever tells it.
"""

from collections.abc import Iterable, Sequence

from rules.conditions import Truth, Within
from rules.engine import Outcome, Status
from rules.flow import Route
from rules.table import NO, YES, Field, FieldType, Process
from rules.wording import said
from service.process.card import Change, ShownValue, StepCard
from service.process.case import Refused, Unfit
from service.process.escaping import escaped, in_line

FORBIDDEN = (
    "这件事我不能代办：审批由审批人本人决定，我不替人批、不代签，也不编造材料。"
    "需要的话，我可以告诉您流程怎么走。"
)
GOODBYE = "不客气。需要时随时再问；说“继续”可以接着办没办完的事。"
STATUS = "我查一下您的申请。"
WITHDRAWN = "这件事所用的流程已经撤下，不能接着办了。请联系管理员，或者告诉我您想办的另一件事。"
NOTHING_OPEN = "现在没有正在办的事，不用取消。想办什么事请告诉我。"
NO_CHANGE = "没有读懂要改成什么，填过的内容没有变。要改哪一项，请说它的名称和新的值，例如“{name}改成……”。"
_OUTSIDE = "这个问题和办事无关，我帮不上忙。我可以帮您看该走哪个流程、要备哪些材料。"
_REASONS = {
    Unfit.APPROXIMATE: "「{text}」是个约数，要一个准确的值。",
    Unfit.RANGE: "「{text}」不是一个确定的值，要一个准确的值。",
    Unfit.CURRENCY: "「{text}」不是人民币，请折成人民币再告诉我。",
    Unfit.NOT_IN_DOMAIN: "「{text}」不在可选范围里。",
    Unfit.OUT_OF_RANGE: "「{text}」超出了可填的范围。",
    Unfit.IMPRECISE_DATE: "「{text}」说不准是哪一天，要一个准确的天数或日期。",
    Unfit.SEVERAL: "「{text}」是不同的值，请说按哪一个。",
    Unfit.UNREADABLE: "「{text}」没有读懂。",
}
_NO_ROW = "该条件组合未匹配到现有流程规则，请联系流程管理员"  # where the workbook has no words of its own
_KEEPER = "管理员"
_TRIES = 2  # failed answers after which the options and the administrator are named
MOST_CHIPS = 12  # buttons below one answer
_NEAREST = 3


def ask(
    process: Process,
    field: Field,
    refused: Sequence[Refused],
    changes: Sequence[Change],
    tries: int,
    values: Sequence[ShownValue],
) -> str:
    lines = [*_changed(changes), *_refused(process, refused)]
    assumed = [value for value in values if value.source != "said"]
    if assumed:
        lines.append(f"（{'，'.join(map(_assumed, assumed))}；不对请告诉我。）")
    lines.append(escaped(field.question or f"请告诉我{field.name}。"))
    if tries >= _TRIES:
        lines.append(escaped(_help(process, field)))
    return "\n\n".join(lines)


def answers(field: Field) -> tuple[str, ...]:
    """What can be answered with a press of a button."""
    if field.type is FieldType.YES_NO:
        return (YES, NO)
    choosing = field.type in (FieldType.CHOICE, FieldType.DEPARTMENT)
    return field.options if choosing and len(field.options) <= MOST_CHIPS else ()


def which(names: Sequence[str]) -> str:
    if not names:
        return "目前还没有发布任何流程，请联系管理员。"
    listed = "\n".join(f"{place}. {in_line(name)}" for place, name in enumerate(names, 1))
    return f"您想办的是哪一件？一次办一件，请选一个：\n\n{listed}"


def cancelled(process: Process | None, waiting: int) -> str:
    ended = f"好的，{in_line(process.name)}不办了，填过的内容作废。" if process else "好的，不办了。"
    return ended + (f"您还有 {waiting} 件没办完的事，说“继续”可以接着办。" if waiting else "")


def no_change(process: Process) -> str:
    """To a correction that names no value."""
    return NO_CHANGE.format(name=escaped(process.fields[0].name))


def outside(process: Process | None) -> str:
    if process is None:
        return _OUTSIDE
    return f"{_OUTSIDE}{in_line(process.name)}还没办完，可以接着回答刚才的问题。"


def card(
    found: StepCard, process: Process, left: Sequence[Refused], other_total: ShownValue | None = None
) -> str:
    """`left` is what was said of fields that decide nothing here, and could not be used; `other_total` what a
    price times a count comes to, where another sum was said."""
    days = f"，预计 {found.days:f} 个工作日" if found.days is not None else ""
    path = f"走「{in_line(found.path)}」" if found.path else f"办{in_line(found.process)}"
    told = f"按现在的情况，{path}，共 {len(found.nodes)} 步{days}。步骤和材料见下面的卡片。"
    unused = "".join(f"「{escaped(one.text)}」没有记作{escaped(one.field)}，不影响办理。" for one in left)
    apart = in_line(_apart(other_total)) if other_total else ""
    return "\n\n".join(line for line in (*_changed(found.changes), unused, told, apart) if line)


def no_match(process: Process, found: Route, changes: Sequence[Change]) -> str:
    lines = [*_changed(changes), escaped(uncovered(process, found))]
    if reason := gap_reason(found):
        lines.append(f"流程表里注明的原因：{escaped(reason)}")
    near = list(_nearest(found))[:_NEAREST]
    if near:
        lines.append("\n".join(["最接近的规则，差在：", *near]))
    return "\n\n".join(lines)


def conflict(process: Process, found: Route) -> str:
    return escaped(conflicting(process, found))


def uncovered(process: Process, found: Route) -> str:
    """That no row fits, in the words of the table that has none, and whom to ask."""
    tables = zip(process.tables, outcomes_of(found), strict=True)
    own = next((table.otherwise for table, outcome in tables if outcome.status is Status.UNCOVERED), "")
    said_so = own.rstrip("。") or _NO_ROW
    if not process.contact or said_so.endswith(_KEEPER):
        return f"{said_so}{process.contact}。"
    return f"{said_so}（流程管理员：{process.contact}）。"


def conflicting(process: Process, found: Route) -> str:
    """Which rows of which table fit at the same time."""
    tables = zip(process.tables, outcomes_of(found), strict=True)
    clashes = [
        f"{table.name}的 {'、'.join(rule.id for rule in outcome.hits)}"
        for table, outcome in tables
        if outcome.status is Status.CONFLICT
    ]
    told = "；".join(clashes)
    return f"有几条规则同时适用（{told}），我不能替您选。请联系流程管理员{process.contact}核对。"


def gap_reason(found: Route) -> str:
    """Why the workbook leaves the combination out, as one sentence; empty where it does not say."""
    reason = found.gap.reason.rstrip("。") if found.gap is not None else ""
    return f"{reason}。" if reason else ""


def outcomes_of(found: Route) -> tuple[Outcome, ...]:
    """One for each table, in their order."""
    return (found.outcome, *found.further)


def _nearest(found: Route) -> Iterable[str]:
    """Of the table that has no row for the case."""
    outcome = next((each for each in outcomes_of(found) if each.status is Status.UNCOVERED), found.outcome)
    for reading in outcome.nearest:
        unmet = (each for each in reading.conditions if each.truth is Truth.FALSE)
        failed = [f"{each.column}要求 {each.cell}" for each in unmet]
        if failed:
            told = f"{reading.rule.id}：{'，'.join(failed)}"
            yield f"- {in_line(told)}"


def _refused(process: Process, refused: Sequence[Refused]) -> Iterable[str]:
    for each in refused:
        field = process.field(each.field)
        if field is not None:
            yield escaped(f"{field.name}：{_REASONS[each.reason].format(text=each.text)}{field.invalid}")


def _help(process: Process, field: Field) -> str:
    options = f"可以回答：{'、'.join(field.options)}。" if field.options else ""
    bounds = f"可填的范围：{said(Within((field.bounds,)))}。" if field.bounds is not None else ""
    return f"{options}{bounds}拿不准的话，可以问流程管理员{process.contact}。"


def _apart(total: ShownValue) -> str:
    return (
        f"请核对：单价乘数量是 {total.value}，和您说的{total.field}不一样。"
        f"这张卡按您说的{total.field}办，不对请告诉我。"
    )


def _assumed(value: ShownValue) -> str:
    by = "按您的档案" if value.source == "profile" else "按单价和数量"
    return in_line(f"{value.field}{by}算 {value.value}")


def _changed(changes: Sequence[Change]) -> Iterable[str]:
    return (in_line(f"{change.field}：{change.old} → {change.new}") for change in changes)


def status_failed(why: str) -> str:
    return f"现在查不到申请的进度：{in_line(why)}"
