"""`zhixing audit`: who did what to which document or key."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer
from rich.table import Table

from service.cli.printing import friendly_errors, out, print_json
from service.cli.recorded import record
from service.store import audit


def register(parent: typer.Typer) -> None:
    parent.command("audit")(show)


def show(
    days: Annotated[int, typer.Option(help="最近多少天", min=1)] = 7,
    limit: Annotated[int, typer.Option(help="最多多少行", min=1)] = 100,
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """审计记录，最新的在前：谁在何时对哪份文档、哪个版本做了什么。"""
    with friendly_errors(), record() as database, database.session() as session:
        lines = audit.since(session, datetime.now(UTC) - timedelta(days=days), limit)
    if as_json:
        print_json(
            [
                {
                    "at": line.at,
                    "principal_id": line.principal_id,
                    "action": line.action,
                    "subject": line.subject,
                    "details": line.details,
                }
                for line in lines
            ]
        )
        return
    table = Table("时间", "谁", "做了什么", "对象", "细节", box=None)
    for line in lines:
        details = "，".join(f"{name}={value}" for name, value in line.details.items())
        when = line.at.astimezone().strftime("%Y-%m-%d %H:%M:%S")
        table.add_row(when, line.principal_id, line.action, line.subject, details)
    out.print(table)
