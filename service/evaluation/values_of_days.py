"""Days and lengths of the three sources, beside what `rules` reads. Times of day are not aimed at."""

import re
from datetime import date, timedelta
from datetime import datetime as Moment
from typing import Literal

from pydantic import BaseModel, JsonValue, ValidationError

from rules.mentions.dates import Day, read_day, read_days
from rules.mentions.durations import read_durations
from service.evaluation.values_of_money import entities
from service.evaluation.verdicts import NOT_AIMED, Judged, judged

_NOON = Moment(2000, 1, 1)  # where no base is given and none is needed


class JioSpan(BaseModel):
    type: Literal["time_point", "time_span"]
    definition: str
    time: tuple[str, str]


class JioLength(BaseModel):
    type: Literal["time_delta"]
    definition: Literal["accurate"]
    time: dict[str, float]


class Resolution(BaseModel):
    """One reading: a day, or from `start` up to but without `end`."""

    value: str | None = None
    start: str | None = None
    end: str | None = None


def duration_or_day(text: str, base: JsonValue, gold: JsonValue) -> Judged:
    """Whole days, and lengths in days alone; the rest of JioNLP's times is not aimed at."""
    try:
        return _length(text, JioLength.model_validate(gold))
    except ValidationError:
        pass  # not a length: perhaps a day
    try:
        expected = JioSpan.model_validate(gold)
        said = Moment.fromisoformat(base) if isinstance(base, str) else _NOON
        low, high = (Moment.fromisoformat(end) for end in expected.time)
    except ValueError:
        return NOT_AIMED
    if (low.time().isoformat(), high.time().isoformat()) != ("00:00:00", "23:59:59"):
        return NOT_AIMED
    return _judged(read_day(text, said.date()), [(low.date(), high.date())])


def _length(text: str, expected: JioLength) -> Judged:
    if set(expected.time) != {"day"}:
        return NOT_AIMED
    found = read_durations(text)
    if len(found) != 1:
        return judged(None, right=False, exact=False)
    right = found[0].precise and found[0].days == expected.time["day"]
    return judged(found[0], right=right, exact=found[0].precise)


def datetime(text: str, base: JsonValue, gold: JsonValue) -> Judged:
    """One day or stretch of days in the text; of several resolutions (last year's, next's) any is right."""
    found = entities(gold)
    if found is None or len(found) != 1 or found[0].type not in ("datetimeV2.date", "datetimeV2.daterange"):
        return NOT_AIMED
    values = found[0].value.get("values")
    if not isinstance(values, list) or not isinstance(base, str):
        return NOT_AIMED
    spans = [span for value in values if (span := _span(Resolution.model_validate(value)))]
    if not spans:
        return NOT_AIMED
    got = read_days(text, Moment.fromisoformat(base).date())
    return _judged(got[0] if len(got) == 1 else None, spans)


def _span(resolution: Resolution) -> tuple[date, date] | None:
    try:
        if resolution.value:
            day = date.fromisoformat(resolution.value)
            return day, day
        if resolution.start and resolution.end:
            end = date.fromisoformat(resolution.end) - timedelta(days=1)
            return date.fromisoformat(resolution.start), end
    except ValueError:
        return None
    return None


def written_day(text: str, base: JsonValue, gold: JsonValue) -> Judged:
    """2008/08/08; what lacks the year or holds more is not aimed at."""
    match = re.fullmatch(r"(\d{4})/(\d\d)/(\d\d)", str(gold))
    if match is None:
        return NOT_AIMED
    day = date(int(match[1]), int(match[2]), int(match[3]))
    return _judged(read_day(text, _NOON.date()), [(day, day)])


def _judged(got: Day | None, spans: list[tuple[date, date]]) -> Judged:
    if got is None:
        return judged(None, right=False, exact=False)
    right = (got.low, got.high) in spans
    return judged(f"{got.value or f'{got.low}..{got.high}'}", right=right, exact=got.precise)
