"""Decisions 决定 and action items 待办 of a meeting, without a model.

Two kinds of records: written minutes, whose labels say it (`outcome_sections`), and talk, in which only
explicit sentences count (`outcome_speech`). The words of both are in `outcomes.csv` (`outcome_wordings`).
"""

from pathlib import Path

from ingestion.errors import IngestionError
from ingestion.minutes.due import find_due, resolve
from ingestion.minutes.outcome import Outcome, OutcomeKind
from ingestion.minutes.outcome_owners import anyone_of, labelled_owner, owner_behind
from ingestion.minutes.outcome_sections import Found, sections_of
from ingestion.minutes.outcome_speech import Cues, owner_in, said_outcomes
from ingestion.minutes.outcome_wordings import Wordings, read_wordings
from ingestion.minutes.transcript import Transcript

__all__ = ["Outcome", "OutcomeFinder", "OutcomeKind", "OutcomesDamaged", "load_outcomes"]

OUTCOMES = "outcomes.csv"


class OutcomesDamaged(IngestionError):
    """The data file is missing, or not of its form."""

    code = "outcomes_damaged"


class OutcomeFinder:
    """Thread-safe; the same transcript gives the same outcomes."""

    def __init__(self, wordings: Wordings) -> None:
        self._wordings = wordings

    def find(self, transcript: Transcript) -> tuple[Outcome, ...]:
        """In order of paragraphs, and of place within one."""
        sections = sections_of(transcript.paragraphs, self._wordings)
        cues = self._wordings.cues(anyone_of(transcript))
        found = list(sections.found)
        for paragraph in transcript.paragraphs:
            if paragraph.number not in sections.read and paragraph.text != transcript.title:
                said = said_outcomes(paragraph, cues, self._wordings)
                found += [each for each in said if not _overlaps(each, sections.found)]
        found.sort(key=lambda each: (each.paragraph.number, each.start))
        return tuple(self._outcome(each, cues, transcript) for each in found)

    def _outcome(self, found: Found, cues: Cues, transcript: Transcript) -> Outcome:
        due = found.due or self._due(found)
        return Outcome(
            kind=found.kind,
            paragraph=found.paragraph.number,
            start=found.start,
            end=found.end,
            quote=found.quote,
            speaker=found.paragraph.speaker,
            owner=found.owner or self._owner(found, cues, transcript),
            due=due,
            due_day=resolve(due, transcript.day),
        )

    def _due(self, found: Found) -> str:
        """A decision has one only where it says so: 从五月一号起 is none."""
        label = self._wordings.due_label.search(found.quote)
        behind = find_due(found.quote[label.end() :]) if label else None
        due = behind or find_due(found.quote, strict=found.kind is OutcomeKind.DECISION)
        return due.text if due else ""

    def _owner(self, found: Found, cues: Cues, transcript: Transcript) -> str:
        quote = found.quote
        named = labelled_owner(quote, self._wordings) or owner_behind(quote, transcript.attendees)
        if named:
            return named
        matches = (pattern.search(quote) for kind, pattern in cues if kind is OutcomeKind.ACTION)
        owners = (owner_in(match, found.paragraph.speaker) for match in matches if match)
        return next((owner for owner in owners if owner), "")


def load_outcomes(folder: Path) -> OutcomeFinder:
    """From `outcomes.csv` in `folder`. Raises OutcomesDamaged naming the file and the line."""
    try:
        return OutcomeFinder(read_wordings(folder / OUTCOMES))
    except (OSError, ValueError) as error:
        raise OutcomesDamaged(f"决定与待办的数据 {OUTCOMES} 无法读取：{error}") from error


def _overlaps(said: Found, labelled: tuple[Found, ...]) -> bool:
    return any(
        each.paragraph.number == said.paragraph.number and each.start < said.end and said.start < each.end
        for each in labelled
    )
