"""Processes, versions and drafts in the shapes of the API."""

from collections.abc import Collection, Iterator
from datetime import date
from typing import cast

from pydantic import JsonValue

from rules.conditions import Within
from rules.findings import FindingJson, Severity
from rules.table import Clause, DecisionTable, Field, Output, Process, Result, ResultKind
from rules.wording import said, typed
from service.api.process_shapes import (
    CaseOut,
    ChangeOut,
    DraftOut,
    FieldOut,
    GapOut,
    MaterialOut,
    NodeOut,
    ProcessItem,
    ProcessOut,
    RuleOut,
    TableOut,
    TemplateOut,
    VersionOut,
)
from service.process.card import number, template_url
from service.process.offered import form_name
from service.store.processes import Draft, Template, Version


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
        state=version.state,
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
    return [cast(JsonValue, each) for each in findings]


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
                materials=list(case.materials or ()),
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


def _field(field: Field) -> FieldOut:
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
