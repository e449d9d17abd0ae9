"""`zhixing eval process`: labelled dialogues through the process path, with tables of one's own."""

from datetime import date, datetime
from pathlib import Path
from typing import Annotated

import typer

from ingestion.analyzer import Analyzer
from ingestion.terms import load_terms
from service.assembly import ACTS, words_file
from service.cli.printing import friendly_errors, print_report
from service.config import Settings
from service.evaluation.process import Dialogue, evaluate_process, load_processes
from service.evaluation.rows import read_rows
from service.process.acts import load_acts


def register(evaluation: typer.Typer) -> None:
    evaluation.command()(process)


def process(
    tables: Annotated[
        list[Path],
        typer.Option("--tables", exists=True, file_okay=False, help="流程表所在的文件夹，可重复"),
    ],
    dialogues: Annotated[
        Path, typer.Option("--input", exists=True, dir_okay=False, help="对话 JSONL：profile 与 turns")
    ],
    today: Annotated[
        datetime | None, typer.Option("--date", formats=["%Y-%m-%d"], help="对话发生的日子；缺省今天")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """办事对话：动作、字段、路径、材料各对多少，错卡几张；旁列「只会追问」。"""
    with friendly_errors():
        settings = Settings()
        processes = [each for folder in tables for each in load_processes(folder)]
        acts, analyzer = load_acts(words_file(settings, ACTS)), Analyzer(load_terms(settings.terms))
        day = today.date() if today else date.today()
        rows = read_rows(dialogues, Dialogue)
        print_report(evaluate_process(processes, rows, acts, analyzer, day), as_json)
