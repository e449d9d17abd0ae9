"""Outcomes in what people say, and in running text: the sentences that decide or promise, and no others."""

import re
from collections.abc import Iterator, Sequence

from ingestion.minutes.outcome import OutcomeKind
from ingestion.minutes.outcome_sections import Found
from ingestion.minutes.outcome_wordings import Wordings
from ingestion.minutes.prefixes import speech
from ingestion.minutes.transcript import Paragraph

Cues = Sequence[tuple[OutcomeKind, re.Pattern[str]]]
_SENTENCE = re.compile(r"[^。！？!?\s][^。！？!?\n]*[。！？!?]*[”」』]?")
_QUOTED = re.compile("“[^”]*”|「[^」]*」|『[^』]*』|\"[^\"]*\"")


def said_outcomes(paragraph: Paragraph, cues: Cues, wordings: Wordings) -> Iterator[Found]:
    """Sentence by sentence. A decision that also names who does it is a decision."""
    spoken = len(paragraph.text) - len(speech(paragraph))
    for sentence in _SENTENCE.finditer(paragraph.text, spoken):
        own = own_words(sentence[0])
        if wordings.never.search(own):
            continue
        for kind in OutcomeKind:
            found = [match for cue, pattern in cues if cue is kind and (match := pattern.search(own))]
            if found:
                owner = next((owner for match in found if (owner := owner_in(match, paragraph.speaker))), "")
                yield Found(kind, paragraph, sentence.start(), sentence.end(), owner)
                break


def own_words(sentence: str) -> str:
    """Blanks where somebody else is quoted, so that offsets stay."""
    return _QUOTED.sub(lambda quoted: " " * len(quoted[0]), sentence)


def owner_in(match: re.Match[str], speaker: str) -> str:
    """Whom a cue names: the speaker where it says 我."""
    groups = match.groupdict()
    if groups.get("me") is not None:
        return speaker
    return (groups.get("owner") or "").strip()
