"""The step card 步骤卡: path, steps, materials and why, the row that decided. No model writes it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import quote

from pydantic import JsonValue

from rules.flow import Basis, Need, Route
from rules.table import Node, Process


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
    """`digest` is the SHA-256 of the workbook that decided. `days` are working days."""

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
    engine: str = "offline"


def card_of(
    process: Process,
    route: Route,
    values: Sequence[ShownValue],
    changes: Sequence[Change] = (),
    engine: str = "offline",
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
        engine=engine,
    )


def next_action(card: StepCard) -> str:
    """What the applicant does now, in one sentence."""
    first = card.nodes[0] if card.nodes else None
    to = f"，交{first.role}办理「{first.name}」" if first and first.role else ""
    if not card.needs:
        return f"可以直接提交{card.process}{to}。"
    return f"请备齐上面的材料后提交{card.process}{to}。您是否已经准备好？带模板的材料可以直接下载。"


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
        "materials": [_material(card.process_id, need) for need in card.needs],
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


def _material(process_id: str, need: Need) -> JsonValue:
    material = need.material
    template: JsonValue = None
    if material.template:
        template = {"name": material.template, "url": template_url(process_id, material.template)}
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
        "source": basis.source,
        "citation": citation,
    }


def number(value: Decimal | None) -> int | float | None:
    """A count of days for JSON: whole where it is whole."""
    if value is None:
        return None
    return int(value) if value == value.to_integral_value() else float(value)


def markdown(card: StepCard) -> str:
    """The card to print or to paste into a mail."""
    return "\n".join(_lines(card)) + "\n"


def _lines(card: StepCard) -> Iterable[str]:
    yield f"# {card.process}：{card.path or '办理步骤'}"
    yield ""
    yield from (f"- {each.field}：{each.value}" for each in card.values)
    yield ""
    yield "## 步骤"
    yield from (
        f"{place}. {node.name}（{node.role}{_time(node)}）" for place, node in enumerate(card.nodes, 1)
    )
    if card.days is not None:
        yield f"\n预计 {card.days:f} 个工作日。"
    yield "\n## 材料"
    yield from (f"- [ ] {need.material.name}（{need.material.id}）" for need in card.needs)
    if not card.needs:
        yield "不需要另交材料。"
    rows = "、".join(rule.id for rule in card.basis.rules)
    told = "，".join(f"{each.column} {each.cell}" for each in card.basis.conditions)
    row = f"{card.basis.table} {rows}{f'（{told}）' if told else ''}"
    yield f"\n依据：{row}；{card.basis.source}；版本 {card.version}"


def _time(node: Node) -> str:
    return f"，{node.days:f} 个工作日" if node.days is not None else ""
