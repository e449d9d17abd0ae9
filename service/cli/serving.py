"""`zhixing serve`: the service itself, with the samples when asked for."""

import asyncio
from typing import Annotated

import typer

from service import logs
from service.bootstrap import Parts
from service.cli.printing import friendly_errors, out
from service.cli.running import serve as run_service
from service.config import Settings
from service.home import Home
from service.samples import load_all, with_samples


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(
    host: Annotated[str | None, typer.Option(help="监听地址，缺省 127.0.0.1")] = None,
    port: Annotated[int | None, typer.Option(help="监听端口，缺省 8000；0 由系统挑选")] = None,
    samples: Annotated[bool, typer.Option("--samples", help="先载入随包的样例知识、流程与申请")] = False,
) -> None:
    """启动服务：聊天页、管理台与 API。"""
    given = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings = Settings(**given)  # type: ignore[arg-type]
    if samples:
        settings = with_samples(settings)
    logs.configure(settings.log_level, settings.log_format)

    def ready(url: str, parts: Parts) -> None:
        out.print(f"\n知行已启动：{url}    管理台：{url}/app    接口文档：{url}/docs", style="bold")
        questions = parts.suggestions()
        if questions:
            out.print("试试问它：")
            for question in questions:
                out.print(f"  · {question}")
        out.print("按 Ctrl+C 停止。\n")

    with friendly_errors(), Home(settings.home) as home:
        asyncio.run(run_service(settings, home, ready, load_all if samples else None))
