"""`zhixing eval amounts` and `values`: what is read of the money, numbers and days that people write."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.printing import friendly_errors, print_report
from service.evaluation.amounts import AmountRow, evaluate_amounts
from service.evaluation.rows import read_rows
from service.evaluation.values import ValueRow, evaluate_values

AsJson = Annotated[bool, typer.Option("--json", help="输出 JSON")]


def register(evaluation: typer.Typer) -> None:
    evaluation.command()(amounts)
    evaluation.command()(values)


def amounts(
    rows: Annotated[
        Path,
        typer.Option("--input", exists=True, dir_okay=False, help="text、op、value 或 low 与 high 的 JSONL"),
    ],
    as_json: AsJson = False,
) -> None:
    """金额说法：读对、拒读、读错各多少，旁列「一概拒读」。"""
    with friendly_errors():
        print_report(evaluate_amounts(read_rows(rows, AmountRow)), as_json)


def values(
    rows: Annotated[
        Path,
        typer.Option("--input", exists=True, dir_okay=False, help="source、kind、text、gold 的 JSONL"),
    ],
    as_json: AsJson = False,
) -> None:
    """金额、数字与日期：与三个开源库的标准逐类比较，按来源分列。"""
    with friendly_errors():
        print_report(evaluate_values(read_rows(rows, ValueRow)), as_json)
