"""The list of topics at the head of a record: where one of them comes up again, whatever stood above ends."""

from collections.abc import Sequence

from ingestion.minutes.outcome_lines import Piece, label_of, words_of
from ingestion.minutes.outcome_wordings import Wordings
from ingestion.minutes.transcript import Paragraph

SHORTEST_TITLE = 6  # characters; a shorter line may be anything
LONGEST_LIST = 40  # lines; what comes later is the record itself


class Agenda:
    """`last`: number of the paragraph that begins the list, the last one if there are more; 0 for none."""

    def __init__(self, paragraphs: Sequence[Paragraph], wordings: Wordings) -> None:
        self.last = 0
        self._wordings = wordings
        titles: list[str] = []
        left = 0
        for paragraph in paragraphs:
            if wordings.agenda.search(paragraph.text.strip()):
                self.last, left = paragraph.number, LONGEST_LIST
            elif left and label_of(paragraph.text, Piece(0, len(paragraph.text)), wordings):
                left = 0
            elif left:
                titles.append(self._plain(paragraph.text))
                left -= 1
        self._titles = frozenset(title for title in titles if len(title) >= SHORTEST_TITLE)
        self._lengths = sorted({len(title) for title in self._titles})

    def names(self, text: str) -> bool:
        """Whether a line is one of the titles, whatever its number."""
        plain = self._plain(text)
        return any(plain[:length] in self._titles for length in self._lengths if length <= len(plain))

    def _plain(self, text: str) -> str:
        words = words_of(text, Piece(0, len(text)))
        line = text[words.start : words.end]
        heading = self._wordings.end.match(line)
        return "".join((line[heading.end() :] if heading else line).split())
