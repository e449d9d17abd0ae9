"""`zhixing eval intent`: which path a message is for, read offline."""

from pathlib import Path
from typing import Annotated

import typer

from service.assembly import INTENT_MODEL, INTENTS, words_file
from service.cli.printing import friendly_errors, print_report
from service.config import Settings
from service.evaluation.intent import IntentRow, evaluate_intent
from service.evaluation.intent_words import SAMPLES, words_of
from service.evaluation.rows import read_rows
from service.intent.cues import load_cues
from service.intent.reader import IntentReader
from service.intent.weighing import load_model


def register(evaluation: typer.Typer) -> None:
    evaluation.command()(intent)


def intent(
    rows: Annotated[
        Path,
        typer.Option(
            "--input", exists=True, dir_okay=False, help="text、intent（unclear 时加 either）的 JSONL"
        ),
    ],
    tables: Annotated[
        list[Path] | None,
        typer.Option("--tables", exists=True, help="流程工作簿或其目录，可重复；缺省为样例流程"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """意图：知识、流程、纪要、进度、其他认对多少，说不准的给没给出选择，旁列「一概说最多的一类」。"""
    with friendly_errors():
        cues = load_cues(words_file(Settings(), INTENTS))
        reader = IntentReader(cues, words_of(tables or [SAMPLES]), load_model(INTENT_MODEL))
        print_report(evaluate_intent(read_rows(rows, IntentRow), reader), as_json)
