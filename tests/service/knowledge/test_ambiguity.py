"""A question that names nothing gets a question back; one that names anything gets its answer."""

from collections.abc import Sequence

import pytest

from ingestion.analyzer import Analyzer
from ingestion.documents import Chunk, Document, Revision
from service.knowledge.ambiguity import MOST_CHOICES, find_choices
from service.retrieval.results import Evidence

QUESTION = "申请需要谁批？"


def evidence(rank: int, title: str, text: str, score: float = 0.8) -> Evidence:
    chunk = Chunk(f"c{rank}", f"r-{title}", rank, (), text, 0, len(text))
    document = Document(f"d-{title}", "", title)
    return Evidence(chunk, document, Revision(f"r-{title}", document.id, ""), score, 0.5, 0.5, rank)


SEALS = evidence(1, "印章规定", "用印申请经分管领导审批。", 0.95)
ASSETS = evidence(2, "资产办法", "资产申请由部门经理审批。")
LEAVE = evidence(3, "休假规定", "请假应当提交申请，三天以内由部门经理审批。")


@pytest.fixture(scope="module")
def analyzer() -> Analyzer:
    return Analyzer()


def titles(analyzer: Analyzer, question: str, found: Sequence[Evidence]) -> list[str]:
    choices = find_choices(question, analyzer.tokens(question), found)
    return [choice.document.title for choice in choices]


def test_three_subjects_that_answer_alike_are_offered_in_their_order(analyzer: Analyzer) -> None:
    assert titles(analyzer, QUESTION, [SEALS, ASSETS, LEAVE]) == ["印章规定", "资产办法", "休假规定"]


def test_two_documents_are_answered_from(analyzer: Analyzer) -> None:
    assert titles(analyzer, QUESTION, [SEALS, ASSETS]) == []


def test_several_passages_of_one_document_are_one_choice(analyzer: Analyzer) -> None:
    again = evidence(4, "休假规定", "补假申请由分管领导审批。")
    assert titles(analyzer, QUESTION, [SEALS, LEAVE, again]) == []
    assert titles(analyzer, QUESTION, [SEALS, ASSETS, LEAVE, again]) == ["印章规定", "资产办法", "休假规定"]


def test_no_more_choices_are_offered_than_a_reader_can_weigh(analyzer: Analyzer) -> None:
    many = [evidence(n, f"第{n}件", "这项申请由经理审批。") for n in range(1, 9)]
    assert len(titles(analyzer, QUESTION, many)) == MOST_CHOICES


@pytest.mark.parametrize(
    "question",
    [
        "用印申请需要谁批？",  # 用印 is said by one of them only
        "关于《资产办法》：申请需要谁批？",
        "超过5000元的申请谁批？",
        "什么是申请审批？",
        "申请审批",
        "？",
        "",
    ],
)
def test_whatever_names_a_thing_or_asks_nothing_is_no_reason_to_ask_back(
    analyzer: Analyzer, question: str
) -> None:
    assert titles(analyzer, question, [SEALS, ASSETS, LEAVE]) == []


def test_a_title_that_holds_a_word_of_the_question_decides(analyzer: Analyzer) -> None:
    named = evidence(2, "资产申请办法", ASSETS.chunk.text)
    assert titles(analyzer, QUESTION, [SEALS, named, LEAVE]) == []


def test_much_weaker_documents_are_no_equal_readings(analyzer: Analyzer) -> None:
    weak = evidence(3, "休假规定", LEAVE.chunk.text, 0.3)
    assert titles(analyzer, QUESTION, [SEALS, ASSETS, weak]) == []
