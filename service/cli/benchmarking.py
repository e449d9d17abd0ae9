"""`zhixing bench`: figures of this machine, printed as a table or as JSON. Never touches the user's index."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from ingestion.analyzer import Analyzer
from ingestion.index.keyword import KeywordEncoder
from ingestion.terms import load_terms
from service.assembly import embedder_factory
from service.cli.printing import err, friendly_errors, out, print_json
from service.config import ASSETS, Settings
from service.evaluation.minutes_speed import bench_minutes
from service.evaluation.reading_speed import bench_reading
from service.evaluation.rules_speed import bench_rules
from service.evaluation.scale import Figures, bench_retrieval
from service.retrieval.calibration import load_calibration

app = typer.Typer(help="测量本机性能，不触碰你的索引。", no_args_is_help=True)


def register(parent: typer.Typer) -> None:
    parent.add_typer(app, name="bench")


@app.command()
def retrieval(
    chunks: Annotated[
        list[int] | None, typer.Option(min=100, help="切片数，按百向上取整，可多次；缺省 10000 与 100000")
    ] = None,
    questions: Annotated[int, typer.Option(min=10, help="每种规模问多少题")] = 200,
    ingest: Annotated[bool, typer.Option("--ingest", help="再测边入库边检索")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """检索各阶段耗时（毫秒），同一次运行里对照 rank_bm25 与逐条余弦。"""
    settings = Settings()
    with friendly_errors():
        embedder = embedder_factory(settings)()
        found = bench_retrieval(
            chunks or [10_000, 100_000],
            KeywordEncoder(Analyzer(load_terms(settings.terms))),
            embedder,
            load_calibration(ASSETS / "data" / "retrieval", embedder.name),
            questions=questions,
            ingest_meanwhile=ingest,
            tell=lambda line: err.print(line, style="dim"),
        )
    _show(found, as_json)


@app.command()
def reading(
    paths: Annotated[list[Path], typer.Argument(exists=True, help="PDF 等文件或文件夹")],
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """入库速度：每核每秒读多少 PDF 页，两核每秒向量化多少切片。"""
    with friendly_errors():
        found = bench_reading(paths, embedder_factory(Settings()), workers=2)
    _show({"reading": found}, as_json)


@app.command()
def rules(
    rows: Annotated[int, typer.Option(min=25, help="决策表行数，按合成的分段取整")] = 1000,
    cases: Annotated[int, typer.Option(min=100, help="评多少个案例")] = 20_000,
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """决策表：每秒算多少组命中、带解释多少次、整表检查几毫秒，同一次运行里对照逐行求值。"""
    _show(bench_rules(rows, cases), as_json)


@app.command()
def minutes(
    meetings: Annotated[int, typer.Option(min=4, help="会议场数")] = 1000,
    chars: Annotated[int, typer.Option(min=200, help="每场约多少字")] = 18_000,
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """会议纪要入库：每秒几场，原样再来一次要多久，内存会不会随场数增长。"""
    with friendly_errors():
        found = bench_minutes(Settings(), meetings, chars, lambda line: err.print(line, style="dim"))
    _show({"minutes": found}, as_json)


def _show(found: dict[str, dict[str, Figures]], as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    for name, stages in found.items():
        table = Table("项目", "数值", title=name, box=None, title_justify="left")
        for stage, figures in stages.items():
            table.add_row(stage, "  ".join(f"{key} {value:.2f}" for key, value in figures.items()))
        out.print(table)
