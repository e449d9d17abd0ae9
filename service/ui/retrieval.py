"""The retrieval page: what is found for a question, both legs' scores, and why each candidate was cut."""

from datetime import date
from typing import Any

from nicegui import ui

from service.access import Principal, Role
from service.bootstrap import Parts
from service.retrieval.protocols import Question
from service.retrieval.results import Cut, Retrieval
from service.ui.console import frame, in_thread, signed_in

CUTS = {
    Cut.FILTER: "不符合筛选条件",
    Cut.NOT_IN_FORCE: "当日不在有效期",
    Cut.POOL: "排在候选范围之外",
    Cut.DUPLICATE: "与更靠前的内容重复",
    Cut.THRESHOLD: "置信度低于门槛",
    Cut.TOP_K: "超出取用条数",
    Cut.OTHER_PROVISION: "问的是另一条规定",
}
REASONS = {
    "nothing_found": "没有找到任何候选",
    "below_threshold": "有候选，但置信度都低于门槛",
    "only_superseded": "只有已被替代的版本有答案",
    "not_yet_in_force": "有答案的版本尚未施行",
    "repealed": "有答案的文件已废止",
    "conflicting_sources": "现行文件之间说法不一",
    "ambiguous": "问题有多种理解",
}
COLUMNS = (
    ("rank", "#"),
    ("verdict", "结论"),
    ("score", "置信度"),
    ("keyword", "关键词"),
    ("vector", "向量"),
    ("document", "文档"),
    ("place", "位置"),
    ("matched", "命中的词"),
)


def register(parts: Parts) -> None:
    @ui.page("/retrieval")
    def retrieval_page() -> None:
        principal = signed_in(parts, Role.CONTRIBUTOR)
        if principal is not None:
            with frame("检索"):
                _RetrievalView(parts, principal).show()


class _RetrievalView:
    def __init__(self, parts: Parts, principal: Principal) -> None:
        self._parts = parts
        self._principal = principal

    def show(self) -> None:
        ui.label("「为什么没找到」先看这里：两路得分、门槛和每条候选落选的原因。").classes("text-grey-8")
        with ui.row().classes("w-full items-center gap-3"):
            self._query = ui.input("问题或检索词").props("outlined autofocus clearable").classes("grow")
            self._day = ui.input("按哪天有效的版本", value=date.today().isoformat()).props(
                "outlined type=date"
            )
            ui.button("检索", icon="search", on_click=self._search).props("unelevated size=lg no-caps")
        self._query.on("keydown.enter", self._search)
        self._results = ui.column().classes("w-full gap-3")

    async def _search(self) -> None:
        text = (self._query.value or "").strip()
        if not text:
            ui.notify("请输入问题或检索词")
            return
        found = await in_thread(
            self._parts.retriever.retrieve,
            Question(text),
            self._principal.scopes(),
            day=date.fromisoformat(self._day.value) if self._day.value else date.today(),
            top_k=self._parts.settings.top_k,
            threshold=self._parts.settings.score_threshold,
            explain=True,
        )
        rows = await in_thread(self._rows, found)
        self._results.clear()
        with self._results:
            self._summary(found)
            columns: list[dict[str, Any]] = [
                {"name": key, "label": name, "field": key, "align": "left"} for key, name in COLUMNS
            ]
            table = ui.table(columns=columns, rows=rows, row_key="id", pagination=20)
            table.props("flat bordered wrap-cells").classes("w-full")

    def _summary(self, found: Retrieval) -> None:
        times = found.timings
        verdict = REASONS[found.reason.value] if found.reason else f"取用 {len(found.evidence)} 条"
        with ui.row().classes("w-full items-center gap-4"):
            ui.badge(verdict, color="warning" if found.reason else "positive").classes("text-sm")
            ui.label(
                f"门槛 {self._parts.settings.score_threshold}；向量化 {times.embed_ms:.0f} ms，"
                f"查索引 {times.search_ms:.0f} ms，排序 {times.rank_ms:.0f} ms"
            ).classes("text-sm text-grey-8")
        with ui.row().classes("gap-1 items-center"):
            ui.label("切词：").classes("text-sm text-grey-8")
            for token in found.tokens:
                ui.badge(token, color="grey-3", text_color="grey-9")
        if found.rerank_failed:
            ui.label("重排没有回应，沿用融合顺序。").classes("text-sm text-warning")

    def _rows(self, found: Retrieval) -> list[dict[str, str | int]]:
        chunks = self._parts.documents.chunks(self._principal, [c.chunk_id for c in found.candidates])
        rows: list[dict[str, str | int]] = []
        for rank, item in enumerate(found.candidates, 1):
            chunk = chunks.get(item.chunk_id)
            rows.append(
                {
                    "id": f"{rank} {item.chunk_id}",
                    "rank": rank,
                    "verdict": CUTS[item.cut] if item.cut else "取用",
                    "score": f"{item.score:.2f}",
                    "keyword": f"{item.keyword_score:.2f}",
                    "vector": f"{item.vector_score:.2f}",
                    "document": item.document_name,
                    "place": " › ".join(chunk.heading_path[-2:]) if chunk else "",
                    "matched": "、".join(item.matched[:8]),
                }
            )
        return rows
