"""The `zhixing` command: its commands, each loaded when it is called, and what they share."""

import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from typer.core import TyperGroup

from service import __version__, logs
from service.cli.printing import WRONG_USE, complain

# Where each command lives. Loading all of them takes seconds, most for parts that one call never uses.
COMMANDS = {
    "serve": "serving",
    "ingest": "library",
    "inventory": "stocktaking",
    "parse": "library",
    "ask": "asking",
    "retrieve": "asking",
    "rebuild": "library",
    "process": "processes",
    "minutes": "minutes",
    "keys": "keys",
    "cache": "caching",
    "audit": "auditing",
    "eval": "evaluating",
    "bench": "benchmarking",
}


class LazyCommands(TyperGroup):
    """Imports a command's module when the command is named (or when `--help` lists them all).

    `Any`: the classes around a command come with typer, under names that change between its versions.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"service.cli.{COMMANDS[cmd_name]}")
        holder = typer.Typer()
        module.register(holder)
        return typer.main.get_group(holder).commands[cmd_name]


app = typer.Typer(
    name="zhixing",
    cls=LazyCommands,
    help="知行：旧文档给出有出处的回答，旧流程给出走得通的下一步。",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def _settings(
    version: Annotated[bool, typer.Option("--version", help="显示版本")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="显示详细日志")] = False,
) -> None:
    logs.configure("INFO" if verbose else "ERROR")
    if version:
        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    try:
        app()
    except ValidationError as error:
        for problem in error.errors():
            where = ".".join(str(part) for part in problem["loc"])
            complain("设置有误", f"{where} {problem['msg']}")
        sys.exit(WRONG_USE)
