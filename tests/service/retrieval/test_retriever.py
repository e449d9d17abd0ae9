"""A question finds its passage, or an honest reason; what a reader may not see does not exist."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from time import perf_counter

import pytest

from ingestion.analyzer import Analyzer
from ingestion.index.edge import EdgeIndex
from ingestion.index.embedding import BuiltinEmbedder
from ingestion.index.keyword import KeywordEncoder
from ingestion.index.schema import Filter
from service.citations import RefusalReason
from service.config import ASSETS
from service.evaluation.workbench import RowsCorpus, Workbench
from service.precedence import LONGEST_S, Precedence
from service.retrieval.calibration import Mode, load_calibration
from service.retrieval.protocols import Question, RerankFailure, Source
from service.retrieval.results import Cut, Retrieval
from service.retrieval.retriever import Retriever

TODAY = date(2026, 7, 1)


def retrieve(bench: Workbench, text: str, **options: object) -> Retrieval:
    day = options.pop("day", TODAY)
    return bench.retriever.retrieve(Question(text), None, day=day, **options)  # type: ignore[arg-type]


def rows(bench: Workbench, found: Retrieval) -> list[str]:
    return [bench.corpus.row_of[item.chunk.id] for item in found.evidence]


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("出差住宿一线城市每晚最多报多少钱？", "travel-1"),
        ("坐高铁能报一等座吗", "travel-2"),
        ("年休假满十年有几天", "leave-1"),
        ("怎么领电脑？", "it-1"),
        ("知行办发〔2025〕18号", "notice-1"),
        ("ThinkPad-T14", "it-1"),
        ("食堂早餐供應時間", "notice-2"),
        ("《差旅费管理办法》第九条", "travel-2"),
    ],
)
def test_the_passage_that_answers_is_first(bench: Workbench, question: str, row: str) -> None:
    found = retrieve(bench, question)
    assert found.reason is None
    assert rows(bench, found)[0] in {row, "copy-1" if row == "notice-2" else row}
    assert found.evidence[0].score >= 0.55


@pytest.mark.parametrize("question", ["量子纠缠的贝尔不等式怎么推导？", "明天北京会下雨吗", "梅西进了几个球"])
def test_a_question_nothing_answers_is_refused(bench: Workbench, question: str) -> None:
    found = retrieve(bench, question)
    assert found.evidence == () and found.reason is RefusalReason.BELOW_THRESHOLD
    assert found.nearest and found.nearest[0].score < 0.55


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("", RefusalReason.NOTHING_FOUND),
        (" ", RefusalReason.NOTHING_FOUND),
        ("？", RefusalReason.BELOW_THRESHOLD),
        ("的", RefusalReason.BELOW_THRESHOLD),
    ],
)
def test_a_question_without_a_word_is_refused(
    bench: Workbench, question: str, reason: RefusalReason
) -> None:
    found = retrieve(bench, question)
    assert (found.evidence, found.reason, found.tokens) == ((), reason, ())


@pytest.mark.parametrize("question", ["a", "人"])
def test_a_question_of_one_character_finds_only_what_holds_it(bench: Workbench, question: str) -> None:
    found = retrieve(bench, question)
    assert found.evidence
    assert all(question in item.chunk.searched_text.lower() for item in found.evidence)


@pytest.mark.parametrize("mode", list(Mode))
def test_each_leg_can_be_searched_alone(bench: Workbench, mode: Mode) -> None:
    found = retrieve(bench, "出差住宿费限额是多少", mode=mode, threshold=0.0)
    assert rows(bench, found)[0] == "travel-1"


def test_scores_never_rise_with_the_rank(bench: Workbench) -> None:
    scores = [item.score for item in retrieve(bench, "出差报销要什么材料", threshold=0.0).evidence]
    assert scores == sorted(scores, reverse=True) and len(scores) > 3


def test_todays_question_is_answered_from_the_revision_in_force(bench: Workbench) -> None:
    question = "专项资金单笔超过多少要专家评审"
    assert rows(bench, retrieve(bench, question))[0] == "fund@2024#3"
    assert rows(bench, retrieve(bench, question, day=date(2021, 5, 1)))[0] == "fund@2020#3"


@pytest.mark.parametrize(
    ("question", "row", "reason"),
    [
        (
            "现行办法是否仍规定“专项资金结余应当在年度终了后三十日内缴回财务部”？",
            "fund@2020#7",
            RefusalReason.ONLY_SUPERSEDED,
        ),
        ("《专项资金管理办法》第七条怎么规定", "fund@2020#7", RefusalReason.ONLY_SUPERSEDED),
        ("员工每周可以申请几天远程办公？", "remote@2030#1", RefusalReason.NOT_YET_IN_FORCE),
        ("外勤人员每月移动电话补贴多少", "phone@2018#1", RefusalReason.REPEALED),
    ],
)
def test_what_is_not_in_force_is_named_with_its_dates(
    bench: Workbench, question: str, row: str, reason: RefusalReason
) -> None:
    found = retrieve(bench, question)
    assert found.reason is reason and found.evidence == ()
    assert found.outdated is not None and bench.corpus.row_of[found.outdated.chunk.id] == row
    assert found.outdated.revision.effective_from is not None


def test_a_reader_without_the_label_gets_what_an_empty_library_gives(bench: Workbench) -> None:
    hidden = bench.retriever.retrieve(Question("年休假有几天"), ("user:guest",), day=TODAY, explain=True)
    assert (hidden.evidence, hidden.candidates, hidden.nearest, hidden.outdated) == ((), (), (), None)
    assert hidden.reason is RefusalReason.NOTHING_FOUND


def test_a_copy_is_shown_once(bench: Workbench) -> None:
    found = retrieve(bench, "食堂早餐几点开始供应", threshold=0.0)
    assert len({"notice-2", "copy-1"} & set(rows(bench, found))) == 1
    assert [c.cut for c in found.candidates].count(Cut.DUPLICATE) == 1


def test_top_k_and_threshold_name_their_cuts(bench: Workbench) -> None:
    found = retrieve(bench, "出差报销", top_k=1, threshold=0.0)
    assert len(found.evidence) == 1 and found.candidates[1].cut is Cut.TOP_K
    assert retrieve(bench, "出差报销", threshold=1.0).candidates[0].cut is Cut.THRESHOLD


def test_the_explanation_names_words_scores_and_the_filter(bench: Workbench) -> None:
    where = Filter(document_ids=("seal-1",))
    found = retrieve(bench, "公章和年休假", filters=where, threshold=0.0, explain=True)
    assert rows(bench, found) == ["seal-1"]
    removed = {c.document_id: c for c in found.candidates if c.cut is Cut.FILTER}
    assert removed["leave-1"].filter == "document_ids"
    assert "年休假" in removed["leave-1"].matched and removed["leave-1"].keyword_score > 0
    assert "年休假" in found.tokens


def test_both_wordings_are_searched(bench: Workbench) -> None:
    question = Question("那它呢", standalone="印章使用要谁批准")
    found = bench.retriever.retrieve(question, None, day=TODAY)
    assert rows(bench, found)[0] == "seal-1"


class _Backwards:
    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        return [float(i) for i in range(len(texts))]


class _Broken:
    def score(self, question: str, texts: Sequence[str]) -> list[float]:
        raise RerankFailure("没有应答")


def _with(bench: Workbench, reranker: object) -> Retriever:
    built = object.__new__(Retriever)
    built.__dict__.update(bench.retriever.__dict__, _reranker=reranker)
    return built


def test_a_reranker_decides_the_order(bench: Workbench) -> None:
    plain = retrieve(bench, "出差报销", threshold=0.0)
    turned = _with(bench, _Backwards()).retrieve(Question("出差报销"), None, day=TODAY, threshold=0.0)
    first = [c.chunk_id for c in plain.candidates if c.cut is not Cut.DUPLICATE][:16]
    assert turned.candidates[0].chunk_id in first[1:] and not turned.rerank_failed


def test_a_broken_reranker_leaves_the_fused_order_and_is_reported(bench: Workbench) -> None:
    plain = retrieve(bench, "出差报销", threshold=0.0)
    found = _with(bench, _Broken()).retrieve(Question("出差报销"), None, day=TODAY, threshold=0.0)
    assert found.rerank_failed
    assert replace(found, rerank_failed=False, timings=plain.timings) == plain


def test_who_writes_waits_while_a_question_is_answered(tmp_path: Path) -> None:
    precedence, waited = Precedence(), []

    class Corpus(RowsCorpus):
        def live(self) -> Mapping[str, Source]:
            started = perf_counter()
            precedence.give_way()
            waited.append(perf_counter() - started)
            return super().live()

    encoder, embedder = KeywordEncoder(Analyzer()), BuiltinEmbedder()
    index = EdgeIndex(tmp_path, embedder.name, embedder.dimensions)
    calibration = load_calibration(ASSETS / "data" / "retrieval", "builtin")
    retriever = Retriever(index, Corpus(), encoder, embedder, calibration, precedence=precedence)
    assert retriever.retrieve(Question("怎么领电脑？"), None, day=TODAY).evidence == ()
    assert waited and min(waited) >= LONGEST_S
    index.close()
