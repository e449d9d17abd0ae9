"""The clause a decision rests on, found in the index: 《资产管理办法》第十一条 becomes a citation to open.

Only the named document counts, in a version in force that the reader may see; what is not found is not cited.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from functools import lru_cache
from itertools import islice

from ingestion.analyzer import fold
from ingestion.documents import Kind
from ingestion.errors import IngestionError
from ingestion.index.schema import Filter
from ingestion.literals import find_literals, opening_ordinals
from service import logs
from service.citations import Citation
from service.retrieval.citing import cite
from service.retrieval.protocols import Question
from service.retrieval.results import Evidence
from service.retrieval.retriever import Retriever
from service.retrieval.sentences import Span, sentences

log = logs.get(__name__)

MOST = 3  # clauses of one source that are cited
_LOOKED_AT = 3  # passages
_REMEMBERED = 256
_RULES = Filter(kinds=(Kind.DOCUMENT.value,))
_NAMED = re.compile(r"《(?P<title>[^《》]+)》(?P<where>[^《》；;]*)")
_ARTICLE = re.compile(r"第\s*[零〇一二两三四五六七八九十百千\d]+\s*条")
_LISTED = re.compile(r"[、，,和及\s]+")
_SIGNS = re.compile(r"[\s《》（）()\[\]【】\-—_·.:：]+")
_OWNER = re.compile(r"(?:附件)?\d*(?:.*(?:公司|集团|学校|大学|学院|医院|中心|[局委厅院]))?")
_EDITION = re.compile(r"[v\d年月日第版修订正试暂行稿]*")


class Clauses:
    """`index_version` changes whenever a document is published, withdrawn or deleted."""

    def __init__(self, retriever: Retriever, index_version: Callable[[], int]) -> None:
        self._retriever = retriever
        self._index_version = index_version
        self._found = lru_cache(_REMEMBERED)(self._find)

    def cite(self, source: str, scopes: tuple[str, ...] | None, day: date) -> tuple[Citation, ...]:
        """Numbered from 1; empty when the document is not in the index or the index does not answer."""
        try:
            return self._found(source, scopes, day, self._index_version())
        except IngestionError as error:
            log.warning("process.clause_not_looked_up", reason=error.message)
            return ()

    def _find(
        self, source: str, scopes: tuple[str, ...] | None, day: date, _version: int
    ) -> tuple[Citation, ...]:
        asked = (self._one(title, where, scopes, day) for title, where in _clauses(source))
        found = islice((citation for citation in asked if citation is not None), MOST)
        return tuple(replace(citation, n=n) for n, citation in enumerate(found, 1))

    def _one(self, title: str, where: str, scopes: tuple[str, ...] | None, day: date) -> Citation | None:
        question = Question(f"《{title}》{where}")
        retrieved = self._retriever.retrieve(
            question, scopes, day=day, top_k=_LOOKED_AT, threshold=0.0, filters=_RULES
        )
        for evidence in retrieved.evidence:
            span = _place(evidence, where) if _is_titled(evidence, title) else None
            if span is not None:
                return cite(1, evidence, span)
        return None


def _clauses(source: str) -> Iterator[tuple[str, str]]:
    """(title, article or section) of a source, in order."""
    for named in _NAMED.finditer(source):
        articles = _ARTICLE.findall(named["where"])
        places = articles or [part for part in _LISTED.split(named["where"]) if part] or [""]
        yield from ((named["title"], place) for place in places)


def _is_titled(evidence: Evidence, title: str) -> bool:
    """By its name alone, but for a number, whose it is and which edition: 资产管理办法（2025年修订） is the
    one of that name, 固定资产管理办法 and 资产管理办法实施细则 are others."""
    before, name, after = _name(evidence.document.title).partition(_name(title))
    return bool(name) and bool(_OWNER.fullmatch(before)) and bool(_EDITION.fullmatch(after))


def _name(title: str) -> str:
    return _SIGNS.sub("", fold(title))


def _place(evidence: Evidence, where: str) -> Span | None:
    """The sentence that begins the article, or the first one under a heading of that name."""
    text = evidence.chunk.text
    spans = list(sentences(text))
    asked = {found.normal for found in find_literals(fold(where))} if _ARTICLE.search(where) else set()
    if asked:
        opening = [s for s in spans if opening_ordinals(fold(text[s.start : s.end])) & asked]
        heading = fold(" ".join(evidence.chunk.heading_path[-1:]))
        headed = asked & {found.normal for found in find_literals(heading)}
        return opening[0] if opening else (spans[0] if headed and spans else None)
    section, headings = fold(where), {fold(heading) for heading in evidence.chunk.heading_path}
    named = not section or section in fold(" ".join((*evidence.chunk.heading_path, text)))
    below = [span for span in spans if fold(text[span.start : span.end]).strip() not in headings]
    return below[0] if named and below else None
