"""How processes look over HTTP: a workbook as it is written, its versions, drafts and decisions.."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StrictBool, StrictFloat, StrictInt

from service.store.decisions import Origin
from service.store.processes import VersionState

Text = Annotated[str, Field(max_length=1000)]


class ProcessItem(BaseModel):
    """The version in force on the day asked for, else the one published last; `digest` is None where there
    are only drafts, which only process administrators are told of."""

    id: str
    name: str
    aliases: list[str] = []
    contact: str = ""
    source: str = ""
    version: str = ""
    digest: str | None = None
    effective_from: date | None = None
    effective_to: date | None = None
    state: VersionState | None = None
    in_force: bool = False
    published_at: datetime | None = None
    published_by: str = ""
    warnings: int = 0
    versions: int = 0
    drafts: int = 0


class ProcessPage(BaseModel):
    items: list[ProcessItem]
    total: int
    page: int
    page_size: int


class FieldOut(BaseModel):
    """`required_when` and `bounds` in the table's words; `order` is the one in which it is asked."""

    name: str
    code: str
    type: str
    required: str
    required_when: str
    options: list[str]
    synonyms: dict[str, str]
    aliases: list[str]
    bounds: str
    order: int | None
    question: str
    invalid: str
    unit: str


class RuleOut(BaseModel):
    """`row` is that in the sheet; conditions and results stand in the order of the table's columns."""

    id: str
    row: int
    conditions: list[str]
    results: list[str]
    effective_from: date | None
    effective_to: date | None
    note: str


class TableOut(BaseModel):
    name: str
    sheet: str
    policy: str
    conditions: list[str]
    results: list[str]
    rules: list[RuleOut]
    otherwise: str


class GapOut(BaseModel):
    id: str
    row: int
    conditions: list[str]
    reason: str


class NodeOut(BaseModel):
    id: str
    name: str
    role: str
    days: int | float | None
    notes: str


class TemplateOut(BaseModel):
    """`url` is None while the file did not come with the workbook."""

    name: str
    url: str | None


class MaterialOut(BaseModel):
    id: str
    name: str
    copies: int
    notes: str
    template: TemplateOut | None


class CaseOut(BaseModel):
    id: str
    row: int
    values: dict[str, str]
    expected: str
    materials: list[str]
    notes: str


class ChangeOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    day: date | None
    version: str
    author: str
    text: str


class ProcessOut(BaseModel):
    """A workbook whole. `state` is draft, published or withdrawn; of an unreadable draft only findings."""

    id: str
    name: str
    aliases: list[str] = []
    contact: str = ""
    source: str = ""
    currency: str = ""
    version: str
    digest: str
    state: str
    file_name: str
    effective_from: date | None = None
    effective_to: date | None = None
    findings: list[JsonValue]
    fields: list[FieldOut] = []
    tables: list[TableOut] = []
    gaps: list[GapOut] = []
    nodes: list[NodeOut] = []
    materials: list[MaterialOut] = []
    cases: list[CaseOut] = []
    changes: list[ChangeOut] = []


class VersionOut(BaseModel):
    """`in_force` is said of today."""

    digest: str
    version: str
    state: VersionState
    in_force: bool
    effective_from: date | None
    effective_to: date | None
    file_name: str
    warnings: int
    published_at: datetime
    published_by: str
    withdrawn_at: datetime | None
    withdrawn_by: str


class VersionList(BaseModel):
    items: list[VersionOut]


class DraftOut(BaseModel):
    """`ok`: it may be published."""

    draft_id: str
    process_id: str
    name: str
    version: str
    digest: str
    source: str
    file_name: str
    ok: bool
    findings: list[JsonValue]
    created_at: datetime
    created_by: str


class DraftList(BaseModel):
    items: list[DraftOut]


class EvaluateIn(BaseModel):
    """`facts` by a field's name or code. `version` is a digest, or what the workbook calls itself."""

    model_config = ConfigDict(extra="forbid")

    facts: dict[Text, Text | StrictBool | StrictInt | StrictFloat] = Field(max_length=200)
    as_of: date | None = None
    version: str | None = Field(None, max_length=200)
    matrix: bool = False

    def texts(self) -> dict[str, str]:
        """The values as a person would write them."""
        return {name: _written(value) for name, value in self.facts.items()}


class PublishIn(BaseModel):
    model_config = ConfigDict(extra="forbid")

    draft_id: str = Field(max_length=64)


class PublishedOut(BaseModel):
    """`changed` is False when this very workbook was published last already; `serving`: it serves today."""

    process_id: str
    digest: str
    version: str
    changed: bool
    serving: bool
    findings: list[JsonValue]


class MatchedOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    table: str
    rules: list[str]


class DecisionOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: str
    at: datetime
    digest: str
    version: str
    principal_id: str
    name: str
    origin: Origin
    action: str
    engine: str
    inputs: dict[str, str]
    matched: list[MatchedOut]


class RuleUseOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    table: str
    rule: str
    times: int


class UsageOut(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    total: int
    by_action: dict[str, int]
    by_rule: list[RuleUseOut]


class DecisionPage(BaseModel):
    """`usage` counts the last `days`, the items are all there are."""

    items: list[DecisionOut]
    total: int
    page: int
    page_size: int
    usage: UsageOut


def _written(value: str | bool | int | float) -> str:
    if isinstance(value, bool):
        return "是" if value else "否"
    return value if isinstance(value, str) else format(Decimal(str(value)), "f")
