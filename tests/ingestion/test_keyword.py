"""The keyword leg ranks as BM25 does, and its absolute score lies in 0..1."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from ingestion.analyzer import Analyzer, Term
from ingestion.index.keyword import ENOUGH, KeywordEncoder, TermStatistics, absolute, idf, token_id
from ingestion.index.schema import SparseVector

ENCODER = KeywordEncoder(Analyzer())
WORDS = st.lists(st.sampled_from(list("abcdefghij")), min_size=1, max_size=30)


def dot(left: SparseVector, right: SparseVector) -> float:
    values = dict(zip(left.indices, left.values, strict=True))
    return sum(values.get(i, 0.0) * v for i, v in zip(right.indices, right.values, strict=True))


def statistics_of(documents: list[list[str]]) -> TermStatistics:
    counts = Counter(token_id(token) for document in documents for token in set(document))
    return TermStatistics(len(documents), counts)


@given(st.lists(WORDS, min_size=1, max_size=6), WORDS, st.floats(0.1, 3.0))
def test_the_absolute_score_is_always_between_zero_and_one(
    documents: list[list[str]], question: list[str], weight: float
) -> None:
    terms, statistics = [Term(t, weight) for t in dict.fromkeys(question)], statistics_of(documents)
    best = ENCODER.best(terms, statistics)
    for document in documents:
        raw = dot(ENCODER.encode(document), ENCODER.query(terms, statistics))
        assert raw <= best + 1e-9
        assert 0.0 <= absolute(raw, best) <= 1.0


@given(WORDS)
def test_standard_words_that_a_text_lacks_do_not_lower_its_score(question: list[str]) -> None:
    own = [Term(t) for t in dict.fromkeys(question)]
    standard = [Term("差旅", content=False, added=True)]
    statistics = statistics_of([question, ["差旅"]])
    text = ENCODER.encode(question)
    alone = absolute(dot(text, ENCODER.query(own, statistics)), ENCODER.best(own, statistics))
    both = own + standard
    assert absolute(dot(text, ENCODER.query(both, statistics)), ENCODER.best(both, statistics)) >= alone


@given(st.lists(WORDS, min_size=2, max_size=6), WORDS)
def test_scores_equal_bm25_with_the_same_average_length(
    documents: list[list[str]], question: list[str]
) -> None:
    average = sum(map(len, documents)) / len(documents)
    encoder = KeywordEncoder(ENCODER.analyzer, average_length=average, k1=1.5, b=0.75)
    reference = BM25Okapi(documents, k1=1.5, b=0.75)
    statistics = statistics_of(documents)
    reference.idf = {
        token: statistics.idf(token) for document in documents for token in document
    }
    distinct = list(dict.fromkeys(question))
    query = encoder.query([Term(token) for token in distinct], statistics)
    ours = [dot(encoder.encode(document), query) for document in documents]
    assert ours == pytest.approx(list(reference.get_scores(distinct)), abs=1e-6)


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_idf_is_positive_and_falls_with_the_document_frequency(frequency: int, documents: int) -> None:
    assert idf(frequency, documents) > 0
    assert idf(frequency + 1, documents) < idf(frequency, documents)


def test_an_empty_question_scores_zero() -> None:
    nothing = TermStatistics(0, {})
    assert ENCODER.query([], nothing) == SparseVector((), ())
    assert absolute(0.0, ENCODER.best([], nothing)) == 0.0


def test_tokens_that_share_an_id_are_added_up() -> None:
    # crc32("plumless") == crc32("buckeroo"), a known pair
    assert token_id("plumless") == token_id("buckeroo")
    vector = ENCODER.encode(["plumless", "buckeroo"])
    assert len(vector.indices) == len(set(vector.indices)) == 1


def test_in_a_library_of_a_few_files_the_words_of_its_subject_keep_their_weight() -> None:
    """Every word stands in both of two files; at large 雨伞 is rare and 可以 is not."""
    terms = Analyzer().query("雨伞可以借吗").terms
    asked = {token_id(token): 2 for token in ("雨伞", "可以")}
    alone = TermStatistics(2, asked)
    assert alone.idf("雨伞") == alone.idf("可以") < 0.2
    beside = alone.beside(terms)
    assert beside.idf("雨伞") > 3 * beside.idf("可以")
    assert beside.highest > beside.idf("雨伞")


def test_a_large_library_tells_by_itself_how_common_its_words_are() -> None:
    terms = Analyzer().query("雨伞可以借吗").terms
    large = TermStatistics(ENOUGH, {token_id("雨伞"): 7})
    assert large.beside(terms).idf("雨伞") == large.idf("雨伞")
    assert large.beside(terms).highest == large.highest
