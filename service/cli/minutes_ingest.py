"""`zhixing minutes ingest`: records of meetings into the archive, with a line on each in the report."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Annotated, Any

import typer
from pydantic import BaseModel
from rich.table import Table

from ingestion.documents import READABLE, FileState, Kind
from service.cli.importing import all_files, broke_off, source_name, without_files
from service.cli.printing import FAILED_ITEMS, complain, friendly_errors, out, print_json, progress
from service.cli.running import Client, connected
from service.config import Settings
from service.intake import MEETING
from service.store.meetings import FIGURES, MeetingFigures
from service.wording import STATES, engine_words


class FileLine(BaseModel):
    """What became of one file; without `figures` where it is no meeting of the archive."""

    file: str
    source: str
    state: str
    reason: str | None
    message: str
    document_id: str | None
    figures: MeetingFigures | None


class Density(BaseModel):
    """Segments per 10,000 characters over all meetings."""

    min: float
    median: float
    max: float


class Report(BaseModel):
    files: int
    meetings: int
    unchanged: int
    failed: int
    skipped: int
    paragraphs: int
    characters: int
    difference: int
    segments: int
    segments_per_10k_chars: Density | None


def ingest(
    paths: Annotated[list[Path], typer.Argument(exists=True, help="会议记录，或装着它们的文件夹")],
    knowledge_base: Annotated[str, typer.Option("--kb", help="知识库名称；缺省 minutes")] = "",
    label: Annotated[list[str] | None, typer.Option(help="可见范围标签，可多次；缺省 public")] = None,
    owner: Annotated[str, typer.Option(help="责任部门")] = "",
    password: Annotated[str | None, typer.Option(help="加密文件的密码")] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="重试以前失败的文件")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """把会议记录收进档案：没变的跳过，读不了的说明原因；中断后重跑同一命令即可继续。"""
    body = {
        "paths": [str(path.resolve()) for path in paths],
        "kind": Kind.MINUTES.value,
        "knowledge_base": knowledge_base,
        "labels": label or None,
        "owner": owner,
        "password": password,
        "retry_failed": retry_failed,
    }
    with friendly_errors(), connected(Settings()) as client:
        failed = _import(client, body, as_json=as_json)
    if failed:
        raise typer.Exit(FAILED_ITEMS)


def _import(client: Client, body: Mapping[str, object], *, as_json: bool) -> bool:
    """Whether anything was not taken in."""
    started = client.post("/api/v1/local/imports", body)
    with progress("入库", quiet=as_json) as on_change:
        task = client.follow_task(started["task_id"], on_change)
    lines = sorted((_line(item) for item in all_files(client, task)), key=lambda line: line.source)
    report = _report(task, lines, len(started["skipped"]))
    if as_json:
        print_json(
            {
                "task": without_files(task),
                "files": [line.model_dump(mode="json") for line in lines],
                "skipped": started["skipped"],
                "report": report.model_dump(mode="json"),
            }
        )
    else:
        _print(lines, started["skipped"], report)
        if broke_off(task):
            complain("没有做完", task["message"])
    return bool(report.failed) or broke_off(task)


def _line(item: Any) -> FileLine:
    figures = item["report"].get(MEETING)
    return FileLine(
        file=item["file_name"],
        source=item["source_uri"],
        state=item["state"],
        reason=item["reason"],
        message=item["message"],
        document_id=item["document_id"],
        figures=FIGURES.validate_python(figures) if figures and item["state"] in READABLE else None,
    )


def _report(task: Any, lines: Sequence[FileLine], skipped: int) -> Report:
    """A meeting counts once, however many files hold its record."""
    met = {line.document_id: line.figures for line in lines if line.figures is not None}
    figures = list(met.values())
    dense = [each.segments_per_10k_chars for each in figures]
    return Report(
        files=task["total"],
        meetings=len(figures),
        unchanged=task["unchanged"],
        failed=task["failed"],
        skipped=skipped,
        paragraphs=sum(each.paragraphs for each in figures),
        characters=sum(each.characters for each in figures),
        difference=sum(abs(each.difference) for each in figures),
        segments=sum(each.segments for each in figures),
        segments_per_10k_chars=Density(min=min(dense), median=round(median(dense), 2), max=max(dense))
        if dense
        else None,
    )


def _print(lines: Sequence[FileLine], skipped: Sequence[Any], report: Report) -> None:
    table = Table("文件", "状态", "段落", "字符", "差", "议题", "轮", "引擎", "秒", box=None)
    for line in lines:
        table.add_row(line.file, STATES[FileState(line.state)], *_cells(line.figures))
    out.print(table)
    for line in lines:
        remarks = (line.message, *(line.figures.findings if line.figures else ()))
        if said := "；".join(remark for remark in remarks if remark):
            out.print(f"{line.file}：{said}", soft_wrap=True)
    for one in skipped:
        out.print(f"跳过 {source_name(one['source'])}：{one['reason']}", soft_wrap=True)
    out.print(
        f"共 {report.files} 个文件：{report.meetings} 场会议，未变跳过 {report.unchanged} 个，"
        f"未入库 {report.failed} 个"
    )
    chars = f"字符 {report.characters}，差 {report.difference}"
    out.print(f"段落 {report.paragraphs}，{chars}，议题段 {report.segments}")
    if dense := report.segments_per_10k_chars:
        out.print(f"每万字议题段：最少 {dense.min}，中位 {dense.median}，最多 {dense.max}")


def _cells(found: MeetingFigures | None) -> tuple[str, ...]:
    if found is None:
        return ()
    counts = (found.paragraphs, found.characters, found.difference, found.segments, found.rounds)
    return (*map(str, counts), engine_words(found.engine), f"{found.seconds:.1f}")
