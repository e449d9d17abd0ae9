"""Outcomes in what people say, and in running text: the sentences that decide or promise, and no others."""

import re
from collections.abc import Iterator

from ingestion.minutes.outcome import OutcomeKind
from ingestion.minutes.outcome_lines import Piece, words_of
from ingestion.minutes.outcome_marks import marked
from ingestion.minutes.outcome_sections import Found
from ingestion.minutes.outcome_wordings import Wordings
from ingestion.minutes.prefixes import speech
from ingestion.minutes.transcript import Paragraph

_SENTENCE = re.compile(r"[^。！？!?\s][^。！？!?\n]*[。！？!?]*[”」』]?")
_PART = re.compile(r"[^；;]+[；;]?")
_QUOTED = re.compile("“[^”]{0,400}”|「[^」]{0,400}」|『[^』]{0,400}』|\"[^\"]{0,400}\"")


class SpeechReader:
    """Of one meeting: `anyone` finds the names of those who may be meant."""

    def __init__(self, wordings: Wordings, anyone: re.Pattern[str]) -> None:
        self._wordings = wordings
        self._anyone = anyone

    def outcomes(self, paragraph: Paragraph) -> Iterator[Found]:
        """Decisions sentence by sentence, actions between semicolons: 高峰三月底前…；唐莉四月底前… are two.

        A decision that also names who does it is a decision. Behind 我来拍板 whatever comes next is one.
        """
        spoken = len(paragraph.text) - len(speech(paragraph))
        announced = False
        for sentence in _SENTENCE.finditer(paragraph.text, spoken):
            whole = Piece(sentence.start(), sentence.end())
            decision = self._said(OutcomeKind.DECISION, paragraph, whole, announced=announced)
            announced = self._wordings.announces.search(sentence[0]) is not None
            if decision:
                yield decision
                continue
            for part in _PART.finditer(paragraph.text, whole.start, whole.end):
                if action := self._said(OutcomeKind.ACTION, paragraph, Piece(part.start(), part.end())):
                    yield action

    def owner(self, kind: OutcomeKind, text: str, speaker: str) -> str | None:
        """Whom the cues of a kind name, the speaker where it is 我; empty for nobody, None without a cue."""
        signs = marked(text, self._anyone)
        owner: str | None = None
        for cue in self._wordings.cues:
            if cue.kind is kind and not owner and (match := cue.pattern.search(signs)):
                groups = cue.pattern.groupindex
                if "me" in groups and match["me"] is not None:
                    owner = speaker
                elif "owner" in groups and match["owner"]:
                    owner = text[slice(*match.span("owner"))].strip()
                else:
                    owner = ""
        return owner

    def _said(
        self, kind: OutcomeKind, paragraph: Paragraph, piece: Piece, *, announced: bool = False
    ) -> Found | None:
        words = words_of(paragraph.text, piece)
        own = _own_words(paragraph.text[words.start : words.end])
        if self._wordings.never.search(own):
            return None
        owner = self.owner(kind, own, paragraph.speaker)
        if owner is None and not announced:
            return None
        return Found(kind, paragraph, words.start, words.end, owner or "")


def _own_words(sentence: str) -> str:
    """Blanks where somebody else is quoted."""
    return _QUOTED.sub(lambda quoted: " " * len(quoted[0]), sentence)
