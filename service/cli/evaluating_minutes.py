"""`zhixing eval minutes`: questions to an archive of minutes."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.printing import friendly_errors, print_report
from service.config import ASSETS, Settings
from service.evaluation.minutes import evaluate_minutes
from service.evaluation.minutes_rows import MinutesRow, archive_of
from service.evaluation.rows import read_rows

SAMPLES = ASSETS / "data" / "minutes"


def register(evaluation: typer.Typer) -> None:
    evaluation.command()(minutes)


def minutes(
    files: Annotated[
        list[Path],
        typer.Option(
            "--input",
            exists=True,
            dir_okay=False,
            help="question、answerable、meetings、quotes、speaker 的 JSONL，可重复；样例的今天是 2026-11-16",
        ),
    ],
    archive: Annotated[
        Path, typer.Option("--archive", exists=True, file_okay=False, help="会议记录的文件夹")
    ] = SAMPLES,
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """问会议纪要：会议找没找到、原话是否一字不差、有没有张冠李戴、没说过的拒答多少，旁列两种笨办法。"""
    with friendly_errors():
        rows = [row for path in files for row in read_rows(path, MinutesRow)]
        with archive_of(archive, Settings()) as parts:
            print_report(evaluate_minutes(rows, parts), as_json)
