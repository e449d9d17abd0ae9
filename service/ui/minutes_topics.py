"""Topic cards: what a meeting was about, in order, each leading to where it begins in the text."""

from collections.abc import Awaitable, Callable, Sequence

from nicegui.element import Element

from ingestion.minutes.segmentation import Segment
from service.ui.elements import box, button, link, listen, tag, words
from service.ui.minutes_addresses import ANCHOR
from service.ui.minutes_words import range_words, topic_words

CARDS = 60  # drawn at once

Open = Callable[[Segment], Awaitable[None]]


class TopicCards:
    """`open_` shows a segment in the text."""

    def __init__(self, segments: Sequence[Segment], open_: Open) -> None:
        self._segments = segments
        self._open = open_
        self._links: list[Element] = []

    def show(self) -> None:
        with box("nav", "topics", aria_labelledby="topics-heading"):
            words("h2", f"议题（{len(self._segments)}）", "section-title", id="topics-heading")
            if not self._segments:
                words("p", "没有划出议题。", "list-note")
            self._list = box("ol", "topic-list")
            self._more = box("div", "more")
        self._draw()

    def _draw(self) -> None:
        start = len(self._links)
        with self._list:
            for segment in self._segments[start : start + CARDS]:
                self._links.append(self._card(segment))
        self._more.clear()
        if left := len(self._segments) - len(self._links):
            with self._more:
                button(f"另有 {left} 个议题", self._further)

    async def _further(self) -> None:
        start = len(self._links)
        self._draw()
        self._links[start].run_method("focus")

    def _card(self, segment: Segment) -> Element:
        described = segment.described
        with box("li", "topic"):
            with box("p", "topic-line"):
                words("span", str(segment.index), "rank", aria_hidden="true")
                name = link(topic_words(segment), f"#{ANCHOR}{segment.start}", "topic-name")
            with box("p", "topic-about"):
                words("span", range_words(segment.start, segment.end), "topic-range")
                if described.flagged:
                    tag("未能拟题", "draft")
                for keyword in described.keywords:
                    words("span", keyword, "token")
            if described.synonyms:
                words("p", f"也叫：{'、'.join(described.synonyms)}", "topic-synonyms")

        async def opened() -> None:
            for other in self._links:
                other.props.pop("aria-current", None)
            name.props["aria-current"] = "true"
            await self._open(segment)

        listen(name, "click.prevent", opened)
        return name
