"""必填条件 and other conditions on several fields: 文件类型=合同、证明且预算金额≥5万."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

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


LONGEST = 400
"""Characters. Nobody can check a longer one."""


@dataclass(frozen=True, slots=True)
class _Name:
    """A name or code that a clause may begin with."""

    text: str
    field: Field


def read_requirement(text: str, fields: Sequence[Field], own: str = "") -> tuple[Clause, ...]:
    """Clauses that must all hold. `own` is the field it is about, which cannot rest on itself.

    Raises CellFault: an unknown field, or a condition not of its kind.
    """
    said = plain(text.replace("\n", ";"))
    if not said:
        raise bad_cell(
            text, "必填写了「条件」，却没有写是什么条件", "请写成「字段=值」，例如：文件类型=合同。"
        )
    if len(said) > LONGEST:
        raise bad_cell(text, f"这一格有 {len(said)} 个字，太长", "请写几个用「且」连起来的「字段=值」。")
    found = (_Name(name, field) for field in fields for name in (field.name, field.code) if name)
    names = sorted(found, key=_longest_first)
    parts = [part for whole in _AND.split(said) if whole for part in _separated(whole, names)]
    clauses = tuple(_clause(part, names, fields) for part in parts)
    if any(clause.field == own for clause in clauses):
        raise bad_cell(text, f"「{own}」是否必填取决于它自己", "请写成取决于别的字段，或者写「是」「否」。")
    return clauses


def _separated(text: str, names: Sequence[_Name]) -> list[str]:
    """Cut before 、字段=, so that the 、 between two options of one field stays."""
    cuts = [m for m in _LISTED.finditer(text) if _named(text[m.end() :], names)]
    starts = [0, *(cut.end() for cut in cuts)]
    ends = [*(cut.start() for cut in cuts), len(text)]
    return [text[start:end] for start, end in zip(starts, ends, strict=True) if text[start:end].strip()]


def _named(text: str, names: Sequence[_Name]) -> _Name | None:
    """What a clause begins with: the longest name or code that something that compares follows."""
    begun = (name for name in names if text.startswith(name.text))
    return next((name for name in begun if _COMPARES.match(text[len(name.text) :])), None)


def _longest_first(name: _Name) -> int:
    return -len(name.text)


def _clause(text: str, names: Sequence[_Name], fields: Sequence[Field]) -> Clause:
    name = _named(text, names)
    if name is None:
        raise _unknown(text, fields)
    if any(_named(text[found.end() :], names) for found in re.finditer("或者?", text)):
        raise bad_cell(text, "两个条件之间写了「或」", "几个条件只能用「且」连起来，要同时满足；请改写条件。")
    return Clause(name.field.name, _condition(text[len(name.text) :].strip(), name.field))


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
