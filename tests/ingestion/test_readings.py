"""A question while chunks are tokenised anew: asked in the way the corpus knows, found in both."""

from collections import Counter
from collections.abc import Sequence

import pytest

from ingestion.analyzer import Analyzer
from ingestion.index.keyword import KeywordEncoder, TermStatistics, absolute, token_id, united
from ingestion.index.schema import SparseVector
from ingestion.terms import Terms

FORMER = Analyzer(Terms())
PRESENT = FORMER.revised(Terms(dictionary=(("云桌面终端", 0),)))
TEXT = "云桌面终端每人一台"
QUESTION = "云桌面终端"


def encoder_of(*analyzers: Analyzer) -> KeywordEncoder:
    encoder = KeywordEncoder(analyzers[0])
    encoder.use(*analyzers[:1], former=analyzers[1:])
    return encoder


def statistics(*texts: Sequence[str]) -> TermStatistics:
    counts = Counter(token_id(token) for text in texts for token in set(text))
    return TermStatistics(100, counts)


def score(encoder: KeywordEncoder, question: str, cut_by: Analyzer, known: TermStatistics) -> float:
    query = united(encoder.readings(question), known)
    asked, held = encoder.query(query.terms, known), KeywordEncoder(cut_by).document(TEXT)
    return absolute(dot(asked, held), encoder.best(query.terms, known))


def dot(one: SparseVector, other: SparseVector) -> float:
    weights = dict(zip(other.indices, other.values, strict=True))
    return sum(value * weights.get(key, 0.0) for key, value in zip(one.indices, one.values, strict=True))


@pytest.mark.parametrize("known_by", [FORMER, PRESENT])
@pytest.mark.parametrize("cut_by", [FORMER, PRESENT])
def test_a_chunk_cut_either_way_is_found_as_well_as_before(known_by: Analyzer, cut_by: Analyzer) -> None:
    known = statistics(known_by.tokens(TEXT))
    before = score(encoder_of(cut_by), QUESTION, cut_by, statistics(cut_by.tokens(TEXT)))
    assert score(encoder_of(PRESENT, FORMER), QUESTION, cut_by, known) > before * 0.8


def test_the_words_the_corpus_knows_are_asked_and_the_others_added() -> None:
    encoder = encoder_of(PRESENT, FORMER)
    query = united(encoder.readings(QUESTION), statistics(FORMER.tokens(TEXT)))
    own = {term.token for term in query.terms if not term.added}
    assert own == set(FORMER.tokens(QUESTION))
    assert {term.token for term in query.terms if term.added} == set(PRESENT.tokens(QUESTION)) - own
    query = united(encoder.readings(QUESTION), statistics(PRESENT.tokens(TEXT)))
    assert {term.token for term in query.terms if not term.added} == set(PRESENT.tokens(QUESTION))


def test_one_reading_is_the_question_itself() -> None:
    encoder = encoder_of(PRESENT)
    assert united(encoder.readings(QUESTION), statistics()) == PRESENT.query(QUESTION)
