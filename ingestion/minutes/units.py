"""What the detector cuts between: paragraphs, or a few that belong together, and the style of the record."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ingestion.minutes.prefixes import speech
from ingestion.minutes.transcript import Paragraph

SHORT_OPENING = 40  # characters of a turn that no topic ends within: 「好，谢谢」, cues of subtitles
CHAT_CHARS = 60  # mean characters of what two people say in turns when they chat; speeches are longer
NOTE_CHARS = 120  # mean characters of written notes; a record of speech without names has longer paragraphs
_NAMED = 0.5  # share of units with a speaker, for a record of who said what


class Style(StrEnum):
    """What the record is like. Each has weights of its own."""

    MEETING = "meeting"  # speech of several people, or long speech of anyone
    TALK = "talk"  # two people in short turns
    NOTES = "notes"  # written: decisions and open items, nobody speaks


@dataclass(frozen=True, slots=True)
class Unit:
    """`start`: the number of its first paragraph. `text` is without the prefixes that name who speaks."""

    start: int
    speaker: str
    text: str


def units_of(paragraphs: Sequence[Paragraph]) -> list[Unit]:
    """A line that is only a prefix joins what follows it, and so does the short beginning of a turn."""
    units: list[Unit] = []
    for paragraph in paragraphs:
        said = speech(paragraph).strip()
        if units and _open(units[-1], paragraph.speaker):
            last = units[-1]
            units[-1] = Unit(last.start, paragraph.speaker or last.speaker, last.text + said)
        else:
            units.append(Unit(paragraph.number, paragraph.speaker, said))
    return units


def style_of(units: Sequence[Unit]) -> Style:
    if not units:
        return Style.NOTES
    named = sum(bool(unit.speaker) for unit in units) / len(units)
    mean = sum(len(unit.text) for unit in units) / len(units)
    if named < _NAMED:
        return Style.NOTES if mean <= NOTE_CHARS else Style.MEETING
    speakers = {unit.speaker for unit in units if unit.speaker}
    return Style.TALK if len(speakers) == 2 and mean <= CHAT_CHARS else Style.MEETING


def _open(unit: Unit, speaker: str) -> bool:
    if not unit.text:
        return unit.speaker == speaker or not speaker
    return bool(speaker) and unit.speaker == speaker and len(unit.text) < SHORT_OPENING
