"""Commands that fill and look after the library: ingest, parse, rebuild."""

from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter

from ingestion.documents import READABLE, Block, FileState, ParseReport
from ingestion.errors import ParseFailure
from ingestion.parsers import registry
from ingestion.parsers.ocr import OCR_SHARE
from ingestion.parsers.sandbox import Limits, Sandbox
from service.cli import importing, sampling
from service.cli.printing import FAILED_ITEMS, err, friendly_errors, out, print_json, progress
from service.cli.reading import FileToParse, parse_file
from service.cli.running import connected
from service.config import Settings
from service.errors import BadRequest
from service.system_errors import told
from service.wording import READINGS, drop_words

_BLOCKS: TypeAdapter[tuple[Block, ...]] = TypeAdapter(tuple[Block, ...])
_REPORT: TypeAdapter[ParseReport] = TypeAdapter(ParseReport)


def register(app: typer.Typer) -> None:
    app.command()(ingest)
    app.command()(parse)
    app.command()(rebuild)


def ingest(
    paths: Annotated[list[Path], typer.Argument(exists=True, help="文件或文件夹")],
    knowledge_base: Annotated[str, typer.Option("--kb", help="知识库名称")] = "default",
    label: Annotated[list[str] | None, typer.Option(help="可见范围标签，可多次；缺省 public")] = None,
    owner: Annotated[str, typer.Option(help="责任部门")] = "",
    business_line: Annotated[str, typer.Option(help="业务线")] = "",
    password: Annotated[str | None, typer.Option(help="加密文件的密码")] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="重试以前失败的文件")] = False,
    follow: Annotated[
        bool, typer.Option("--follow", help="文件夹里改名、移动、删除了的文件，其文档也随之改变")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="同 --follow，并一直守着这些文件夹，直到按 Ctrl+C")
    ] = False,
    sample: Annotated[int, typer.Option(min=0, help="只试读每类文件中的几份，不发布")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """把文件收进知识库：没变的跳过，读不了的说明原因；中断后重跑同一命令即可继续。"""
    if sample:
        with friendly_errors():
            sampling.sample(paths, sample, password, as_json)
        return
    body = {
        "paths": [str(path.resolve()) for path in paths],
        "knowledge_base": knowledge_base,
        "labels": label or None,
        "owner": owner,
        "business_line": business_line,
        "password": password,
        "retry_failed": retry_failed,
        "follow": follow or watch,
    }
    with friendly_errors(), connected(Settings()) as client:
        failed = importing.import_once(client, body, as_json=as_json)
        if watch:
            importing.import_on_change(client, body, paths, as_json=as_json)
    if failed:
        raise typer.Exit(FAILED_ITEMS)


def parse(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="要解析的文件")],
    password: Annotated[str | None, typer.Option(help="加密文件的密码")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """只解析一个文件，看读出了什么、丢弃了什么；不入库。"""
    settings = Settings()
    with friendly_errors():
        data = _read(file)
    sandbox = Sandbox(parse_file, Limits(settings.parse_timeout_s, settings.parse_memory_mb))
    try:
        parsed = sandbox.run(FileToParse(data, file.name, password, OCR_SHARE * settings.parse_timeout_s))
    except ParseFailure as failure:
        parsed = registry.failed(failure)
    finally:
        sandbox.close()
    readable = parsed.state in READABLE
    if as_json:
        blocks = _BLOCKS.dump_python(parsed.blocks, mode="json", exclude_defaults=True)
        shown = [
            {"kind": b["kind"], "level": b.get("level", 0), "text": b["text"], "anchor": b.get("anchor", {})}
            for b in blocks
        ]
        reason = parsed.reason.value if parsed.reason else None
        print_json(
            {
                "state": parsed.state.value,
                "reason": reason,
                "message": parsed.message,
                "blocks": shown,
                "report": _REPORT.dump_python(parsed.report, mode="json"),
            }
        )
    else:
        for block in parsed.blocks:
            mark = "#" * block.level + " " if block.level else ""
            out.print(f"{mark}{block.text}", soft_wrap=True)
        _print_report(parsed.state, parsed.message, parsed.report)
    if not readable:
        raise typer.Exit(FAILED_ITEMS)


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise BadRequest(f"文件无法读取：{file}（{told(error)}）") from error


def rebuild(as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False) -> None:
    """用数据库和原件重建索引；换了向量模型或索引损坏时使用。"""
    with friendly_errors(), connected(Settings(), reset_index=True) as client:
        started = client.post("/api/v1/index/rebuild", {})
        with progress("重建", quiet=as_json) as on_change:
            task = client.follow_task(started["task_id"], on_change)
    if as_json:
        print_json(task)
    else:
        out.print(task["message"])
    if task["state"] != "done":
        raise typer.Exit(FAILED_ITEMS)


def _print_report(state: FileState, message: str, report: ParseReport) -> None:
    err.print(f"\n读取：{READINGS[state]} {message}", soft_wrap=True)
    err.print(f"字符：读入 {report.chars_in}，保留 {report.chars_kept}")
    for dropped in report.dropped:
        err.print(f"  丢弃 {drop_words(dropped.reason)}：{dropped.chars} 字，例：{dropped.sample}")
    for finding in report.findings:
        err.print(f"  提示：{finding}")
