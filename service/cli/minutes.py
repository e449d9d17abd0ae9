"""`zhixing minutes`: cut a meeting's record into topics, fill the archive, ask it."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated

import typer

from ingestion.minutes.agent import RunLog
from ingestion.minutes.chunks import canonical
from ingestion.minutes.formats import read
from ingestion.minutes.meeting import Newsroom, cut
from ingestion.terms import load_terms
from service.cli import minutes_asking, minutes_ingest
from service.cli.printing import friendly_errors, print_json
from service.config import Settings
from service.meetings import shown
from service.newsroom import minutes_model, newsroom
from service.store.meetings import recorded

app = typer.Typer(help="会议纪要：切成议题，一段不少。", no_args_is_help=True)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="minutes")


app.command()(minutes_ingest.ingest)
app.command()(minutes_asking.ask)


@app.command()
def segment(
    path: Annotated[
        Path, typer.Argument(exists=True, dir_okay=False, help="会议记录：txt、md、docx、vtt、srt、json")
    ],
    offline: Annotated[bool, typer.Option("--offline", help="配置了大模型也不用它")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="总是 JSON；写上也可以")] = False,
) -> None:
    """把一份会议记录切成议题段：结果是 JSON，运行日志在标准错误。"""
    with friendly_errors(), _newsroom(Settings(), offline=offline) as staff:
        meeting = cut(read(path.name, path.read_bytes()), staff, _Told())
        parsed = canonical(meeting.segmentation.transcript)
        print_json(shown(recorded(meeting, parsed), parsed.text).model_dump(mode="json"))


class _Told(RunLog):
    """A run log that people watch."""

    def add(self, name: str, message: str) -> None:
        super().add(name, message)
        sys.stderr.write(f"{self.lines[-1]}\n")


@contextmanager
def _newsroom(settings: Settings, *, offline: bool) -> Iterator[Newsroom]:
    terms = load_terms(settings.terms)
    with minutes_model(settings) if not offline else nullcontext() as model:
        yield newsroom(settings, terms, model)
