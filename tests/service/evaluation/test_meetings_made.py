"""Meetings made up for measuring: the same every time, all different, and read in every format."""

import pytest

from ingestion.minutes.agent import RunLog
from ingestion.minutes.formats import read
from ingestion.minutes.preprocess import PreprocessAgent
from service.evaluation.meetings_made import made_up

CHARS = 3_000
FORMATS = 7


def test_the_same_seed_and_number_give_the_same_bytes_and_others_give_others() -> None:
    assert made_up(1, 3, CHARS) == made_up(1, 3, CHARS)
    assert len({made_up(1, number, CHARS) for number in range(30)}) == 30
    assert made_up(1, 3, CHARS) != made_up(2, 3, CHARS)


@pytest.mark.parametrize("number", range(FORMATS))
def test_every_format_is_read_with_its_speakers_and_its_length(number: int) -> None:
    name, data = made_up(1, number, CHARS)
    raw = read(name, data)
    transcript = PreprocessAgent(RunLog()).run(raw.text, raw.name, raw.layout)
    spoken = [paragraph for paragraph in transcript.paragraphs if paragraph.speaker]
    assert len(spoken) >= len(transcript.paragraphs) - 3
    assert 4 <= len({paragraph.speaker for paragraph in spoken}) <= 9
    assert CHARS <= transcript.kept_chars <= 1.6 * CHARS
    assert transcript.day is not None
