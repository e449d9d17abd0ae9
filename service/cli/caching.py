"""`zhixing cache …`: answers kept to be given again."""

from typing import Annotated

import typer

from service.cli.printing import friendly_errors, out, print_json
from service.cli.running import connected
from service.config import Settings

app = typer.Typer(name="cache", help="答案缓存：预热与清空。", no_args_is_help=True)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app)


@app.command()
def warm(
    limit: Annotated[int, typer.Option(min=1, max=1_000, help="最常问的多少个问题")] = 50,
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """把最常问的问题先答好，按所有人可见的资料。"""
    with friendly_errors(), connected(Settings()) as client:
        found = client.post("/api/v1/local/cache/warm", {"limit": limit})
    if as_json:
        print_json(found)
    else:
        out.print(f"问了 {found['asked']} 个常问的问题，答好 {found['answered']} 个。")


@app.command()
def clear(as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False) -> None:
    """清空缓存的答案；平时用不着，资料有变它们自己失效。"""
    with friendly_errors(), connected(Settings()) as client:
        found = client.post("/api/v1/local/cache/clear", {})
    if as_json:
        print_json(found)
    else:
        out.print(f"清掉 {found['cleared']} 个答案。")
