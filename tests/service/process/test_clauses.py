"""The clause of a decision: cited from the document of that very name, in numbers from 1, or not at all."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import cast

import pytest

from ingestion.documents import Chunk, Document, Revision
from ingestion.errors import IndexUnavailable
from service.process.clauses import MOST, Clauses
from service.retrieval.results import Evidence
from service.retrieval.retriever import Retriever

TODAY = date(2026, 11, 16)
TEXT = "第十一条 预算 5 万元以上的由分管领导审批。\n第十二条 紧急的时限减半。"


@dataclass(frozen=True)
class Retrieved:
    evidence: Sequence[Evidence]


class Index:
    """Answers every question with passages of these documents."""

    def __init__(self, *titles: str) -> None:
        self._titles = titles
        self.asked = 0

    def retrieve(self, *_args: object, **_options: object) -> Retrieved:
        self.asked += 1
        return Retrieved([_evidence(title) for title in self._titles])


class Down:
    def retrieve(self, *_args: object, **_options: object) -> Retrieved:
        raise IndexUnavailable("索引打不开")


def _evidence(title: str) -> Evidence:
    chunk = Chunk("c", "r", 0, ("第三章 审批",), TEXT, 0, len(TEXT))
    return Evidence(chunk, Document("d", "d.docx", title), Revision("r", "d", "0"), 1.0, 1.0, 1.0, 1)


def clauses(index: Index | Down) -> Clauses:
    return Clauses(cast(Retriever, index), lambda: 1)


@pytest.mark.parametrize(
    ("title", "cited"),
    [
        ("资产管理办法", True),
        ("资产管理办法（2025年修订）", True),
        ("03-资产管理办法 V2.1", True),
        ("东海科技有限公司资产管理办法（试行）", True),
        ("固定资产管理办法", False),
        ("资产管理办法实施细则", False),
        ("印章管理规定", False),
    ],
)
def test_only_the_document_of_that_name_is_cited(title: str, cited: bool) -> None:
    found = clauses(Index(title)).cite("《资产管理办法》第十一条", None, TODAY)
    assert [citation.quote.startswith("第十一条") for citation in found] == [True] * cited


def test_each_article_is_cited_and_no_more_than_are_shown_are_looked_up() -> None:
    index = Index("资产管理办法")
    source = "《资产管理办法》第十一条、第九十条、第十二条、第十一条、第十二条、第十一条"
    found = clauses(index).cite(source, None, TODAY)
    assert [citation.n for citation in found] == list(range(1, MOST + 1))
    assert index.asked == MOST + 1  # the article that is not there


def test_an_index_that_is_down_cites_nothing() -> None:
    assert clauses(Down()).cite("《资产管理办法》第十一条", None, TODAY) == ()
