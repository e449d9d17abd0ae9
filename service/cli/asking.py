"""Commands that ask: `zhixing ask` for an answer, `zhixing retrieve` for what was found and why."""

from datetime import datetime
from typing import Annotated, Any

import typer
from rich.table import Table

from service.cli.printing import friendly_errors, out, print_json
from service.cli.running import connected
from service.config import Settings


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
        out.print("\n参考来源", style="bold")
    for citation in answer["citations"]:
        place = " > ".join(citation["heading_path"])
        out.print(f"[{citation['n']}] {citation['document_name']} {place}", soft_wrap=True)
        out.print(f"    「{citation['quote']}」", soft_wrap=True)
    out.print(f"\n引擎：{answer['engine']}", style="dim")


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
    else:
        _print_retrieval(found, explain)


def _print_retrieval(found: Any, explain: bool) -> None:
    rows = found["candidates"] if explain else found["evidence"]
    table = Table("#", "置信度", "关键词", "向量", "文档", "位置", "说明", box=None)
    for row in rows:
        table.add_row(
            str(row["rank"]),
            f"{row['score']:.2f}",
            f"{row['keyword_score']:.2f}",
            f"{row['vector_score']:.2f}",
            row["document_name"],
            " > ".join(row["heading_path"][-2:]),
            row.get("cut") or "采用",
        )
    out.print(table)
    if not rows:
        out.print("没有候选")
