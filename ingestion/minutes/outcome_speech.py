"""Outcomes in what people say, and in running text: the sentences that decide or promise, and no others."""

import re
from collections.abc import Iterator, Sequence

from ingestion.minutes.outcome import OutcomeKind
from ingestion.minutes.outcome_lines import Piece, words_of
from ingestion.minutes.outcome_sections import Found
from ingestion.minutes.outcome_wordings import Wordings
from ingestion.minutes.prefixes import speech
from ingestion.minutes.transcript import Paragraph

Cues = Sequence[tuple[OutcomeKind, re.Pattern[str]]]
_SENTENCE = re.compile(r"[^。！？!?\s][^。！？!?\n]*[。！？!?]*[”」』]?")
_PART = re.compile(r"[^；;]+[；;]?")
_QUOTED = re.compile("“[^”]{0,400}”|「[^」]{0,400}」|『[^』]{0,400}』|\"[^\"]{0,400}\"")
_ANNOUNCED = (OutcomeKind.DECISION, re.compile("."))  # 我来拍板。… : whatever comes next


def said_outcomes(paragraph: Paragraph, cues: Cues, wordings: Wordings) -> Iterator[Found]:
    """Decisions sentence by sentence, actions between semicolons: 高峰三月底前…；唐莉四月底前… are two.

    A decision that also names who does it is a decision.
    """
    spoken = len(paragraph.text) - len(speech(paragraph))
    announced = False
    for sentence in _SENTENCE.finditer(paragraph.text, spoken):
        whole = Piece(sentence.start(), sentence.end())
        all_cues = (*cues, _ANNOUNCED) if announced else cues
        decision = _said(OutcomeKind.DECISION, paragraph, whole, all_cues, wordings)
        announced = wordings.announces.search(sentence[0]) is not None
        if decision:
            yield decision
            continue
        for part in _PART.finditer(paragraph.text, whole.start, whole.end):
            action = _said(OutcomeKind.ACTION, paragraph, Piece(part.start(), part.end()), cues, wordings)
            if action:
                yield action


def _said(
    kind: OutcomeKind, paragraph: Paragraph, piece: Piece, cues: Cues, wordings: Wordings
) -> Found | None:
    words = words_of(paragraph.text, piece)
    own = own_words(paragraph.text[words.start : words.end])
    if wordings.never.search(own):
        return None
    found = [match for cue, pattern in cues if cue is kind and (match := pattern.search(own))]
    if not found:
        return None
    owner = next((owner for match in found if (owner := owner_in(match, paragraph.speaker))), "")
    return Found(kind, paragraph, words.start, words.end, owner)


def own_words(sentence: str) -> str:
    """Blanks where somebody else is quoted, so that offsets stay."""
    return _QUOTED.sub(lambda quoted: " " * len(quoted[0]), sentence)


def owner_in(match: re.Match[str], speaker: str) -> str:
    """Whom a cue names: the speaker where it says 我."""
    groups = match.groupdict()
    if groups.get("me") is not None:
        return speaker
    return (groups.get("owner") or "").strip()
