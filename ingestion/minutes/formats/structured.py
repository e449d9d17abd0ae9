"""Transcripts as JSON or JSON Lines: an object with a text is an utterance, every other string a line.

The signs and keys of JSON, numbers, and what an utterance says besides its text are markup.
"""

import json
from collections.abc import Iterator
from typing import TypeAlias

from ingestion.minutes.lines import Line, Lines, split

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

TEXT_KEYS = ("text", "content", "sentence", "transcript", "words", "onebest")
SPEAKER_KEYS = ("speaker", "speaker_name", "speakerName", "name", "user_name", "nickname", "role")
TIME_KEYS = ("time", "start", "start_time", "startTime", "begin_time", "timestamp", "from")
LATEST_SECONDS = 100_000.0  # a start later than this (27 hours) is in milliseconds


def is_json(text: str) -> bool:
    """Whether `read_json` can read it."""
    try:
        _parse(text)
    except (ValueError, RecursionError):
        return False
    return text.lstrip().startswith(("{", "["))


def read_json(text: str) -> Lines:
    """Raises ValueError when the text is neither JSON nor JSON Lines."""
    lines: list[Line] = []
    ends = 0
    for utterance in _utterances(_parse(text)):
        parts = split(utterance.text)
        lines += [
            Line(part.text, utterance.speaker, utterance.time, fresh=place == 0)
            for place, part in enumerate(parts.lines)
        ]
        ends += parts.line_ends
    return Lines(tuple(lines), ends, len(text) - ends - sum(len(line.text) for line in lines))


def _parse(text: str) -> Json:
    try:
        value: Json = json.loads(text)
    except ValueError:
        value = [json.loads(line) for line in text.splitlines() if line.strip()]
    return value


def _utterances(value: Json) -> Iterator[Line]:
    """In the order of the file; a text may have line ends."""
    if isinstance(value, str):
        yield Line(value)
    elif isinstance(value, list):
        for item in value:
            yield from _utterances(item)
    elif isinstance(value, dict):
        words = next((found for key in TEXT_KEYS if isinstance(found := value.get(key), str)), None)
        if words is None:
            for item in value.values():
                yield from _utterances(item)
        else:
            yield Line(words, _named(value, SPEAKER_KEYS), _time(value))
            for item in value.values():
                if isinstance(item, list | dict):  # replies, or the meeting under a text of its own
                    yield from _utterances(item)


def _named(value: dict[str, Json], keys: tuple[str, ...]) -> str:
    found = next((value[key] for key in keys if isinstance(value.get(key), str | int)), "")
    return str(found).strip()


def _time(value: dict[str, Json]) -> str:
    found = next((value[key] for key in TIME_KEYS if isinstance(value.get(key), str | int | float)), "")
    if isinstance(found, str):
        return found.strip()
    if not isinstance(found, int | float) or not 0 <= found < 1e12:
        return ""
    seconds = int(found / 1000 if found > LATEST_SECONDS else found)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
