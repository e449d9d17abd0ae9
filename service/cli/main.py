"""The `zhixing` command: its groups, and the settings they share."""

import sys
from typing import Annotated

import typer
from pydantic import ValidationError

from service import __version__, logs
from service.cli import asking, benchmarking, evaluating, keys, library, serving, stocktaking
from service.cli.printing import WRONG_USE, err

app = typer.Typer(
    name="zhixing",
    help="知行：旧文档给出有出处的回答，旧流程给出走得通的下一步。",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _settings(
    version: Annotated[bool, typer.Option("--version", help="显示版本")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="显示详细日志")] = False,
) -> None:
    logs.configure("INFO" if verbose else "ERROR")
    if version:
        typer.echo(__version__)
        raise typer.Exit


serving.register(app)
library.register(app)
stocktaking.register(app)
asking.register(app)
keys.register(app)
evaluating.register(app)
benchmarking.register(app)


def main() -> None:
    try:
        app()
    except ValidationError as error:
        for problem in error.errors():
            where = ".".join(str(part) for part in problem["loc"])
            err.print(f"[red]设置有误[/red] {where} {problem['msg']}", soft_wrap=True)
        sys.exit(WRONG_USE)
