"""A card on paper, as a page and as Markdown: all that the card says, and nothing that acts."""

from dataclasses import replace
from typing import cast

import pytest

from rules.table import Rule
from service.process.card import StepCard, card_json, next_action
from service.process.offered import form_name
from service.process.printing import html, markdown
from tests.service.process.cases import talk

SLY = "<script>x()</script> [点](http://a) *急*\n# 二"


def card(note: str = "各节点时限减半") -> StepCard:
    (reply,) = talk("我想申请一台8万的服务器，比较急")
    assert reply.card is not None
    rules: tuple[Rule, ...] = tuple(replace(rule, note=note) for rule in reply.card.basis.rules)
    return replace(reply.card, basis=replace(reply.card.basis, rules=rules))


@pytest.mark.parametrize("printed", [html, markdown])
def test_a_print_says_what_the_card_says(printed: object) -> None:
    assert callable(printed)
    told = printed(card())
    for words in (
        "资产申请：信息化论证加急",
        "版本 2025.2",
        "80000元",
        "部门初审（申请部门经理",
        "资产申请表（M01，1 份",
        "资产申请办理路径 R14：预算金额",
        "下一步",
        "《资产管理办法》第十一条",
        "备注（R14）：各节点时限减半",
    ):
        assert words in told


@pytest.mark.parametrize("printed", [html, markdown])
def test_a_row_without_a_remark_prints_none(printed: object) -> None:
    assert callable(printed)
    assert "备注" not in printed(card(note=""))


def test_the_remark_of_the_deciding_row_is_part_of_the_answer_over_http() -> None:
    basis = card_json(card(), "case-1")["basis"]
    assert isinstance(basis, dict)
    assert basis["notes"] == [{"row": "R14", "text": "各节点时限减半"}]


def test_what_a_workbook_says_is_neither_markup_nor_markdown() -> None:
    sly = replace(card(note=SLY), process=SLY, path=SLY)
    assert "<script>" not in html(sly)
    told = markdown(sly)
    assert "<script>" not in told and "\\[点\\]" in told and "\\*急\\*" in told
    assert sum(line.startswith("# ") for line in told.splitlines()) == 1


def test_a_template_that_did_not_come_with_the_workbook_is_named_and_not_offered() -> None:
    whole = card()
    names = [need.material.template for need in whole.needs if need.material.template]
    there = replace(whole, forms=frozenset(map(form_name, names[:1])))
    materials = cast(list[dict[str, dict[str, str | None] | None]], card_json(there, "case-1")["materials"])
    templates = [template for each in materials if (template := each["template"]) is not None]
    assert [template["name"] for template in templates] == names and len(names) > 1
    assert [template["url"] is None for template in templates] == [False] + [True] * (len(names) - 1)
    assert "直接下载" in next_action(there)
    assert "直接下载" not in next_action(replace(whole, forms=frozenset()))
