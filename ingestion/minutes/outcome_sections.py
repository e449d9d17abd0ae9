"""Outcomes of written minutes: the lines under 会议结论, 遗留问题, 待办 and behind such a label, and rows of tables."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ingestion.minutes.outcome import OutcomeKind
from ingestion.minutes.outcome_lines import Label, Piece, cells_of, is_numbered, label_of, pieces_of, words_of
from ingestion.minutes.outcome_owners import labelled_owner
from ingestion.minutes.outcome_wordings import Wordings
from ingestion.minutes.prefixes import speech
from ingestion.minutes.transcript import Paragraph

SHORTEST_TITLE = 6  # characters of an agenda's line that is recognised when it comes up again
_SENTENCE = re.compile(r"[^。！？!?]+[。！？!?]*")
_MARKS = " \t。．.，,；;：:！!~、“”\"'（）()"


@dataclass(frozen=True, slots=True)
class Found:
    """An outcome's place; `owner` and `due` where they stand beside it, in a label or a cell of their own."""

    kind: OutcomeKind
    paragraph: Paragraph
    start: int
    end: int
    owner: str = ""
    due: str = ""

    @property
    def quote(self) -> str:
        return self.paragraph.text[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Sections:
    """`found` in order; `read`: numbers of the paragraphs that need not be looked at again."""

    found: tuple[Found, ...]
    read: frozenset[int]


def sections_of(paragraphs: Sequence[Paragraph], wordings: Wordings) -> Sections:
    """What stands under labels, in the order of the record."""
    reader = _Reader(wordings, _Agenda(paragraphs, wordings))
    for paragraph in paragraphs:
        reader.read(paragraph)
    return Sections(tuple(reader.found), frozenset(reader.done))


class _Agenda:
    """The titles a record lists before it treats them, and where that list is."""

    def __init__(self, paragraphs: Sequence[Paragraph], wordings: Wordings) -> None:
        self.first = 0  # number of the paragraph that begins it; 0 for none
        self._titles: list[str] = []
        self._wordings = wordings
        listed = False
        for paragraph in paragraphs:
            if wordings.agenda.search(paragraph.text.strip()):
                self.first = self.first or paragraph.number
                listed = True
            elif listed and label_of(paragraph.text, Piece(0, len(paragraph.text)), wordings):
                listed = False
            elif listed:
                self._titles.append(self._plain(paragraph.text))
        self._titles = [title for title in self._titles if len(title) >= SHORTEST_TITLE]

    def names(self, text: str) -> bool:
        """Whether a line is one of the titles, whatever its number."""
        plain = self._plain(text)
        return len(plain) >= SHORTEST_TITLE and any(plain.startswith(title) for title in self._titles)

    def _plain(self, text: str) -> str:
        words = words_of(text, Piece(0, len(text)))
        line = text[words.start : words.end]
        heading = self._wordings.end.match(line)
        return "".join((line[heading.end() :] if heading else line).split())


class _Reader:
    """Goes through a record line by line. `_kind` is that of the section it is in, None outside of one."""

    def __init__(self, wordings: Wordings, agenda: _Agenda) -> None:
        self.found: list[Found] = []
        self.done: set[int] = set()
        self._wordings = wordings
        self._agenda = agenda
        self._kind: OutcomeKind | None = None
        self._inline = False  # the section's words began behind its label: only numbered lines go on with it
        self._begun = False  # a topic or a conclusion was there: 遗留问题 before are those of the last meeting
        self._columns: Sequence[str] = ()

    def read(self, paragraph: Paragraph) -> None:
        cells = cells_of(paragraph.text)
        if len(cells) > 1 and self._read_row(paragraph, cells):
            return
        self._columns = ()
        spoken = len(paragraph.text) - len(speech(paragraph))
        if paragraph.speaker and spoken:
            self._read_speech(paragraph, spoken)
            return
        for piece in pieces_of(paragraph.text, Piece(spoken, len(paragraph.text))):
            self._read_piece(paragraph, piece)

    def _read_speech(self, paragraph: Paragraph, spoken: int) -> None:
        """张总：决定：… is one sentence; a speaker otherwise ends the section."""
        self._kind = None
        label = label_of(paragraph.text, Piece(spoken, len(paragraph.text)), self._wordings)
        if label and label.kind and (sentence := _SENTENCE.match(paragraph.text, label.end)):
            self._add(label.kind, paragraph, Piece(label.end, sentence.end()))

    def _read_piece(self, paragraph: Paragraph, piece: Piece) -> None:
        text, wordings = paragraph.text, self._wordings
        if label := label_of(text, piece, wordings):
            self._enter(label, paragraph, piece)
        elif self._ends(text[piece.start : piece.end]):
            self._kind, self._begun = None, True
        elif self._kind and self._inline and not is_numbered(text, piece):
            self._kind = None
        elif self._kind and not self._belongs_to_last(paragraph, piece):
            self._add(self._kind, paragraph, piece)
        if self._kind:
            self.done.add(paragraph.number)

    def _enter(self, label: Label, paragraph: Paragraph, piece: Piece) -> None:
        former = label.kind is OutcomeKind.ACTION and not self._begun and paragraph.number < self._agenda.first
        self._kind = None if former else label.kind
        self._begun = self._begun or label.kind is OutcomeKind.DECISION
        self.done.add(paragraph.number)
        rest = Piece(label.end, piece.end)
        self._inline = rest.start < rest.end and not is_numbered(paragraph.text, rest)
        if self._kind:
            self._add(self._kind, paragraph, rest)

    def _ends(self, words: str) -> bool:
        return self._wordings.end.search(words.strip(" *_")) is not None or self._agenda.names(words)

    def _belongs_to_last(self, paragraph: Paragraph, piece: Piece) -> bool:
        """A line that only says who or by when."""
        whole = words_of(paragraph.text, piece)
        line = paragraph.text[whole.start : whole.end]
        owner = self._wordings.owner_label.match(line)
        due = self._wordings.due_label.match(line)
        if not self.found or not (owner or due) or not line[(owner or due).end() :].lstrip().startswith(("：", ":")):  # type: ignore[union-attr]
            return False
        last = self.found[-1]
        words = line.partition("：")[2].strip() or line.partition(":")[2].strip()
        self.found[-1] = replace(
            last,
            owner=last.owner or (labelled_owner(line, self._wordings) if owner else ""),
            due=last.due or (words if due else ""),
        )
        return True

    def _read_row(self, paragraph: Paragraph, cells: Sequence[Piece]) -> bool:
        """Whether the row is of a table of outcomes: its head, a row below, or cells with labels in them."""
        text = paragraph.text
        heads = [self._column(text, cell) for cell in cells]
        if "decision" in heads or ("action" in heads and "owner" in heads):
            self._columns, self._kind = heads, None
            self.done.add(paragraph.number)
            return True
        if len(self._columns) == len(cells):
            self._add_row(paragraph, cells)
            self.done.add(paragraph.number)
            return True
        self._columns = ()
        return self._read_cells(paragraph, cells)

    def _read_cells(self, paragraph: Paragraph, cells: Sequence[Piece]) -> bool:
        before = len(self.found)
        for cell in cells:
            self._kind = None
            for piece in self._labelled(paragraph.text, cell):
                self._read_piece(paragraph, piece)
        self._kind = None
        return len(self.found) > before

    def _labelled(self, text: str, cell: Piece) -> Iterator[Piece]:
        """The pieces of a cell; a label within a piece begins another."""
        for piece in pieces_of(text, cell):
            start = piece.start
            for at in range(piece.start + 1, piece.end):
                if text[at - 1] not in "，、的" and self._is_label_at(text, Piece(at, piece.end)):
                    yield Piece(start, at)
                    start = at
            yield Piece(start, piece.end)

    def _is_label_at(self, text: str, rest: Piece) -> bool:
        colon = min((at for sign in ":：" if (at := text.find(sign, rest.start, rest.end)) >= 0), default=-1)
        return any(
            pattern.fullmatch(text, rest.start, colon) is not None
            for kind, pattern in self._wordings.labels.items()
            if colon > rest.start and kind in tuple(OutcomeKind)
        )

    def _column(self, text: str, cell: Piece) -> str:
        words = words_of(text, cell)
        name = text[words.start : words.end].strip(" *")
        return next((kind for kind, pattern in self._wordings.columns.items() if pattern.fullmatch(name)), "")

    def _add_row(self, paragraph: Paragraph, cells: Sequence[Piece]) -> None:
        beside = {}
        for head, cell in zip(self._columns, cells, strict=True):
            words = words_of(paragraph.text, cell)
            beside.setdefault(head, paragraph.text[words.start : words.end])
        for head, cell in zip(self._columns, cells, strict=True):
            if head in tuple(OutcomeKind):
                for piece in pieces_of(paragraph.text, cell):
                    self._add(
                        OutcomeKind(head), paragraph, piece, beside.get("owner", ""), beside.get("due", "")
                    )

    def _add(
        self, kind: OutcomeKind, paragraph: Paragraph, piece: Piece, owner: str = "", due: str = ""
    ) -> None:
        words = words_of(paragraph.text, piece)
        said = paragraph.text[words.start : words.end].strip(_MARKS)
        if said and not self._wordings.nothing.fullmatch(said):
            self.found.append(Found(kind, paragraph, words.start, words.end, owner, due))
