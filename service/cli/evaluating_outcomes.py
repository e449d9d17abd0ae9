"""`zhixing eval outcomes`: decisions and open items found in written minutes."""

from pathlib import Path
from typing import Annotated

import typer

from ingestion.minutes.outcomes import load_outcomes
from service.cli.printing import friendly_errors, print_report
from service.evaluation.outcomes import RecordRow, evaluate_outcomes
from service.evaluation.rows import read_rows
from service.newsroom import MINUTES_MODEL


def register(evaluation: typer.Typer) -> None:
    evaluation.command()(outcomes)


def outcomes(
    files: Annotated[
        list[Path],
        typer.Option(
            "--input",
            exists=True,
            dir_okay=False,
            help="raw（纪要的 Markdown）、topics（decisions、open_items）的 JSONL，可重复",
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """纪要里的决定与遗留问题：准确率、召回率、F1，旁列「每个编号行都算」的做法。"""
    with friendly_errors():
        rows = [row for path in files for row in read_rows(path, RecordRow)]
        print_report(evaluate_outcomes(rows, load_outcomes(MINUTES_MODEL)), as_json)
