from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.widget.conftest import RunJs

MARKED = """
    const { blocks, quotes } = argument;
    const { ranges, lost } = module.locateAll(blocks, quotes);
    const marked = blocks.map((block) => module.pieces(block, ranges));
    return { ranges, lost, marked };
"""
TEXTS = st.lists(
    st.text(st.sampled_from("甲乙丙 1，。😀𠮷"), min_size=1, max_size=12), min_size=1, max_size=4
)

pytestmark = pytest.mark.browser


@dataclass(frozen=True)
class Source:
    """Blocks as the service cuts them: offsets are code points of the text joined by newlines."""

    texts: tuple[str, ...]

    @property
    def canonical(self) -> str:
        return "\n".join(self.texts)

    @property
    def blocks(self) -> list[dict[str, object]]:
        found: list[dict[str, object]] = []
        start = 0
        for text in self.texts:
            found.append({"text": text, "char_start": start, "char_end": start + len(text)})
            start += len(text) + 1
        return found


def quote(text: str, start: int | None = None, end: int | None = None) -> dict[str, object]:
    return {"text": text, "range": None if start is None else {"start": start, "end": end}}


@settings(max_examples=80, deadline=None)
@given(texts=TEXTS, data=st.data())
def test_the_highlight_is_exactly_the_quoted_span(
    run_js: RunJs, texts: list[str], data: st.DataObject
) -> None:
    source = Source(tuple(texts))
    start = data.draw(st.integers(0, len(source.canonical) - 1))
    end = data.draw(st.integers(start + 1, len(source.canonical)))
    wanted = source.canonical[start:end]
    if not wanted.strip():
        return
    argument = {"blocks": source.blocks, "quotes": [quote(wanted, start, end)]}
    found = run_js("widget/locate.js", MARKED, argument)
    marked = "".join(piece["text"] for block in found["marked"] for piece in block if piece["marked"])
    assert (found["ranges"], marked) == ([{"start": start, "end": end}], wanted.replace("\n", ""))


@settings(max_examples=80, deadline=None)
@given(
    texts=TEXTS,
    spans=st.lists(st.tuples(st.integers(0, 50), st.integers(1, 20)), max_size=4),
)
def test_cutting_loses_no_character(run_js: RunJs, texts: list[str], spans: list[tuple[int, int]]) -> None:
    source = Source(tuple(texts))
    ranges = [{"start": start, "end": start + length} for start, length in sorted(spans)]
    body = "return argument.blocks.map((block) => module.pieces(block, argument.ranges));"
    cut = run_js("widget/locate.js", body, {"blocks": source.blocks, "ranges": ranges})
    assert ["".join(piece["text"] for piece in block) for block in cut] == texts


def test_words_are_searched_when_the_stored_place_holds_others(run_js: RunJs) -> None:
    source = Source(("第一条 总则", "第二条 住宿费 500 元"))
    argument = {"blocks": source.blocks, "quotes": [quote("住宿费500元", 0, 5)]}
    found = run_js("widget/locate.js", MARKED, argument)
    start = source.canonical.index("住宿费")
    assert found["ranges"] == [{"start": start, "end": len(source.canonical)}]


def test_a_cut_snippet_is_found_without_its_ellipsis(run_js: RunJs) -> None:
    source = Source(("甲乙丙丁戊",))
    found = run_js("widget/locate.js", MARKED, {"blocks": source.blocks, "quotes": [quote("…乙丙丁…")]})
    assert found["ranges"] == [{"start": 1, "end": 4}]


def test_words_that_stand_nowhere_are_counted_as_lost(run_js: RunJs) -> None:
    source = Source(("甲乙丙",))
    found = run_js("widget/locate.js", MARKED, {"blocks": source.blocks, "quotes": [quote("丁", 0, 1)]})
    assert (found["ranges"], found["lost"]) == ([], 1)
