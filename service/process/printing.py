"""A step card to print: one HTML page of its own, without a script, from the card's own words."""

from collections.abc import Iterator
from html import escape

from service.process.card import StepCard, next_action

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
    """A whole document; everything in it is escaped."""
    return "".join(_parts(card))


def _parts(card: StepCard) -> Iterator[str]:
    title = f"{card.process}：{card.path}" if card.path else card.process
    yield f'<!doctype html><html lang="zh-CN"><meta charset="utf-8"><title>{escape(title)}</title>'
    yield f"<style>{_STYLE}</style><h1>{escape(title)}</h1>"
    yield f'<p class="version">版本 {escape(card.version)}</p><table>'
    for value in card.values:
        yield f"<tr><th>{escape(value.field)}</th><td>{escape(value.value)}</td></tr>"
    days = f"（预计 {card.days:f} 个工作日）" if card.days is not None else ""
    yield f"</table><h2>步骤{days}</h2><ol>"
    for node in card.nodes:
        time = f"，{node.days:f} 个工作日" if node.days is not None else ""
        notes = f"：{node.notes}" if node.notes else ""
        yield f"<li>{escape(f'{node.name}（{node.role}{time}）{notes}')}</li>"
    yield "</ol><h2>材料</h2>"
    if card.needs:
        named = (f"{need.material.name}（{need.material.copies} 份）" for need in card.needs)
        yield f"<ul>{''.join(f'<li>{escape(name)}</li>' for name in named)}</ul>"
    else:
        yield "<p>不需要另交材料。</p>"
    rows = "、".join(rule.id for rule in card.basis.rules)
    told = "，".join(f"{each.column} {each.cell}" for each in card.basis.conditions)
    basis = f"{card.basis.table} {rows}{f'（{told}）' if told else ''}；{card.basis.source}"
    yield f"<h2>下一步</h2><p>{escape(next_action(card))}</p>"
    yield f'<p class="basis">依据：{escape(basis)}</p></html>'
