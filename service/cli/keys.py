"""`zhixing keys`: API keys, shown once, revocable."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from rich.table import Table

from service.access import Role
from service.cli.printing import friendly_errors, out, print_json
from service.cli.recorded import record
from service.store.keys import KeyStore

app = typer.Typer(help="管理 API 密钥。", no_args_is_help=True)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="keys")


@contextmanager
def _store() -> Iterator[KeyStore]:
    with record() as database:
        yield KeyStore(database)


@app.command()
def create(
    name: Annotated[str, typer.Argument(help="谁在用这个密钥")],
    role: Annotated[Role, typer.Option(help="角色")] = Role.READER,
    department: Annotated[str, typer.Option(help="部门路径，如 总部/财务部")] = "",
    group: Annotated[list[str] | None, typer.Option(help="所属组，可多次")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """新建密钥；只显示这一次。"""
    with friendly_errors(), _store() as store:
        key_id, key = store.create(name, role, department, tuple(group or ()))
    if as_json:
        print_json({"id": key_id, "key": key})
    else:
        out.print(f"密钥（只显示这一次，请立即保存）：\n{key}", soft_wrap=True)


@app.command("list")
def list_keys(as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False) -> None:
    """列出密钥，不含密钥本身。"""
    with friendly_errors(), _store() as store:
        keys = store.list()
    if as_json:
        print_json(
            [
                {"id": k.id, "name": k.principal.name, "role": k.principal.role, "revoked_at": k.revoked_at}
                for k in keys
            ]
        )
        return
    table = Table("编号", "名称", "角色", "状态", box=None)
    for key in keys:
        table.add_row(key.id, key.principal.name, key.principal.role, "已吊销" if key.revoked_at else "有效")
    out.print(table)


@app.command()
def revoke(
    key_id: Annotated[str, typer.Argument(help="密钥编号")],
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """吊销密钥，立即生效。"""
    with friendly_errors(), _store() as store:
        store.revoke(key_id)
    if as_json:
        print_json({"id": key_id, "revoked": True})
    else:
        out.print("已吊销")
