"""Transcripts as JSON or JSON Lines: an object with a text is an utterance, every other string a line.

The signs and keys of JSON, numbers, what an utterance says besides its text, and a text that only repeats the
utterances inside its object are markup.
"""

import json
from collections.abc import Iterator
from typing import TypeAlias

from ingestion.minutes.lines import Line, Lines, split

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

TEXT_KEYS = ("text", "content", "sentence", "transcript", "words", "onebest")
TITLE_KEYS = ("title", "subject")
SPEAKER_KEYS = ("speaker", "speaker_name", "speakerName", "name", "user_name", "nickname", "role")
TIME_KEYS = ("time", "start", "start_time", "startTime", "begin_time", "timestamp", "from")
MAX_DEPTH = 50
LATEST_SECONDS = 100_000.0  # a start later than this (27 hours) is in milliseconds


def is_json(text: str) -> bool:
    """Whether `read_json` can read it."""
    try:
        _parse(text)
    except ValueError:
        return False
    return True


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
    """Raises ValueError, also for more than `MAX_DEPTH` lists and objects inside each other."""
    try:
        value: Json = _loaded(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except ValueError:
        value = [_loaded(line) for line in text.split("\n") if line.strip()]
    if _is_deep(value):
        raise ValueError("nested too deeply")
    return value


def _loaded(text: str) -> Json:
    value: Json = json.loads(text, object_pairs_hook=_object)
    return value


def _object(pairs: list[tuple[str, Json]]) -> Json:
    """Where a name comes again, what was said under it the first time is no less there: a list of objects."""
    objects: list[Json] = []
    current: dict[str, Json] = {}
    for name, value in pairs:
        if name in current:
            objects.append(current)
            current = {}
        current[name] = value
    return [*objects, current] if objects else current


def _is_deep(value: Json) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return False
    return True


def _inside(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _utterances(value: Json, *, strings: bool = True) -> Iterator[Line]:
    """In the order of the file; a text may have line ends. `strings`: those outside utterances count, too."""
    if isinstance(value, str):
        if strings:
            yield Line(value)
    elif isinstance(value, list):
        for item in value:
            yield from _utterances(item, strings=strings)
    elif isinstance(value, dict):
        words = next((found for key in TEXT_KEYS if isinstance(found := value.get(key), str)), None)
        if words is None:
            yield from _utterances(list(value.values()), strings=strings)
        else:
            yield from _utterance(value, words)


def _utterance(value: dict[str, Json], words: str) -> Iterator[Line]:
    """What an object with a text says: its title, the text, the utterances inside it (replies, segments)."""
    yield from (Line(title) for key in TITLE_KEYS if isinstance(title := value.get(key), str))
    inner = list(_utterances(list(value.values()), strings=False))
    if not inner or _compact(words) != _compact("".join(line.text for line in inner)):
        yield Line(words, _named(value, SPEAKER_KEYS), _time(value))
    yield from inner


def _compact(text: str) -> str:
    return "".join(text.split())


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
