"""How commands print: people get text on stdout, programs get one JSON object, logs go to stderr.

No markup and no emoji codes anywhere: file names, questions and documents hold brackets and colons of their
own, and are printed as they are. What is to stand out is printed with a style.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from ingestion.errors import IngestionError
from service.errors import ZhixingError

out = Console(highlight=False, markup=False, emoji=False)
err = Console(stderr=True, highlight=False, markup=False, emoji=False)

FAILED_ITEMS = 1
WRONG_USE = 2


def print_json(value: Any) -> None:
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2, default=str))


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
        complain("错误", f"{error.filename}：{error.strerror}" if error.filename else str(error))
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
