"""The locks hold for the transcript's own sequence and for nothing else."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.minutes.agent import RunLog
from ingestion.minutes.completeness import CompletenessValidationAgent
from ingestion.minutes.preprocess import PreprocessAgent
from ingestion.minutes.segmentation import Completeness, Described, Segment
from ingestion.minutes.transcript import Transcript

REPEATED = PreprocessAgent(RunLog()).run("张总：好\n" * 6)


def check(ranges: list[tuple[int, int]], transcript: Transcript = REPEATED) -> Completeness:
    segments = [Segment(index, start, end, Described()) for index, (start, end) in enumerate(ranges, 1)]
    return CompletenessValidationAgent(RunLog()).run(segments, transcript)


@given(size=st.integers(1, 40), starts=st.sets(st.integers(2, 40), max_size=10))
def test_contiguous_segments_pass(size: int, starts: set[int]) -> None:
    transcript = PreprocessAgent(RunLog()).run("\n".join(f"第{n}句" for n in range(size)))
    edges = [1, *sorted(start for start in starts if start <= size), size + 1]
    result = check([(a, b - 1) for a, b in pairwise(edges)], transcript)
    assert result == Completeness(True, size, 0, transcript.kept_chars, transcript.kept_chars, 0)


@pytest.mark.parametrize(
    ("ranges", "missing"),
    [
        ([(1, 3), (5, 6)], 1),
        ([(1, 5)], 1),
        ([], 6),
        ([(1, 3), (3, 6)], 0),
        ([(4, 6), (1, 3)], 0),
        ([(1, 2), (2, 2), (4, 6)], 1),  # equal in number and in characters: only the sequence tells
        ([(1, 7)], 0),
        ([(0, 6)], 0),
        ([(1, 6), (7, 10**12)], 0),
        ([(1, 6), (4, 3)], 0),
    ],
)
def test_anything_but_the_sequence_fails(ranges: list[tuple[int, int]], missing: int) -> None:
    result = check(ranges)
    assert not result.passed
    assert result.missing_count == missing


def test_a_paragraph_cut_after_reading_fails_by_its_characters() -> None:
    first, *others = REPEATED.paragraphs
    cut = replace(REPEATED, paragraphs=(replace(first, text="张总"), *others))
    result = check([(1, 6)], cut)
    assert (result.passed, result.missing_count, result.char_diff) == (False, 0, -2)


def test_an_empty_transcript_passes_without_segments() -> None:
    empty = PreprocessAgent(RunLog()).run(" \n\u200b\n")
    assert check([], empty) == Completeness(True, 0, 0, 0, 0, 0)


def test_the_log_names_the_agent_and_the_difference() -> None:
    log = RunLog()
    CompletenessValidationAgent(log).run([Segment(1, 1, 5, Described())], REPEATED)
    assert log.lines == ["[核稿员(CompletenessValidationAgent)] 未通过：共 6 个段落，缺 1 个，字符差值=-4"]
