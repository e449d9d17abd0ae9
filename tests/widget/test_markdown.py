import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.widget.conftest import RunJs

CASES = Path(__file__).resolve().parent.parent / "cases" / "widget"
RENDER = """
    const box = document.createElement("div");
    const mark = (n) => Object.assign(document.createElement("i"), { textContent: String(n) });
    box.append(...module.splitBlocks(argument).map((block) => module.renderBlock(block, mark)));
    return box.innerHTML;
"""
NAMES_OF_ELEMENTS = """
    const box = document.createElement("div");
    const mark = () => document.createElement("i");
    box.append(...module.splitBlocks(argument).map((block) => module.renderBlock(block, mark)));
    return [...box.querySelectorAll("*")].map((element) => element.localName);
"""
TEXT_ELEMENTS = {"p", "br", "h4", "ul", "ol", "li", "blockquote", "pre", "code", "strong", "i"}
TABLE_ELEMENTS = {"div", "table", "thead", "tbody", "tr", "th", "td"}

pytestmark = pytest.mark.browser


def cases(name: str) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads((CASES / name).read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("case", cases("markdown.json"), ids=lambda case: str(case["name"]))
def test_answer_text_is_drawn_as_its_case_says(run_js: RunJs, case: dict[str, str]) -> None:
    assert run_js("widget/markdown.js", RENDER, case["text"]) == case["html"]


@pytest.mark.parametrize("case", cases("loose_ends.json"), ids=lambda case: str(case["name"]))
def test_marks_that_have_only_begun_are_held_back(run_js: RunJs, case: dict[str, str]) -> None:
    shown = run_js("widget/markdown.js", "return module.withoutLooseEnds(argument);", case["text"])
    assert shown == case["shown"]


MARKUP = st.text(st.sampled_from("甲乙 1.2)-*|`>#[]<\n\t第条&\"'/😀"), max_size=60)


@settings(max_examples=80, deadline=None)
@given(text=MARKUP)
def test_no_text_ever_becomes_an_element_of_its_own(run_js: RunJs, text: str) -> None:
    assert set(run_js("widget/markdown.js", NAMES_OF_ELEMENTS, text)) <= TEXT_ELEMENTS | TABLE_ELEMENTS


@settings(max_examples=80, deadline=None)
@given(text=MARKUP)
def test_no_word_is_lost_whatever_the_marks(run_js: RunJs, text: str) -> None:
    html: str = run_js("widget/markdown.js", RENDER.replace("innerHTML", "textContent"), text)
    assert [char for char in html if char in "甲乙第条😀"] == [char for char in text if char in "甲乙第条😀"]
