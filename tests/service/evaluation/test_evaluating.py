"""Both evaluations on a small library with versions, measured through the real index."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from ingestion.analyzer import Analyzer
from ingestion.index.embedding import BuiltinEmbedder
from ingestion.index.keyword import KeywordEncoder
from service.config import ASSETS
from service.errors import BadRequest
from service.evaluation import answers
from service.evaluation.answers import evaluate_answers, said_in
from service.evaluation.retrieval import evaluate_retrieval
from service.evaluation.rows import AbsentSplit, CorpusRow, QueryRow, read_corpus
from service.evaluation.workbench import RowsCorpus, Workbench, workbench
from service.knowledge.extractive import Extract
from service.knowledge.offline import answer
from service.retrieval.calibration import load_calibration
from service.retrieval.results import Retrieval

LIBRARY = Path(__file__).resolve().parents[2] / "cases" / "retrieval" / "library.jsonl"
DAY = date(2026, 7, 1)
QUERIES = [
    QueryRow(query_id="1", text="年休假满十年有几天", relevant=("leave-1",), answer=("十天",)),
    QueryRow(query_id="2", text="怎么领电脑", relevant=("it-1",), answer=("信息部",)),
    QueryRow(query_id="3", text="量子纠缠的贝尔不等式怎么推导", relevant=("gone",), answer=("无",)),
    QueryRow(query_id="", text="", relevant=("it-1",)),
]
VERSIONED = [
    QueryRow(
        query_id="v1",
        text="专项资金单笔超过多少要专家评审",
        relevant=("fund@2024#3",),
        stale=("fund@2020#3",),
        as_of=DAY,
    ),
    QueryRow(
        query_id="v2",
        text="现行办法是否仍规定“专项资金结余应当在年度终了后三十日内缴回财务部”？",
        stale=("fund@2020#7",),
        as_of=DAY,
        type="removed_article",
    ),
]


@pytest.fixture(scope="module")
def bench() -> Iterator[Workbench]:
    calibration = load_calibration(ASSETS / "data" / "retrieval", "builtin")
    encoder = KeywordEncoder(Analyzer())
    with workbench(read_corpus([LIBRARY]), BuiltinEmbedder(), encoder, calibration) as built:
        yield built


def test_retrieval_reports_the_keys_of_the_command(bench: Workbench) -> None:
    report = evaluate_retrieval(bench, QUERIES)
    for mode in ("keyword", "vector", "hybrid"):
        figures = report[mode]
        assert isinstance(figures, dict)
        assert set(figures) == {"hit@1", "hit@k", "recall@k", "mrr@10", "ndcg@10"}
    assert report["hybrid"]["hit@k"] == 0.5  # type: ignore[index,call-overload]
    assert set(report["latency_ms"]) == {"p50", "p95"}  # type: ignore[arg-type]
    assert isinstance(report["index_seconds"], float)


def test_retrieval_judges_versions_when_stale_ones_are_named(bench: Workbench) -> None:
    figures = evaluate_retrieval(bench, VERSIONED)["hybrid"]
    assert isinstance(figures, dict)
    assert (figures["stale@1"], figures["valid@1"], figures["valid_given_found"]) == (0.0, 1.0, 1.0)


def test_answers_are_judged_and_absent_questions_refused(bench: Workbench) -> None:
    report = evaluate_answers(bench, QUERIES[:3], AbsentSplit(absent_queries=frozenset({"3"})))
    assert (report["contains"], report["quotes_located"]) == (1.0, 1.0)
    assert (report["refused_unanswerable"], report["refused_answerable"]) == (1.0, 0.0)
    assert report["citation_precision"] == 1.0


def test_a_removed_provision_is_answered_as_such(bench: Workbench) -> None:
    report = evaluate_answers(bench, VERSIONED)
    assert "contains" not in report and report["stale_cited"] == 0
    kinds = report["by_type"]
    assert isinstance(kinds, dict) and isinstance(kinds["removed_article"], dict)
    assert kinds["removed_article"]["answered_as_such"] == 1.0


@pytest.mark.parametrize(
    ("fields", "in_force"),
    [
        ({}, True),
        ({"status": "current", "effective_date": "2024-01-01"}, True),
        ({"status": "future", "effective_date": "2027-01-01"}, False),
        ({"status": "future"}, False),
        ({"status": "superseded"}, False),
        ({"status": "superseded", "effective_date": "2020-01-01"}, False),
        ({"status": "current", "expires": "2026-07-01"}, False),
        ({"status": "withdrawn"}, False),
    ],
)
def test_a_status_of_the_data_becomes_one_of_ours(fields: dict[str, str], in_force: bool) -> None:
    corpus = RowsCorpus()
    corpus.add(CorpusRow.model_validate({"doc_id": "a", "title": "办法", "text": "甲", **fields}))
    (held,) = corpus.live().values()
    assert held.revision.in_force(DAY) is in_force


def test_a_second_row_of_one_name_does_not_replace_the_first() -> None:
    corpus = RowsCorpus()
    corpus.add(CorpusRow(doc_id="a", text="甲"))
    with pytest.raises(BadRequest, match="doc_id"):
        corpus.add(CorpusRow(doc_id="a", text="乙"))
    assert [chunk.text for chunk in corpus.by_id.values()] == ["甲"]


def test_sources_in_conflict_are_refused_as_users_see_it() -> None:
    rows = [
        CorpusRow(doc_id="a", title="差旅办法", text="出差住宿费每人每天不超过450元，凭票报销。"),
        CorpusRow(doc_id="b", title="费用通知", text="出差住宿费每人每天不得超过500元。"),
        CorpusRow(doc_id="c", title="食堂须知", text="食堂早餐供应时间为七点半到九点。"),
    ]
    asked = [QueryRow(query_id="1", text="出差住宿费每天最多报多少钱？", relevant=("a",))]
    calibration = load_calibration(ASSETS / "data" / "retrieval", "builtin")
    with workbench(rows, BuiltinEmbedder(), KeywordEncoder(Analyzer()), calibration) as bench:
        assert evaluate_answers(bench, asked)["refused_answerable"] == 1.0


def test_a_day_in_the_words_counts_as_for_users(bench: Workbench) -> None:
    asked = QueryRow(
        query_id="1", text="按2022年的规定，专项资金单笔超过多少要专家评审？", relevant=("fund@2020#3",)
    )
    assert evaluate_answers(bench, [asked])["citation_precision"] == 1.0


def test_a_sentence_that_is_not_in_its_source_is_counted(
    bench: Workbench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`quotes_located` reads the text that is shown, whatever made it."""

    def invented(question: str, found: Retrieval, contact: str = "") -> Extract:
        told = answer(question, found, contact)
        assert isinstance(told, Extract)
        return replace(told, text=f"{told.text}\n另据《须知》：\n一句编造的话。[1]\n没有出处的话。")

    monkeypatch.setattr(answers, "answer", invented)
    report = evaluate_answers(bench, QUERIES[1:2])
    kept = report["quotes_located"]
    assert isinstance(kept, float) and 0 < kept < 1


def test_sentences_are_read_back_with_the_numbers_they_cite() -> None:
    text = "据《甲》「一」：\n第一句[2]注。[1]\n第二句\n两行。[1]\n另据《乙》：\n第三句。[12]"
    read = [(said.text, said.n) for said in said_in(text)]
    assert read == [("第一句[2]注。", 1), ("第二句\n两行。", 1), ("第三句。", 12)]
    assert said_in("") == []
