"""`zhixing eval segmentation`: where the offline detector begins topics."""

from pathlib import Path
from typing import Annotated

import typer

from ingestion.minutes.detector import load_detector
from ingestion.segmenter import Segmenter
from service.cli.printing import friendly_errors, print_report
from service.evaluation.rows import read_rows
from service.evaluation.segmentation import SegmentationRow, evaluate_segmentation
from service.newsroom import MINUTES_MODEL


def register(evaluation: typer.Typer) -> None:
    evaluation.command()(segmentation)


def segmentation(
    files: Annotated[
        list[Path],
        typer.Option(
            "--input",
            exists=True,
            dir_okay=False,
            help="paragraphs（text，可有 speaker）、boundaries 的 JSONL，可重复",
        ),
    ],
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """议题切分：离线检测的 Pk、WindowDiff、边界 F1，旁列不切、处处切与等分；完整性与速度。"""
    with friendly_errors():
        rows = [row for path in files for row in read_rows(path, SegmentationRow)]
        print_report(evaluate_segmentation(rows, load_detector(MINUTES_MODEL, Segmenter())), as_json)
