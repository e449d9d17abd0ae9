"""Two documents that state one rule with different values are told apart from those that only look so."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.analyzer import Analyzer
from ingestion.documents import Chunk, Document, Revision
from service.knowledge.conflicts import Conflict, find_conflict
from service.retrieval.results import Evidence

CASES = Path(__file__).parents[2] / "cases" / "knowledge" / "conflicts.jsonl"
CONFLICTS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
QUESTION = "报销单要在多少天内提交？"


@pytest.fixture(scope="module")
def analyzer() -> Analyzer:
    return Analyzer()


def evidence(rank: int, title: str, text: str, *path: str, document: str = "") -> Evidence:
    key = document or f"d{rank}"
    chunk = Chunk(f"c{rank}", f"r-{key}", rank, path, text, 0, len(text))
    return Evidence(chunk, Document(key, "", title), Revision(f"r-{key}", key, ""), 0.9, 0.5, 0.5, rank)


def find(analyzer: Analyzer, question: str, found: Sequence[Evidence]) -> Conflict | None:
    return find_conflict(question, analyzer.tokens(question), found)


@pytest.mark.parametrize("case", CONFLICTS, ids=[case["name"] for case in CONFLICTS])
def test_a_pair_of_sources_conflicts_exactly_when_nothing_tells_them_apart(
    analyzer: Analyzer, case: dict[str, Any]
) -> None:
    pair = [evidence(1, **case["one"]), evidence(2, **case["other"])]
    conflict = find(analyzer, case["question"], pair)
    quotes = [conflict.one.quote, conflict.other.quote] if conflict else []
    assert len(quotes) == len(case["conflict"])
    assert all(value in quote for value, quote in zip(case["conflict"], quotes, strict=True))


def test_two_passages_of_one_document_never_conflict(analyzer: Analyzer) -> None:
    one = evidence(1, "甲办法", "报销单应当在30日内提交。", document="d")
    other = evidence(2, "甲办法", "报销单应当在15日内提交。", document="d")
    assert find(analyzer, QUESTION, [one, other]) is None
    elsewhere = replace(other, document=Document("e", "", "乙办法"))
    assert find(analyzer, QUESTION, [one, elsewhere]) is not None


def test_a_better_matching_sentence_elsewhere_outweighs_the_two(analyzer: Analyzer) -> None:
    pair = [evidence(1, "甲办法", "报销单应当在30日内交。"), evidence(2, "乙办法", "报销单应当在15日内交。")]
    question = "差旅报销单要在多少天内交回财务部？差旅、财务"
    better = evidence(3, "丙办法", "差旅报销单应当在10日内交回财务部。")
    assert find(analyzer, question, [*pair, better]) is None


@given(days=st.integers(1, 99))
def test_equal_values_never_conflict(analyzer: Analyzer, days: int) -> None:
    one = evidence(1, "甲办法", f"报销单应当在{days}日内提交。")
    other = evidence(2, "乙办法", f"员工的报销单必须在{days}天内提交。")
    assert find(analyzer, QUESTION, [one, other]) is None


@given(text=st.text("报销单提交应当在30日内15天、，。：（一）境外\n", max_size=40))
def test_quotes_are_sentences_of_two_documents_whatever_they_say(analyzer: Analyzer, text: str) -> None:
    conflict = find(
        analyzer, QUESTION, [evidence(1, "甲", text), evidence(2, "乙", "报销单应在15日内提交。")]
    )
    if conflict is not None:
        sides = (conflict.one, conflict.other)
        assert all(side.quote in side.evidence.chunk.text and side.quote.strip() for side in sides)
        assert conflict.one.evidence.document.id != conflict.other.evidence.document.id
