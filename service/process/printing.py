"""A step card on paper: one HTML page of its own, without a script, or Markdown to paste into a mail.

Both say the same in the same order, and everything in them is escaped: it comes from workbooks and people.
"""

from collections.abc import Iterator
from html import escape

from rules.flow import Basis, Need
from rules.table import Node
from service.process.card import StepCard, next_action, noted
from service.process.escaping import in_line

_NO_MATERIALS = "不需要另交材料。"
_STYLE = """
body{max-width:46em;margin:2em auto;padding:0 1em;color:#1d2733;
font:16px/1.7 "Noto Sans CJK SC","Microsoft YaHei",sans-serif}
h1{font-size:1.4em;margin:0 0 .2em}h2{font-size:1.05em;margin:1.4em 0 .4em}
.version,.basis{color:#5a6673;font-size:.9em}table{border-collapse:collapse;width:100%}
th,td{border:1px solid #c9d1d9;padding:.35em .6em;text-align:start;vertical-align:top}
th{width:9em;background:#f3f5f7;font-weight:500}ol,ul{margin:.3em 0;padding-inline-start:1.6em}
ul{list-style:none;padding-inline-start:.2em}ul li::before{content:"☐ "}
@page{size:A4;margin:18mm}@media print{body{margin:0;max-width:none}}
"""


def html(card: StepCard) -> str:
    """A whole document."""
    return "".join(_page(card))


def markdown(card: StepCard) -> str:
    return "\n".join(_lines(card)) + "\n"


def _page(card: StepCard) -> Iterator[str]:
    title = escape(_title(card))
    yield f'<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>{title}</title>'
    yield f"<style>{_STYLE}</style><h1>{title}</h1>"
    yield f'<p class="version">版本 {escape(card.version)}</p><table>'
    for value in card.values:
        yield f"<tr><th>{escape(value.field)}</th><td>{escape(value.value)}</td></tr>"
    yield f"</table><h2>{escape(_steps_heading(card))}</h2><ol>"
    for node in card.nodes:
        yield f"<li>{escape(_step(node))}</li>"
    yield "</ol><h2>材料</h2>"
    if card.needs:
        yield f"<ul>{''.join(f'<li>{escape(_material(need))}</li>' for need in card.needs)}</ul>"
    else:
        yield f"<p>{_NO_MATERIALS}</p>"
    yield f"<h2>下一步</h2><p>{escape(next_action(card))}</p>"
    for line in _basis(card.basis):
        yield f'<p class="basis">{escape(line)}</p>'
    yield "</html>"


def _lines(card: StepCard) -> Iterator[str]:
    yield f"# {in_line(_title(card))}"
    yield f"\n版本 {in_line(card.version)}\n"
    yield from (f"- {in_line(f'{value.field}：{value.value}')}" for value in card.values)
    yield f"\n## {in_line(_steps_heading(card))}\n"
    yield from (f"{place}. {in_line(_step(node))}" for place, node in enumerate(card.nodes, 1))
    yield "\n## 材料\n"
    yield from (f"- [ ] {in_line(_material(need))}" for need in card.needs)
    if not card.needs:
        yield _NO_MATERIALS
    yield f"\n## 下一步\n\n{in_line(next_action(card))}"
    yield from (f"\n{in_line(line)}" for line in _basis(card.basis))


def _title(card: StepCard) -> str:
    return f"{card.process}：{card.path}" if card.path else card.process


def _steps_heading(card: StepCard) -> str:
    return f"步骤（预计 {card.days:f} 个工作日）" if card.days is not None else "步骤"


def _step(node: Node) -> str:
    time = f"{node.days:f} 个工作日" if node.days is not None else ""
    who = "，".join(part for part in (node.role, time) if part)
    return f"{node.name}{f'（{who}）' if who else ''}{f'：{node.notes}' if node.notes else ''}"


def _material(need: Need) -> str:
    """Its id, so that it can be spoken of; how many; what the workbook says of it; why."""
    material = need.material
    template = f"模板 {material.template}" if material.template else ""
    told = "，".join(part for part in (f"{material.copies} 份", template, material.notes) if part)
    return f"{material.name}（{material.id}，{told}）——{need.required_because}"


def _basis(basis: Basis) -> Iterator[str]:
    """The row, its conditions and its clause; then what the table remarks beside the row."""
    rows = "、".join(rule.id for rule in basis.rules)
    conditions = "，".join(f"{each.column} {each.cell}" for each in basis.conditions)
    row = f"{basis.table} {rows}{f'（{conditions}）' if conditions else ''}"
    yield f"依据：{'；'.join(part for part in (row, basis.source) if part)}"
    yield from (f"备注（{rule.id}）：{rule.note}" for rule in noted(basis))
