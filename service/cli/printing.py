"""How commands print: people get text on stdout, programs get one JSON object, logs go to stderr.

No markup and no emoji codes anywhere: file names, questions and documents hold brackets and colons of their
own, and are printed as they are. What is to stand out is printed with a style.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from ingestion.errors import IngestionError
from service.errors import ZhixingError
from service.system_errors import told

out = Console(highlight=False, markup=False, emoji=False)
err = Console(stderr=True, highlight=False, markup=False, emoji=False)

FAILED_ITEMS = 1
WRONG_USE = 2


def print_json(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


def print_report(report: Mapping[str, JsonValue], as_json: bool) -> None:
    """Figures by name: a program's JSON object, or a table with a line for each."""
    if as_json:
        print_json(report)
        return
    table = Table(show_header=False)
    for name, value in _flat("", report):
        table.add_row(name, str(value))
    out.print(table)


def _flat(prefix: str, value: JsonValue | Mapping[str, JsonValue]) -> Iterator[tuple[str, JsonValue]]:
    if isinstance(value, Mapping):
        for key, below in value.items():
            yield from _flat(f"{prefix}.{key}" if prefix else key, below)
    elif isinstance(value, list):
        for number, below in enumerate(value):
            yield from _flat(f"{prefix}[{number}]", below)
    else:
        yield prefix, value


def complain(kind: str, message: str) -> None:
    """What went wrong, and what to do, in one line on stderr."""
    err.print(Text.assemble((kind, "red"), " ", message), soft_wrap=True)


@contextmanager
def friendly_errors() -> Iterator[None]:
    """A known error ends the command with its message, not with a trace."""
    try:
        yield
    except (ZhixingError, IngestionError) as error:
        complain("错误", error.message)
        raise typer.Exit(WRONG_USE) from error
    except BrokenPipeError:  # whoever read our output has gone: not an error to tell of
        raise
    except OSError as error:
        complain("错误", f"{error.filename}：{told(error)}" if error.filename else str(error))
        raise typer.Exit(WRONG_USE) from error


@contextmanager
def progress(label: str, quiet: bool) -> Iterator[Callable[[Any], None]]:
    """A bar that follows a task's `done` and `total`, with rate and remaining time; nothing when quiet."""
    if quiet:
        yield lambda _task: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=err) as bars:
        bar = bars.add_task(label, total=None, rate="")

        def update(task: Any) -> None:
            speed = bars.tasks[0].speed
            rate = f"{speed:.1f} 个/秒" if speed else ""
            bars.update(bar, total=task["total"] or None, completed=task["done"], rate=rate)

        yield update
