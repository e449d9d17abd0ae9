"""Outcomes of written minutes: what stands under 会议结论, 遗留问题, 待办 or behind them, and in tables."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ingestion.minutes.outcome import OutcomeKind
from ingestion.minutes.outcome_agenda import Agenda
from ingestion.minutes.outcome_lines import (
    Label,
    Number,
    Piece,
    cells_of,
    label_of,
    number_of,
    pieces_of,
    words_of,
)
from ingestion.minutes.outcome_owners import labelled_owner
from ingestion.minutes.outcome_wordings import BACKGROUND, Wordings
from ingestion.minutes.prefixes import speech
from ingestion.minutes.transcript import Paragraph

_SENTENCE = re.compile(r"[^。！？!?]+[。！？!?]*")
_MARKS = " \t。．.，,；;：:！!~、“”\"'（）()"
_COLON = re.compile(r"\s*[:：]\s*")


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
    reader = _Reader(wordings, Agenda(paragraphs, wordings))
    for paragraph in paragraphs:
        reader.read(paragraph)
    return Sections(tuple(reader.found), frozenset(reader.done))


class _Reader:
    """Goes through a record line by line. `_kind` is that of the section it is in, None outside of one."""

    def __init__(self, wordings: Wordings, agenda: Agenda) -> None:
        self.found: list[Found] = []
        self.done: set[int] = set()
        self._wordings = wordings
        self._agenda = agenda
        self._kind: OutcomeKind | None = None
        self._inline = False  # words stood behind the label: only the line of the next number goes on
        self._numbers: dict[str, int] = {}  # the last of the section, by its form
        self._heading: Number | None = None  # of the label: 三、待办 ends at 四、
        self._silent = False  # below 进展, 讨论 and the like
        self._listing = False  # in the list of topics, where 遗留问题 is one of them
        self._begun = False  # a topic or a conclusion was there; 遗留问题 before are the last meeting's
        self._columns: tuple[str, ...] = ()

    def read(self, paragraph: Paragraph) -> None:
        cells = cells_of(paragraph.text)
        if len(cells) > 1 and self._read_row(paragraph, cells):
            return
        self._columns = ()
        spoken = len(paragraph.text) - len(speech(paragraph))
        if paragraph.speaker:
            self._read_speech(paragraph, spoken)
            return
        for piece in pieces_of(paragraph.text, Piece(spoken, len(paragraph.text))):
            self._read_piece(paragraph, piece)

    def _read_speech(self, paragraph: Paragraph, spoken: int) -> None:
        """张总：决定：… is one sentence; a speaker otherwise ends the section."""
        self._leave()
        label = label_of(paragraph.text, Piece(spoken, len(paragraph.text)), self._wordings)
        if label and label.outcome and (sentence := _SENTENCE.match(paragraph.text, label.end)):
            self._add(Found(label.outcome, paragraph, label.end, sentence.end()))

    def _read_piece(self, paragraph: Paragraph, piece: Piece) -> None:
        text = paragraph.text
        label = label_of(text, piece, self._wordings)
        if label and not self._is_item(label, number_of(text, piece)):
            self._enter(label, paragraph, piece)
        elif self._ends(text[piece.start : piece.end]):
            self._leave()
            self._begun = True
        elif self._kind and not self._goes_on(number_of(text, piece)):
            self._leave()
        elif self._kind and not self._belongs_to_last(paragraph, piece):
            self._add(Found(self._kind, paragraph, piece.start, piece.end))
        if self._kind or self._silent:
            self.done.add(paragraph.number)

    def _enter(self, label: Label, paragraph: Paragraph, piece: Piece) -> None:
        kind = label.outcome
        former = kind is OutcomeKind.ACTION and not self._begun and paragraph.number < self._agenda.last
        rest = Piece(label.end, piece.end)
        alone = rest.start >= rest.end
        self._kind = None if former else kind
        self._begun = self._begun or kind is OutcomeKind.DECISION
        first = number_of(paragraph.text, rest)
        self._inline = not alone and first is None
        self._numbers = {first.form: first.value} if first else {}
        self._heading = number_of(paragraph.text, piece)
        self._silent = alone and label.kind == BACKGROUND
        self._listing = self._wordings.agenda.search(paragraph.text.strip()) is not None
        self.done.add(paragraph.number)
        if self._kind:
            self._add(Found(self._kind, paragraph, rest.start, rest.end))

    def _leave(self) -> None:
        self._kind, self._silent, self._listing = None, False, False

    def _ends(self, words: str) -> bool:
        ends = self._wordings.end.search(words.strip(" *_")) is not None
        return ends or (not self._listing and self._agenda.names(words))

    def _is_item(self, label: Label, number: Number | None) -> bool:
        """A topic of the agenda called 遗留问题, or 2、页面的遗留问题：… among open items."""
        listed = self._listing and label.outcome is not None and not label.colon
        return listed or (number is not None and label.outcome is not None and label.outcome is self._kind)

    def _goes_on(self, number: Number | None) -> bool:
        """Whether the section does; numbers that go back are those of the next topic, but 1 begins a list."""
        if number is None:
            return not self._inline
        last = self._numbers.get(number.form, 0)
        self._numbers[number.form] = number.value
        above = self._heading
        if above and above.form == number.form and number.value == above.value + 1 != last + 1:
            return False
        if self._inline:
            return number.value in (1, last + 1)
        return number.value >= last or number.value == 1

    def _belongs_to_last(self, paragraph: Paragraph, piece: Piece) -> bool:
        """A line that only says who, or by when, of the item above."""
        whole = words_of(paragraph.text, piece)
        line = paragraph.text[whole.start : whole.end]
        owner, due = (label.match(line) for label in (self._wordings.owner_label, self._wordings.due_label))
        label = owner or due
        colon = _COLON.match(line, label.end()) if label else None
        if colon is None or not self.found:
            return False
        last = self.found[-1]
        self.found[-1] = replace(
            last,
            owner=last.owner or (labelled_owner(line, self._wordings) if owner else ""),
            due=last.due or ("" if owner else line[colon.end() :]),
        )
        return True

    def _read_row(self, paragraph: Paragraph, cells: Sequence[Piece]) -> bool:
        """Whether the row is of a table of outcomes: its head, a row below, or cells with labels in them."""
        heads = tuple(self._column(paragraph.text, cell) for cell in cells)
        if OutcomeKind.DECISION in heads or {OutcomeKind.ACTION, "owner"} <= set(heads):
            self._columns = () if self._listing else heads
            self._leave()
        elif len(self._columns) == len(cells):
            self._read_columns(paragraph, cells)
        else:
            self._columns = ()
            return self._read_cells(paragraph, cells)
        self.done.add(paragraph.number)
        return True

    def _column(self, text: str, cell: Piece) -> str:
        words = words_of(text, cell)
        name = text[words.start : words.end]
        return next((kind for kind, pattern in self._wordings.columns.items() if pattern.fullmatch(name)), "")

    def _read_columns(self, paragraph: Paragraph, cells: Sequence[Piece]) -> None:
        beside = {"owner": "", "due": ""}
        for head, cell in zip(self._columns, cells, strict=True):
            if head in beside:
                beside[head] = beside[head] or self._said(paragraph, cell)
        for head, cell in zip(self._columns, cells, strict=True):
            if head in tuple(OutcomeKind):
                for piece in pieces_of(paragraph.text, cell):
                    self._add(Found(OutcomeKind(head), paragraph, piece.start, piece.end, **beside))

    def _read_cells(self, paragraph: Paragraph, cells: Sequence[Piece]) -> bool:
        before = len(self.found)
        for cell in cells:
            self._kind = None
            for piece in pieces_of(paragraph.text, cell):
                self._read_piece(paragraph, piece)
        self._kind = None
        return len(self.found) > before

    def _add(self, found: Found) -> None:
        """The words of a place, unless they are 无."""
        place = Piece(found.start, found.end)
        if self._said(found.paragraph, place):
            words = words_of(found.paragraph.text, place)
            self.found.append(replace(found, start=words.start, end=words.end))

    def _said(self, paragraph: Paragraph, place: Piece) -> str:
        words = words_of(paragraph.text, place)
        said = paragraph.text[words.start : words.end]
        core = said.strip(_MARKS)
        return said if core and not self._wordings.nothing.fullmatch(core) else ""
