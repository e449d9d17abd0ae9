"""`zhixing process chat`: a case at the terminal, question by question, until the card."""

import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from service.cli.printing import friendly_errors, out, print_json
from service.cli.running import Client, connected
from service.config import Settings

_ENDS = frozenset({"", "退出", "exit", "quit"})


def chat(
    message: Annotated[str | None, typer.Argument(help="想办的事；缺省从键盘或标准输入逐行读")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="每一轮输出一个 JSON 对象")] = False,
) -> None:
    """说想办的事，逐句回答追问，得到步骤卡；空行结束。"""
    with friendly_errors(), connected(Settings()) as client:
        case_id = ""
        for words in _words(message):
            turn = _turn(client, case_id, words)
            case_id = turn["case_id"]
            if as_json:
                print_json(turn)
            else:
                _print(turn)


def _turn(client: Client, case_id: str, words: str) -> Any:
    path = f"/api/v1/process-cases/{case_id}/turns" if case_id else "/api/v1/process-cases"
    return client.post(path, {"message": words})


def _words(first: str | None) -> Iterator[str]:
    """The message of the command line, then lines of the terminal or of what is piped in."""
    if first:
        yield first
    asks = sys.stdin.isatty()
    while True:
        if asks:
            out.print("> ", end="")
        line = sys.stdin.readline()
        if not line or line.strip() in _ENDS:
            return
        yield line.strip()


def _print(turn: Any) -> None:
    out.print(turn["answer"], soft_wrap=True)
    card = turn["card"]
    if card:
        _print_card(card)
    if turn["chips"]:
        out.print("　".join(f"[{chip['label']}]" for chip in turn["chips"]), style="dim", markup=False)
    out.print()


def _print_card(card: Any) -> None:
    out.print(f"\n{card['process']['name']}：{card['path']}", style="bold")
    for place, step in enumerate(card["steps"], 1):
        days = f"，{step['days']} 个工作日" if step["days"] is not None else ""
        out.print(f"  {place}. {step['name']}（{step['role']}{days}）", soft_wrap=True)
    for material in card["materials"]:
        template = f"　模板：{material['template']['name']}" if material["template"] else ""
        out.print(f"  □ {material['name']}{template}", soft_wrap=True)
    basis = card["basis"]
    out.print(f"  依据：{basis['table']} {'、'.join(basis['rows'])}；{basis['source']}", soft_wrap=True)
