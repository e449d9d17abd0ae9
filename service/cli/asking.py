"""Commands that ask: `zhixing ask` for an answer, `zhixing retrieve` for what was found and why."""

from collections.abc import Sequence
from datetime import date, datetime
from itertools import groupby
from typing import Annotated, Any

import typer
from pydantic import TypeAdapter
from rich.table import Table

from ingestion.documents import Anchor
from service.citations import RefusalReason
from service.cli.printing import friendly_errors, out, print_json
from service.cli.running import connected
from service.config import Settings
from service.retrieval.results import Cut
from service.wording import REFUSALS, cut_words, day_of, engine_words, place_words

SCORES = ("置信度", "关键词", "向量")
NEAREST = {
    RefusalReason.CONFLICTING_SOURCES: "说法不一的资料",
    RefusalReason.AMBIGUOUS: "可能指的资料",
}
_ANCHOR = TypeAdapter(Anchor)


def register(app: typer.Typer) -> None:
    app.command()(ask)
    app.command()(retrieve)


def ask(
    question: Annotated[str, typer.Argument(help="问题")],
    as_of: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="按这一天有效的版本回答")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """问一个问题，得到有出处的回答，或如实的拒答。"""
    body = {"message": question, "stream": False, "as_of": as_of.date().isoformat() if as_of else None}
    with friendly_errors(), connected(Settings()) as client:
        answer = client.post("/api/v1/chat", body)
    if as_json:
        print_json(answer)
        return
    out.print(answer["answer"], soft_wrap=True)
    if answer["citations"]:
        _print_sources("参考来源", answer["citations"], "quote")
    if answer["refusal"] and answer["refusal"]["nearest"]:
        _print_nearest(answer["refusal"])
    out.print(f"\n引擎：{engine_words(answer['engine'])}", style="dim")


def _print_nearest(refusal: Any) -> None:
    """What was seen and not answered from. Sources in conflict are quoted in the message already."""
    reason = RefusalReason(refusal["reason"])
    _print_sources(NEAREST.get(reason, "最接近的资料（没有采用）"), refusal["nearest"], "snippet")


def _print_sources(title: str, sources: Sequence[Any], words: str) -> None:
    """Each place once, with the `words` taken from it below."""
    out.print(f"\n{title}", style="bold")
    for place, group in groupby(sources, key=_source):
        out.print(place, soft_wrap=True)
        for source in group:
            out.print(f"    「{source[words]}」", soft_wrap=True)


def _source(cited: Any) -> str:
    """[1] 差旅费管理办法  2025年修订，2025年1月1日起施行  第 3 页  第六条; of a citation or a reference."""
    starts = date.fromisoformat(cited["effective_from"]) if cited["effective_from"] else None
    since = f"{day_of(starts)}起施行" if starts else ""
    place = place_words(_ANCHOR.validate_python(cited["anchor"])) if "anchor" in cited else ""
    parts = (
        f"[{cited['n']}] {cited['document_name']}",
        "，".join(part for part in (cited["revision"], since) if part),
        place,
        " > ".join(cited["heading_path"]),
    )
    return "  ".join(part for part in parts if part)


def retrieve(
    query: Annotated[str, typer.Argument(help="检索词或问题")],
    top_k: Annotated[int, typer.Option(min=1, max=50, help="取前几条")] = 8,
    explain: Annotated[bool, typer.Option("--explain", help="列出全部候选与落选原因")] = False,
    as_of: Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="按这一天有效的版本")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """只检索不作答：「为什么没找到」先看这里。"""
    body = {
        "query": query,
        "top_k": top_k,
        "explain": explain,
        "as_of": as_of.date().isoformat() if as_of else None,
    }
    with friendly_errors(), connected(Settings()) as client:
        found = client.post("/api/v1/retrieval", body)
    if as_json:
        print_json(found)
    elif explain:
        _print_candidates(found)
    else:
        _print_evidence(found)


def _print_candidates(found: Any) -> None:
    """Every candidate with the words it matched and what took it out."""
    out.print(f"切词：{' '.join(found['tokens'])}", soft_wrap=True)
    table = Table("#", *SCORES, "文档", "位置", "命中", "结果", box=None)
    for row in found["candidates"]:
        fate = cut_words(Cut(row["cut"]) if row["cut"] else None, row["filter"])
        table.add_row(*_scores(row), " ".join(row["matched"]), fate)
    if found["candidates"]:
        out.print(table)
    _print_verdict(found)


def _print_evidence(found: Any) -> None:
    if found["evidence"]:
        table = Table("#", *SCORES, "文档", "位置", box=None)
        for row in found["evidence"]:
            table.add_row(*_scores(row))
        out.print(table)
    _print_verdict(found)
    if found["reason"]:
        out.print("加 --explain 列出看过的候选和各自落选的原因。")


def _scores(row: Any) -> tuple[str, ...]:
    return (
        str(row["rank"]),
        *(f"{row[name]:.2f}" for name in ("score", "keyword_score", "vector_score")),
        row["document_name"],
        " > ".join(row["heading_path"][-2:]),
    )


def _print_verdict(found: Any) -> None:
    if found["rerank_failed"]:
        out.print("重排没有回应，沿用融合顺序。")
    if found["reason"]:
        out.print(f"不作答：{REFUSALS[RefusalReason(found['reason'])]}")
    else:
        out.print(f"取用 {len(found['evidence'])} 条")
