"""必填条件 and other conditions on several fields: 文件类型=合同、证明且预算金额≥5万."""

import re
from collections.abc import Sequence

from rules.cells.reading import read_condition
from rules.conditions import Condition, OneOf, Within
from rules.faults import CellFault, bad_cell
from rules.findings import Code
from rules.spelling import plain, suggestion
from rules.table import Clause, Field, Input

_AND = re.compile(r"\s*(?:\n|;|&&|(?:并且|且)(?:同时)?|\band\b)\s*", re.IGNORECASE)
_LISTED = re.compile(r"[、,]\s*|\s+")
_OPERATOR = re.compile(r"\s*(?:不等于|不属于|不是|不为|≠|!=|<>|属于|等于|==|=(?![<>])|为|是|:)\s*")
_NEGATIVE = frozenset({"不等于", "不属于", "不是", "不为", "≠", "!=", "<>"})
_COMPARES = re.compile(
    r"\s*(?:[<>≥≤≠=!:]|大于|小于|不?超过|不?低于|不?高于|不?少于|不?多于|不满|不足|未满|至少|至多|最少|最多|早于|晚于"
    r"|不早于|不晚于|不?等于|不?属于|不[是为]|[为是除]|[0-9])"
)


def read_requirement(text: str, fields: Sequence[Field]) -> tuple[Clause, ...]:
    """Clauses that must all hold. Raises CellFault: an unknown field, or a condition not of its kind."""
    said = plain(text.replace("\n", ";"))
    if not said:
        raise bad_cell(
            text, "必填写了「条件」，却没有写是什么条件", "请写成「字段=值」，例如：文件类型=合同。"
        )
    parts = [part for whole in _AND.split(said) if whole for part in _separated(whole, fields)]
    return tuple(_clause(part, fields) for part in parts)


def _separated(text: str, fields: Sequence[Field]) -> list[str]:
    """Cut before 、字段=, so that the 、 between two options of one field stays."""
    cuts = [m for m in _LISTED.finditer(text) if _named(text[m.end() :], fields)]
    starts = [0, *(cut.end() for cut in cuts)]
    ends = [*(cut.start() for cut in cuts), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True) if text[start:end].strip()]


def _named(text: str, fields: Sequence[Field]) -> Field | None:
    """The field a clause begins with: its name or code, followed by something that compares."""
    names = sorted(
        ((name, field) for field in fields for name in (field.name, field.code) if name), key=_longest
    )
    for name, field in names:
        if text.startswith(name) and _COMPARES.match(text[len(name) :]):
            return field
    return None


def _longest(named: tuple[str, Field]) -> int:
    return -len(named[0])


def _clause(text: str, fields: Sequence[Field]) -> Clause:
    field = _named(text, fields)
    if field is None:
        raise _unknown(text, fields)
    joined = next(
        (found for found in re.finditer("或者?", text) if _named(text[found.end() :], fields)), None
    )
    if joined:
        raise bad_cell(text, "两个条件之间写了「或」", "几个条件只能用「且」连起来，要同时满足；请改写条件。")
    name = field.name if text.startswith(field.name) else field.code
    rest = text[len(name) :].strip()
    return Clause(field.name, _condition(rest, field))


def _unknown(text: str, fields: Sequence[Field]) -> CellFault:
    found = _COMPARES.search(text)
    word = text[: found.start()].strip() if found else text
    names = [field.name for field in fields]
    if not found or word in names:
        return bad_cell(
            text, "不是「字段=值」的写法", "请写成「字段=值」，例如：文件类型=合同；几个条件用「且」连起来。"
        )
    return CellFault(Code.UNKNOWN_FIELD, f"没有叫「{word}」的字段。", suggestion(word, names), value=word)


def _condition(rest: str, field: Field) -> Condition:
    column = Input(field.name, field.name, field.type, field.options, field.bounds, field.unit)
    operator = _OPERATOR.match(rest)
    if operator is None:
        return read_condition(rest, column)
    value = rest[operator.end() :]
    condition = read_condition(value, column)
    if operator.group().strip() not in _NEGATIVE:
        return condition
    if isinstance(condition, OneOf):
        return OneOf(condition.values, not condition.negated)
    if isinstance(condition, Within):
        return Within(condition.intervals, not condition.negated)
    raise bad_cell(rest, "「任意」不能用「不等于」", "请去掉这个条件。")
