"""The full text of a meeting under its topics, paragraph by paragraph, as much of it as is asked for."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from nicegui import ui
from nicegui.element import Element

from ingestion.minutes.segmentation import Segment
from service.store.meetings import Said, StoredMeeting
from service.ui.elements import Action, box, button, words
from service.ui.minutes_addresses import ANCHOR, Place, paragraph_of
from service.ui.minutes_batches import Batch, Part, batches_of, parts_of, pieces_of, position_of
from service.ui.minutes_words import range_words, topic_words

AROUND = 30  # paragraphs before and after the one that is opened
ANSWER_S = 10.0  # for a browser on a slow line
MOST_BATCHES = 15  # on the page at once; what lies farthest away gives way to what is asked for


@dataclass(slots=True)
class _Drawn:
    """A batch on the page. `headings` are those of segments that begin in it, by index."""

    element: Element
    headings: dict[int, Element] = field(default_factory=dict)
    marks: list[Element] = field(default_factory=list)
    numbers: list[Element] = field(default_factory=list)


class TextView:
    """A stretch of neighbouring batches; it opens at the marked place, if there is one."""

    def __init__(self, meeting: StoredMeeting, marked: Place | None) -> None:
        self._meeting = meeting
        self._paragraphs = meeting.record.paragraphs
        self._batches = batches_of(self._paragraphs)
        self._marked = marked
        self._drawn: dict[int, _Drawn] = {}

    def show(self) -> None:
        with box("section", "panel meeting-text", aria_labelledby="text-heading"):
            words("h2", "全文", "section-title", id="text-heading")
            self._note = words("p", "", "list-note", role="status")
            self._before = box("div", "more")
            self._text = box("div", "said-text")
            self._after = box("div", "more")
        if not self._batches:
            self._note.text = "这份记录里没有文字。"
            return
        self._open_marked()
        _on_arrival(self._open_fragment)

    async def open_segment(self, segment: Segment) -> None:
        """Scroll to a topic and put the focus there."""
        position = next(
            (at for at, said in enumerate(self._paragraphs) if said.number == segment.start), None
        )
        if position is None:  # a record that failed its locks may name what is not there
            return
        at = self._batch_at(position)
        if at not in self._drawn:
            self._restart(position)
        drawn, inside = self._drawn[at], position - self._batches[at].first
        target = drawn.headings.get(segment.index, drawn.numbers[inside])  # of two that overlap, one has none
        target.run_method("focus", {"preventScroll": True})
        target.run_method("scrollIntoView", {"block": "start"})

    async def earlier(self) -> None:
        """Show the batch before what is shown; there has to be one."""
        self._add(min(self._drawn) - 1, farthest=max, focus=-1)

    async def later(self) -> None:
        """Show the batch after what is shown; there has to be one."""
        self._add(max(self._drawn) + 1, farthest=min, focus=0)

    def _open_fragment(self, fragment: str) -> None:
        number = paragraph_of(fragment)
        found = next((said for said in self._paragraphs if said.number == number), None)
        if found is not None:
            self._marked = Place(found.start, found.end)
            self._open_marked()

    def _open_marked(self) -> None:
        position = position_of(self._paragraphs, self._marked) if self._marked else None
        self._restart(position or 0)
        if marks := self._drawn[self._batch_at(position or 0)].marks:
            marks[0].run_method("scrollIntoView", {"block": "center"})

    def _batch_at(self, position: int) -> int:
        return next(at for at, batch in enumerate(self._batches) if batch.first <= position < batch.end)

    def _restart(self, position: int) -> None:
        """Only the batch of a paragraph, and the one next to it where the paragraph is near its edge."""
        self._text.clear()
        self._drawn = {}
        here, last = self._batch_at(position), len(self._paragraphs) - 1
        before = max(here - 1, self._batch_at(max(0, position - AROUND)))
        after = min(here + 1, self._batch_at(min(last, position + AROUND)))
        for at in range(before, after + 1):
            self._draw(at)
        self._tell()

    def _draw(self, at: int) -> None:
        with self._text:
            drawn = _Drawn(box("div", "said-batch"))
        if self._drawn and at < min(self._drawn):
            drawn.element.move(target_index=0)
        self._drawn[at] = drawn
        with drawn.element:
            for part in parts_of(self._batches[at], self._paragraphs, self._meeting.record.segments):
                self._part(drawn, part)

    def _part(self, drawn: _Drawn, part: Part) -> None:
        heading = _heading(part)
        if part.segment is not None and part.begins:
            drawn.headings[part.segment.index] = heading
        with box("ol", "said-list", aria_labelledby=heading.html_id):
            speaker = ""
            for said in self._paragraphs[part.first : part.end]:
                self._paragraph(drawn, said, again=said.speaker == speaker)
                speaker = said.speaker

    def _paragraph(self, drawn: _Drawn, said: Said, *, again: bool) -> None:
        """Speaker and time stand before the text where the text itself does not begin with them."""
        text = self._meeting.text
        prefix = text[said.start : said.words]
        number = str(said.number)
        with box("li", "said", id=f"{ANCHOR}{number}"):
            drawn.numbers.append(
                words("a", number, "said-number", href=f"#{ANCHOR}{number}", aria_label=f"第 {number} 段")
            )
            with box("p", "said-words", dir="auto"):
                if said.speaker and said.speaker not in prefix:
                    words("span", said.speaker, "said-label said-again" if again else "said-label")
                if said.time and said.time not in prefix:
                    words("span", said.time, "said-label said-time")
                for piece in pieces_of(text, said, self._marked):
                    style = "said-prefix" if piece.prefix else ""
                    shown = words("mark" if piece.marked else "span", piece.text, style)
                    if piece.marked:
                        drawn.marks.append(shown)

    def _tell(self) -> None:
        """How much is shown, and what there is before and after it."""
        shown = self._shown()
        total = len(self._paragraphs)
        first, last = self._paragraphs[shown.first].number, self._paragraphs[shown.end - 1].number
        whole = shown.end - shown.first == total
        self._note.text = f"共 {total:,} 段" if whole else f"共 {total:,} 段，显示{range_words(first, last)}"
        self._offer(self._before, min(self._drawn) - 1, "前面", self.earlier)
        self._offer(self._after, max(self._drawn) + 1, "后面", self.later)

    def _offer(self, place: Element, at: int, where: str, action: Action) -> None:
        place.clear()
        if not 0 <= at < len(self._batches):
            return
        batch = self._batches[at]
        with place:
            button(f"接着显示{where} {batch.end - batch.first} 段", action)

    def _shown(self) -> Batch:
        return Batch(self._batches[min(self._drawn)].first, self._batches[max(self._drawn)].end)

    def _add(self, at: int, farthest: Callable[[dict[int, _Drawn]], int], focus: int) -> None:
        self._draw(at)
        if len(self._drawn) > MOST_BATCHES:
            self._drawn.pop(farthest(self._drawn)).element.delete()
        self._tell()
        self._drawn[at].numbers[focus].run_method("focus")


def _heading(part: Part) -> Element:
    if part.segment is None:
        return words("h3", "没有归入议题的段落", "said-heading")
    again = "" if part.begins else "（接上）"
    style = "said-heading" if part.begins else "said-heading said-heading-again"
    name = f"议题 {part.segment.index} · {topic_words(part.segment)}{again}"
    return words("h3", name, style, tabindex="-1", data_segment=part.segment.index)


def _on_arrival(open_fragment: Callable[[str], None]) -> None:
    """What follows # in an address is known to the browser alone; it is asked when the page is connected."""
    asked = False

    async def arrived() -> None:
        nonlocal asked
        if asked:  # the connection came back; the reader has moved on
            return
        asked = True
        with suppress(TimeoutError):  # the visitor left, or stays at the beginning
            open_fragment(str(await ui.run_javascript("location.hash", timeout=ANSWER_S)))

    ui.context.client.on_connect(arrived)
