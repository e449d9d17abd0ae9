"""What a retrieval found, drawn: the verdict, and every candidate with its scores and what took it out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from ingestion.documents import Chunk, Revision
from service.retrieval.results import Candidate, Cut, Retrieval
from service.standing import Standing, standing_of
from service.ui.cards import source_address
from service.ui.elements import box, facts, link, tag, words
from service.wording import REFUSALS, cut_words, place_words, standing_words, term_words


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate with what the library knows of it; `revision` is None when it was deleted meanwhile."""

    rank: int
    candidate: Candidate
    chunk: Chunk | None
    revision: Revision | None


def draw_verdict(found: Retrieval, day: date, threshold: float) -> None:
    with box("div", "panel verdict"):
        with box("p", "verdict-line", role="status"):
            if found.reason is None:
                tag(f"取用 {len(found.evidence)} 条", "active")
                words("span", "高于门槛，可用来回答。")
            else:
                tag("不作答", "superseded")
                words("span", REFUSALS[found.reason])
        if found.outdated is not None:
            revision = found.outdated.revision
            facts(
                f"答案在《{found.outdated.document.title}》",
                revision.label,
                standing_words(revision, day, date.today()),
                term_words(revision),
            )
        if found.rerank_failed:
            words("p", "重排没有回应，沿用融合顺序。", "problem")
        with box("div", "tokens"):
            words("span", "切词", "tokens-name")
            for token in found.tokens:
                words("span", token, "token")
        times = found.timings
        facts(
            f"门槛 {threshold:.2f}",
            f"向量化 {times.embed_ms:.0f} ms",
            f"查索引 {times.search_ms:.0f} ms",
            f"排序 {times.rank_ms:.0f} ms",
        )


def draw_candidates(rows: Sequence[Row], day: date) -> None:
    with box("ol", "cards", start=rows[0].rank if rows else 1):
        for row in rows:
            _candidate(row, day)


def _candidate(row: Row, day: date) -> None:
    item = row.candidate
    with box("li", "card candidate" if item.cut is None else "card candidate candidate-cut"):
        with box("div", "candidate-head"):
            words("span", str(row.rank), "rank", aria_hidden="true")
            with box("div", "candidate-name"):
                words("h3", item.document_name, "card-title")
                _whereabouts(row, day)
            _verdict(item)
        _scores(item)
        if item.matched:
            with box("div", "tokens"):
                words("span", "命中", "tokens-name")
                for token in item.matched:
                    words("span", token, "token token-hit")
        with box("div", "candidate-foot"):
            if row.chunk is not None:
                _text(row.chunk, item.matched)
            if row.revision is not None:
                address = source_address(item.document_id, item.revision_id, item.chunk_id)
                link("在原文中查看", address, aria_label=f"在原文中查看：{item.document_name}")


def _whereabouts(row: Row, day: date) -> None:
    heading = " › ".join(row.chunk.heading_path) if row.chunk else ""
    place = place_words(row.chunk.anchors[0]) if row.chunk and row.chunk.anchors else ""
    revision = row.revision
    label = revision.label if revision else ""
    stands = ""
    if revision is not None and standing_of(revision, day) is not Standing.IN_FORCE:
        stands = f"{standing_words(revision, day, date.today())}，{term_words(revision)}".rstrip("，")
    facts(heading, place, label, stands)


def _verdict(item: Candidate) -> None:
    if item.cut is None:
        tag("取用", "active")
        return
    near = item.cut in (Cut.THRESHOLD, Cut.NOT_IN_FORCE, Cut.OTHER_PROVISION)
    tag(cut_words(item.cut, item.filter), "draft" if near else "")


def _scores(item: Candidate) -> None:
    with box("dl", "scores"):
        for name, value in (
            ("置信度", item.score),
            ("关键词", item.keyword_score),
            ("向量", item.vector_score),
        ):
            with box("div", "score"):
                words("dt", name)
                words("dd", f"{value:.2f}", "number")
                with box("div", "bar", aria_hidden="true") as bar:
                    box("div").style(f"width: {min(1.0, max(0.0, value)):.0%}")
                bar.classes("bar-main" if name == "置信度" else "")


def _text(chunk: Chunk, matched: Sequence[str]) -> None:
    with box("details", "passage"):
        words("summary", "查看文字")
        if chunk.context:
            words("p", chunk.context, "passage-context")
        with box("p", "passage-text"):
            for part, hit in pieces(chunk.text, matched):
                words("mark" if hit else "span", part)


def pieces(text: str, matched: Sequence[str]) -> list[tuple[str, bool]]:
    """The text cut up so that the matched words stand alone; joined it is the text again."""
    longest_first = sorted({word for word in matched if word}, key=lambda word: (-len(word), word))
    if not longest_first:
        return [(text, False)] if text else []
    parts = re.split(f"({'|'.join(map(re.escape, longest_first))})", text, flags=re.IGNORECASE)
    return [(part, n % 2 == 1) for n, part in enumerate(parts) if part]
