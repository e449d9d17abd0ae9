"""Batches by exact token count."""

from hypothesis import given
from hypothesis import strategies as st

from ingestion.minutes.agent import RunLog
from ingestion.minutes.batching import BatchingAgent
from ingestion.minutes.transcript import Paragraph
from tests.ingestion.minutes.stand_ins import paragraphs


def test_a_paragraph_that_just_fits_stays_in_and_one_character_less_moves_it_on() -> None:
    first, second = paragraphs(2, "甲乙")
    exact = len("[1] 甲乙1\n") + len("[2] 甲乙2\n")
    assert BatchingAgent(RunLog(), len, exact).run([first, second]) == ((first, second),)
    assert BatchingAgent(RunLog(), len, exact - 1).run([first, second]) == ((first,), (second,))


def test_a_paragraph_longer_than_a_batch_is_a_batch_of_its_own() -> None:
    short, long, after = Paragraph(1, "短"), Paragraph(2, "长" * 50), Paragraph(3, "后")
    batches = BatchingAgent(RunLog(), len, 20).run([short, long, after])
    assert batches == ((short,), (long,), (after,))


def test_no_paragraphs_are_no_batches() -> None:
    log = RunLog()
    assert BatchingAgent(log, len, 20).run([]) == ()
    assert log.lines == ["[排期员(BatchingAgent)] 0 段分为 0 批，每批不超过 20 token"]


@given(st.lists(st.text(max_size=30), max_size=20), st.integers(1, 80))
def test_batches_always_hold_every_paragraph_once_within_the_bound(texts: list[str], limit: int) -> None:
    every = [Paragraph(number, text) for number, text in enumerate(texts, 1)]
    batches = BatchingAgent(RunLog(), len, limit).run(every)
    assert [paragraph for batch in batches for paragraph in batch] == every
    for batch in batches:
        tokens = sum(len(f"[{paragraph.number}] {paragraph.text}\n") for paragraph in batch)
        assert tokens <= limit or len(batch) == 1
