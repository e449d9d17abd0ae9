"""Decisions 决定 and action items 待办 of a meeting, without a model.

Two kinds of records: written minutes, whose labels say it (`outcome_sections`), and talk, in which only
explicit sentences count (`outcome_speech`). The words of both are in `outcomes.csv` (`outcome_wordings`).
"""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from ingestion.errors import IngestionError
from ingestion.minutes.due import find_due, resolve
from ingestion.minutes.outcome import Outcome, OutcomeKind
from ingestion.minutes.outcome_owners import anyone_of, labelled_owner, owner_beside
from ingestion.minutes.outcome_sections import Found, sections_of
from ingestion.minutes.outcome_speech import SpeechReader
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
        reader = SpeechReader(self._wordings, anyone_of(transcript))
        labelled: defaultdict[int, list[Found]] = defaultdict(list)
        for each in sections.found:
            labelled[each.paragraph.number].append(each)
        found = list(sections.found)
        for paragraph in transcript.paragraphs:
            if paragraph.number not in sections.read and paragraph.text != transcript.title:
                beside = labelled[paragraph.number]
                found += [each for each in reader.outcomes(paragraph) if not _overlaps(each, beside)]
        found.sort(key=lambda each: (each.paragraph.number, each.start))
        return tuple(self._outcome(each, reader, transcript) for each in found)

    def _outcome(self, found: Found, reader: SpeechReader, transcript: Transcript) -> Outcome:
        due = found.due or self._due(found)
        return Outcome(
            kind=found.kind,
            paragraph=found.paragraph.number,
            start=found.start,
            end=found.end,
            quote=found.quote,
            speaker=found.paragraph.speaker,
            owner=found.owner or self._owner(found, reader, transcript),
            due=due,
            due_day=resolve(due, transcript.day),
        )

    def _due(self, found: Found) -> str:
        """A decision has one only where it says so: 从五月一号起 is none."""
        label = self._wordings.due_label.search(found.quote)
        behind = find_due(found.quote[label.end() :]) if label else None
        due = behind or find_due(found.quote, strict=found.kind is OutcomeKind.DECISION)
        return due.text if due else ""

    def _owner(self, found: Found, reader: SpeechReader, transcript: Transcript) -> str:
        quote = found.quote
        named = labelled_owner(quote, self._wordings) or owner_beside(quote, transcript.attendees)
        return named or reader.owner(OutcomeKind.ACTION, quote, found.paragraph.speaker) or ""


def load_outcomes(folder: Path) -> OutcomeFinder:
    """From `outcomes.csv` in `folder`. Raises OutcomesDamaged naming the file and the line."""
    try:
        return OutcomeFinder(read_wordings(folder / OUTCOMES))
    except (OSError, ValueError) as error:
        raise OutcomesDamaged(f"决定与待办的数据 {OUTCOMES} 无法读取：{error}") from error


def _overlaps(said: Found, labelled: Sequence[Found]) -> bool:
    return any(each.start < said.end and said.start < each.end for each in labelled)
