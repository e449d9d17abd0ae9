"""`zhixing eval intent`: which path a message is for, read offline by the cue words."""

from pathlib import Path
from typing import Annotated

import typer

from rules.loader import load
from service.assembly import INTENTS, words_file
from service.bootstrap import embedder_factory
from service.cli.printing import friendly_errors, print_report
from service.config import ASSETS, Settings
from service.errors import BadRequest
from service.evaluation.intent import IntentRow, evaluate_intent
from service.evaluation.rows import read_rows
from service.intent.cues import ProcessWords, load_cues
from service.intent.model import load_model
from service.intent.processes import process_words
from service.intent.reader import IntentReader

SAMPLES = ASSETS / "data" / "processes"


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
        reader = IntentReader(cues, _words(tables or [SAMPLES]))
        small = load_model(ASSETS / "data" / "intent", embedder_factory(Settings())())
        print_report(evaluate_intent(read_rows(rows, IntentRow), reader, small), as_json)


def _words(sources: list[Path]) -> list[ProcessWords]:
    """Raises BadRequest for a workbook that cannot serve."""
    found = []
    for source in sources:
        for book in sorted(source.glob("*.xlsx")) if source.is_dir() else [source]:
            process = load(book).process
            if process is None:
                raise BadRequest(f"流程工作簿 {book.name} 读不成流程，请先用 zhixing process check 查看")
            found.append(process_words(process))
    return found
