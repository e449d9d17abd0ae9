"""`zhixing minutes ask`: what was said, quoted, or that nobody said it."""

from datetime import datetime
from typing import Annotated, Any

import typer

from service.cli.printing import friendly_errors, out, print_json
from service.cli.running import connected
from service.config import Settings
from service.wording import engine_words


def ask(
    question: Annotated[str, typer.Argument(help="问题，例如：张总对自研的看法有变化吗")],
    speaker: Annotated[str, typer.Option("--speaker", help="只用此人的原话：姓名或称呼")] = "",
    first: Annotated[datetime | None, typer.Option("--from", formats=["%Y-%m-%d"], help="会议从哪天")] = None,
    last: Annotated[datetime | None, typer.Option("--to", formats=["%Y-%m-%d"], help="会议到哪天")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """问会议纪要：原话，带发言人、会议和日期；没有人说过的，如实说没有。"""
    body = {
        "question": question,
        "speaker": speaker,
        "from": first.date().isoformat() if first else None,
        "to": last.date().isoformat() if last else None,
    }
    with friendly_errors(), connected(Settings()) as client:
        answer = client.post("/api/v1/minutes/ask", body)
    if as_json:
        print_json(answer)
        return
    _print(answer)


def _print(answer: Any) -> None:
    understood = answer["understood"]
    narrowed = [*understood["persons"], understood["period"]]
    if any(narrowed):
        out.print(f"只看：{'、'.join(part for part in narrowed if part)}", style="dim", soft_wrap=True)
    out.print(answer["answer"], soft_wrap=True)
    if answer["refusal"]:
        for source in answer["refusal"]["nearest"]:
            place = " > ".join(source["heading_path"])
            out.print(f"  最接近（没有采用）：{source['document_name']} {place}", style="dim", soft_wrap=True)
            out.print(f"    「{source['snippet']}」", style="dim", soft_wrap=True)
    out.print(f"\n引擎：{engine_words(answer['engine'])}", style="dim")
