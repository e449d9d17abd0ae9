"""The step card 步骤卡: path, steps, materials and why, the row that decided. No model writes it."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import quote

from pydantic import JsonValue

from rules.flow import Basis, Need, Route
from rules.table import Node, Process, Rule
from service.process.offered import form_name

OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A field as the card shows it. `source`: said, profile (the user's entry), or derived (worked out)."""

    field: str
    code: str
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class Change:
    """A value that a correction replaced."""

    field: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class StepCard:
    """`digest` is the SHA-256 of the workbook that decided. `days` are working days. `engine` found what the
    values were read from in the message that led to the card; the tables are evaluated by code always.
    `forms` are the templates that can be downloaded; None where nobody looked."""

    process_id: str
    process: str
    version: str
    digest: str
    path: str
    nodes: tuple[Node, ...]
    needs: tuple[Need, ...]
    days: Decimal | None
    basis: Basis
    values: tuple[ShownValue, ...]
    changes: tuple[Change, ...] = ()
    engine: str = OFFLINE
    forms: frozenset[str] | None = None

    def has_form(self, need: Need) -> bool:
        """Whether the template of a material can be downloaded."""
        name = need.material.template
        return bool(name) and (self.forms is None or form_name(name) in self.forms)


def card_of(
    process: Process, route: Route, values: Sequence[ShownValue], changes: Sequence[Change] = ()
) -> StepCard:
    """The card of a matched route. Raises ValueError for any other."""
    if route.basis is None:
        raise ValueError(f"a route that is {route.status} has no card")
    return StepCard(
        process_id=process.id,
        process=process.name,
        version=process.version,
        digest=process.digest,
        path=route.path,
        nodes=route.nodes,
        needs=route.needs,
        days=route.days,
        basis=route.basis,
        values=tuple(values),
        changes=tuple(changes),
    )


def next_action(card: StepCard) -> str:
    """What the applicant does now, in one sentence."""
    first = card.nodes[0] if card.nodes else None
    to = f"，交{first.role}办理「{first.name}」" if first and first.role else ""
    if not card.needs:
        return f"可以直接提交{card.process}{to}。"
    forms = "带模板的材料可以直接下载。" if any(map(card.has_form, card.needs)) else ""
    return f"请备齐上面的材料后提交{card.process}{to}。您是否已经准备好？{forms}"


def template_url(process_id: str, name: str) -> str:
    return f"/api/v1/processes/{quote(process_id, safe='')}/templates/{quote(name, safe='')}"


def card_json(card: StepCard, case_id: str, citation: int | None = None) -> dict[str, JsonValue]:
    """The `card` event of a chat, and the card of an API answer. `citation` is the number of the clause's
    citation, when the clause is in the index."""
    return {
        "case_id": case_id,
        "process": {"id": card.process_id, "name": card.process},
        "version": card.version,
        "digest": card.digest,
        "path": card.path,
        "steps": [
            {"name": node.name, "role": node.role, "days": number(node.days), "notes": node.notes}
            for node in card.nodes
        ],
        "materials": [_material(card, need) for need in card.needs],
        "total_days": number(card.days),
        "basis": _basis(card.basis, citation),
        "values": [value_json(each) for each in card.values],
        "changes": [{"field": each.field, "old": each.old, "new": each.new} for each in card.changes],
        "next_action": next_action(card),
        "asked_fields": [each.code for each in card.values if each.source == "said"],
        "engine": card.engine,
    }


def value_json(value: ShownValue) -> dict[str, JsonValue]:
    return {"field": value.field, "code": value.code, "value": value.value, "source": value.source}


def _material(card: StepCard, need: Need) -> JsonValue:
    """The `url` of a template is None where the file did not come with the workbook."""
    material = need.material
    template: JsonValue = None
    if material.template:
        url = template_url(card.process_id, material.template) if card.has_form(need) else None
        template = {"name": material.template, "url": url}
    return {
        "id": material.id,
        "name": material.name,
        "copies": material.copies,
        "notes": material.notes,
        "required_because": need.required_because,
        "template": template,
    }


def _basis(basis: Basis, citation: int | None) -> JsonValue:
    return {
        "table": basis.table,
        "sheet": basis.sheet,
        "rows": [rule.id for rule in basis.rules],
        "conditions": [{"column": each.column, "text": each.cell} for each in basis.conditions],
        "notes": [{"row": rule.id, "text": rule.note} for rule in noted(basis)],
        "source": basis.source,
        "citation": citation,
    }


def noted(basis: Basis) -> tuple[Rule, ...]:
    """The deciding rows beside which the table has a remark 备注."""
    return tuple(rule for rule in basis.rules if rule.note)


def number(value: Decimal | None) -> int | float | None:
    """A count of days for JSON: whole where it is whole."""
    if value is None:
        return None
    return int(value) if value == value.to_integral_value() else float(value)
