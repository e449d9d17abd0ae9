"""How processes look over HTTP: a workbook as it is written, its versions, drafts and decisions."""

from collections.abc import Collection, Iterator
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from rules.conditions import Within
from rules.findings import FindingJson, Severity
from rules.table import Clause, DecisionTable, Output, Process, Result, ResultKind
from rules.table import Field as ProcessField
from rules.wording import said, typed
from service.process.card import number, template_url
from service.process.offered import form_name
from service.store.decisions import Origin
from service.store.processes import Draft, Template, Version, VersionState

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

    facts: dict[Text, Text | bool | int | float] = Field(max_length=200)
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
    """`changed` is False when this very workbook served already."""

    process_id: str
    digest: str
    version: str
    changed: bool
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


def item_out(version: Version, process: Process | None, day: date, versions: int, drafts: int) -> ProcessItem:
    return ProcessItem(
        id=version.process_id,
        name=version.name,
        aliases=list(process.aliases) if process else [],
        contact=process.contact if process else "",
        source=process.source if process else "",
        version=version.version,
        digest=version.digest,
        effective_from=version.effective_from,
        effective_to=version.effective_to,
        in_force=version.in_force(day),
        published_at=version.published_at,
        published_by=version.published_by,
        warnings=_warnings(version.findings),
        versions=versions,
        drafts=drafts,
    )


def version_out(version: Version) -> VersionOut:
    return VersionOut(
        digest=version.digest,
        version=version.version,
        state=version.state,
        in_force=version.in_force(date.today()),
        effective_from=version.effective_from,
        effective_to=version.effective_to,
        file_name=version.file_name,
        warnings=_warnings(version.findings),
        published_at=version.published_at,
        published_by=version.published_by,
        withdrawn_at=version.withdrawn_at,
        withdrawn_by=version.withdrawn_by,
    )


def draft_out(draft: Draft) -> DraftOut:
    return DraftOut(
        draft_id=draft.id,
        process_id=draft.process_id,
        name=draft.name,
        version=draft.version,
        digest=draft.digest,
        source=draft.source,
        file_name=draft.file_name,
        ok=draft.ok,
        findings=findings_out(draft.findings),
        created_at=draft.created_at,
        created_by=draft.created_by,
    )


def process_out(shown: Version | Draft, process: Process | None) -> ProcessOut:
    state = shown.state.value if isinstance(shown, Version) else "draft"
    told = ProcessOut(
        id=shown.process_id,
        name=shown.name,
        version=shown.version,
        digest=shown.digest,
        state=state,
        file_name=shown.file_name,
        findings=findings_out(shown.findings),
    )
    return told if process is None else told.model_copy(update=_contents(process, shown.templates))


def findings_out(findings: Collection[FindingJson]) -> list[JsonValue]:
    return [dict(each) for each in findings]  # type: ignore[misc]


def _contents(process: Process, templates: Collection[Template]) -> dict[str, object]:
    there = {form_name(each.name) for each in templates}
    return {
        "aliases": list(process.aliases),
        "contact": process.contact,
        "source": process.source,
        "currency": process.currency,
        "effective_from": process.effective_from,
        "effective_to": process.effective_to,
        "fields": [_field(each) for each in process.fields],
        "tables": [_table(each) for each in process.tables],
        "gaps": [
            GapOut(id=gap.id, row=gap.row, conditions=list(gap.cells), reason=gap.reason)
            for gap in process.gaps
        ],
        "nodes": [
            NodeOut(id=node.id, name=node.name, role=node.role, days=number(node.days), notes=node.notes)
            for node in process.nodes
        ],
        "materials": list(_materials(process, there)),
        "cases": [
            CaseOut(
                id=case.id,
                row=case.row,
                values=dict(case.values),
                expected=case.expected,
                materials=list(case.materials),
                notes=case.notes,
            )
            for case in process.cases
        ],
        "changes": [ChangeOut.model_validate(change) for change in process.changes],
    }


def _materials(process: Process, there: Collection[str]) -> Iterator[MaterialOut]:
    for each in process.materials:
        url = template_url(process.id, each.template) if form_name(each.template) in there else None
        template = TemplateOut(name=each.template, url=url) if each.template else None
        yield MaterialOut(id=each.id, name=each.name, copies=each.copies, notes=each.notes, template=template)


def _field(field: ProcessField) -> FieldOut:
    return FieldOut(
        name=field.name,
        code=field.code,
        type=field.type.value,
        required=field.required.value,
        required_when="且".join(_clause(each) for each in field.required_when),
        options=list(field.options),
        synonyms=dict(field.synonyms),
        aliases=list(field.aliases),
        bounds=said(Within((field.bounds,))) if field.bounds else "",
        order=field.order,
        question=field.question,
        invalid=field.invalid,
        unit=field.unit,
    )


def _clause(clause: Clause) -> str:
    return f"{clause.field}：{said(clause.condition)}"


def _table(table: DecisionTable) -> TableOut:
    rules = [
        RuleOut(
            id=rule.id,
            row=rule.row,
            conditions=list(rule.cells),
            results=[
                _result(result, output) for result, output in zip(rule.results, table.outputs, strict=True)
            ],
            effective_from=rule.effective_from,
            effective_to=rule.effective_to,
            note=rule.note,
        )
        for rule in table.rules
    ]
    return TableOut(
        name=table.name,
        sheet=table.sheet,
        policy=table.policy.value,
        conditions=[column.name for column in table.inputs],
        results=[output.name for output in table.outputs],
        rules=rules,
        otherwise=table.otherwise,
    )


def _result(result: Result, output: Output) -> str:
    if isinstance(result, tuple):
        return (" > " if output.kind is ResultKind.NODES else "、").join(result)
    return typed(result)


def _warnings(findings: Collection[FindingJson]) -> int:
    return sum(each["severity"] == Severity.WARNING for each in findings)


def _written(value: str | bool | int | float) -> str:
    if isinstance(value, bool):
        return "是" if value else "否"
    return value if isinstance(value, str) else format(Decimal(str(value)), "f")
