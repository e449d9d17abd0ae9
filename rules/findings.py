"""What is wrong with a workbook, told so that the person who keeps it can mend it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from typing import TypedDict

from rules.conditions import Value
from rules.regions import Box


class Severity(StrEnum):
    ERROR = "error"  # the workbook cannot be published
    WARNING = "warning"
    INFO = "info"


class Code(StrEnum):
    """Fixed names: other systems and the development data know them."""

    GAP = "gap"
    OVERLAP = "overlap"
    UNREACHABLE = "unreachable"
    BLANK_CONDITION = "blank_condition"
    UNKNOWN_VALUE = "unknown_value"
    UNKNOWN_MATERIAL = "unknown_material"
    UNKNOWN_NODE = "unknown_node"
    UNKNOWN_FIELD = "unknown_field"
    UNUSED = "unused"
    BAD_CELL = "bad_cell"
    BAD_RANGE = "bad_range"  # a range that holds nothing, or whose ends are not said
    BAD_SHEET = "bad_sheet"
    FORMULA = "formula"
    MERGED = "merged"
    DATE_CELL = "date_cell"  # 3-5 that the program turned into a day
    SCIENTIFIC = "scientific"
    DUPLICATE = "duplicate"
    BAD_PERIOD = "bad_period"
    FAILED_CASE = "failed_case"
    NOT_CHECKED = "not_checked"
    MISSING_TEMPLATE = "missing_template"  # a material names a form that did not come with the workbook
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Finding:
    """`rules` are the rows it is about; `near_rules` border a gap; `witness` is a point that shows it."""

    severity: Severity
    code: Code
    message: str  # Chinese, for the keeper of the table
    mend: str = ""
    sheet: str = ""
    row: int | None = None  # from 1
    column: str = ""
    value: str = ""
    rules: tuple[str, ...] = ()
    near_rules: tuple[str, ...] = ()
    shadowed_by: tuple[str, ...] = ()
    witness: Mapping[str, str] = field(default_factory=dict)
    region: tuple[Box, ...] = ()  # where a gap or an overlap is; `witness` lies in the first


def covers(finding: Finding, point: Mapping[str, Value | None]) -> bool:
    """Whether the finding's region holds `point`: a field it does not name is free, None is no value."""
    return any(point in box for box in finding.region)


class FindingJson(TypedDict):
    """A finding as other programs read it; the keys are fixed."""

    severity: str
    code: str
    sheet: str
    row: int | None
    rules: list[str]
    near_rules: list[str]
    shadowed_by: list[str]
    column: str
    value: str
    witness: dict[str, str | int | float]
    message: str
    mend: str


_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?")


def _witnessed(text: str) -> str | int | float:
    """A number as a JSON number, as the development data has it, unless that would be another number."""
    found = _NUMBER.fullmatch(text)
    if found is None:
        return text
    if not found["fraction"]:
        return int(text)
    number = float(text)
    return number if Decimal(repr(number)) == Decimal(text) else text


def finding_json(finding: Finding) -> FindingJson:
    return {
        "severity": finding.severity.value,
        "code": finding.code.value,
        "sheet": finding.sheet,
        "row": finding.row,
        "rules": list(finding.rules),
        "near_rules": list(finding.near_rules),
        "shadowed_by": list(finding.shadowed_by),
        "column": finding.column,
        "value": finding.value,
        "witness": {field: _witnessed(text) for field, text in finding.witness.items()},
        "message": finding.message,
        "mend": finding.mend,
    }
