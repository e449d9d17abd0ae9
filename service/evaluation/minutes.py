"""How well questions to an archive of minutes are answered, beside two stubs: refuse all, refuse none.

    meeting@8          an answerable question's meeting is among the 8 that were looked at first
    quoted             one of the labelled quotes is among those shown
    quotes_equal       shown quotes that are the record's words, character for character
    wrong_speaker      quotes by another person where one was asked for
    refused_unanswerable, refused_answerable    told as undecided counts as refused where nothing was decided
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from service.access import LOCAL
from service.bootstrap import Parts
from service.evaluation.minutes_rows import TODAY, MinutesRow
from service.minutes.answers import MinutesAnswer, Told
from service.minutes.asking import MEETINGS
from service.minutes.sought import MinutesQuestion


@dataclass(frozen=True, slots=True)
class Judged:
    """One row with what was answered. `meeting` and `quoted` are None for what has no answer."""

    row: MinutesRow
    refused: bool
    meeting: bool | None
    quoted: bool | None
    quotes: int
    equal: int
    wrong_speaker: int


def evaluate_minutes(rows: Sequence[MinutesRow], parts: Parts) -> dict[str, JsonValue]:
    judged = asyncio.run(_ask_all(rows, parts))
    failures: list[JsonValue] = [
        {"id": each.row.id, "question": each.row.question, "got": "refused" if each.refused else "answered"}
        for each in judged
        if each.refused == each.row.answerable or each.quoted is False or each.wrong_speaker
    ]
    return {
        **_figures(judged),
        "questions": len(judged),
        "by_kind": {kind: _figures(some) for kind, some in _by(judged, "kind").items()},
        "by_absence": {
            name: _share([each.refused for each in some])
            for name, some in _by(judged, "absence").items()
            if name
        },
        "stub_refuse_all": {"refused_unanswerable": 1.0, "refused_answerable": 1.0, "quoted": 0.0},
        "stub_never_refuse": {"refused_unanswerable": 0.0, "refused_answerable": 0.0},
        "failures": failures,
    }


async def _ask_all(rows: Sequence[MinutesRow], parts: Parts) -> list[Judged]:
    return [_judge(row, await _ask(row, parts), parts) for row in rows]


async def _ask(row: MinutesRow, parts: Parts) -> MinutesAnswer:
    """As a person would: the label's speaker and time are read from the words."""
    return await parts.minutes.ask(LOCAL, MinutesQuestion(row.question, asked_on=TODAY))


def _judge(row: MinutesRow, answer: MinutesAnswer, parts: Parts) -> Judged:
    texts = _texts(answer, parts)
    refused = answer.refusal is not None
    if row.absence == "undecided":
        refused = refused or answer.told is Told.UNDECIDED
    looked = {each.file_name for each in answer.meetings[:MEETINGS]}
    shown = [quote.text for quote in answer.quotes]
    return Judged(
        row=row,
        refused=refused,
        meeting=not looked.isdisjoint(row.meetings) if row.answerable else None,
        quoted=_any_quoted(row, shown) if row.answerable else None,
        quotes=len(shown),
        equal=sum(texts[q.document_id][q.char_start : q.char_end] == q.text for q in answer.quotes),
        wrong_speaker=sum(bool(row.speaker) and quote.speaker != row.speaker for quote in answer.quotes),
    )


def _any_quoted(row: MinutesRow, shown: Sequence[str]) -> bool:
    return any(wanted in quote or quote in wanted for wanted in row.quotes for quote in shown)


def _texts(answer: MinutesAnswer, parts: Parts) -> dict[str, str]:
    return {key: parts.meetings.get(LOCAL, key).text for key in {q.document_id for q in answer.quotes}}


def _figures(judged: Sequence[Judged]) -> dict[str, JsonValue]:
    answerable = [each for each in judged if each.row.answerable]
    others = [each for each in judged if not each.row.answerable]
    quotes = sum(each.quotes for each in judged)
    return {
        "meeting@8": _share([bool(each.meeting) for each in answerable]),
        "quoted": _share([bool(each.quoted) for each in answerable]),
        "quotes_equal": round(sum(each.equal for each in judged) / quotes, 4) if quotes else None,
        "wrong_speaker": sum(each.wrong_speaker for each in judged),
        "refused_unanswerable": _share([each.refused for each in others]),
        "refused_answerable": _share([each.refused for each in answerable]),
    }


def _by(judged: Sequence[Judged], field: str) -> dict[str, list[Judged]]:
    found: dict[str, list[Judged]] = {}
    for each in judged:
        found.setdefault(str(getattr(each.row, field)), []).append(each)
    return dict(sorted(found.items()))


def _share(flags: Sequence[bool]) -> float | None:
    return round(sum(flags) / len(flags), 4) if flags else None
