"""`zhixing process`: begin a workbook, check it, put a case to it, publish it, see what is published."""

import json
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from rules.findings import FindingJson, Severity, finding_json
from rules.sheets.starter import starter_workbook
from rules.table import Process
from service.cli.printing import (
    FAILED_ITEMS,
    complain,
    err,
    friendly_errors,
    out,
    print_json,
)
from service.cli.process_chat import chat
from service.cli.running import connected
from service.config import Settings
from service.errors import BadRequest
from service.process.checking import Checked, checked
from service.process.evaluating import evaluated, evaluation_json, read_facts
from service.process.offered import FORMS, bundled, offered_path

app = typer.Typer(help="流程：起草、检查、试算、发布流程表。", no_args_is_help=True)

SEVERITIES = {
    Severity.ERROR: ("错误", "red"),
    Severity.WARNING: ("警告", "yellow"),
    Severity.INFO: ("提示", ""),
}

AsJson = Annotated[bool, typer.Option("--json", help="输出 JSON")]
Workbook = Annotated[Path, typer.Argument(exists=True, help="流程表：.xlsx，或装着各工作表 CSV 的文件夹")]
Day = Annotated[datetime | None, typer.Option(formats=["%Y-%m-%d"], help="按这一天有效的规则")]


def register(parent: typer.Typer) -> None:
    app.command()(chat)
    parent.add_typer(app, name="process")


@app.command("list")
def list_processes(as_of: Day = None, as_json: AsJson = False) -> None:
    """列出已发布的流程与版本。"""
    wanted = {"as_of": as_of.date().isoformat()} if as_of else {}
    with friendly_errors(), connected(Settings()) as client:
        items = client.get("/api/v1/processes", page_size=200, **wanted)["items"]
    if as_json:
        print_json(items)
        return
    table = Table("编号", "流程", "版本", "施行", "状态", "草稿", box=None)
    for item in items:
        state = "有效" if item["in_force"] else "只有草稿" if item["digest"] is None else "不在有效期"
        table.add_row(
            item["id"],
            item["name"],
            item["version"],
            item["effective_from"] or "",
            state,
            str(item["drafts"] or ""),
        )
    out.print(table if items else "还没有流程；用 zhixing process init 起草，用 zhixing process publish 发布")


@app.command()
def init(
    name: Annotated[str, typer.Argument(help="流程名称")],
    target: Annotated[Path | None, typer.Option("--out", help="存成哪个文件；缺省为 名称.xlsx")] = None,
    as_json: AsJson = False,
) -> None:
    """起草一个流程表：带说明、下拉选项和一个可以照着改的小流程。"""
    with friendly_errors():
        path = target or Path(f"{_file_stem(name)}.xlsx")
        try:
            with path.open("xb") as file:
                file.write(starter_workbook(name))
        except FileExistsError as error:
            raise BadRequest(f"{path} 已经在了，没有覆盖；请换一个名字") from error
    if as_json:
        print_json({"file": str(path), "name": name})
    else:
        out.print(f"已写好 {path}；照着改，然后运行 zhixing process check {path}", soft_wrap=True)


@app.command()
def check(
    files: Annotated[list[Path], typer.Argument(exists=True, help="流程表")], as_json: AsJson = False
) -> None:
    """检查流程表：读不懂的格、空缺、重叠、永远到不了的行、没有通过的用例；不用启动服务。"""
    with friendly_errors():
        found = {str(path): _checked(path) for path in files}
    if as_json:
        told = [_checked_json(name, each) for name, each in found.items()]
        print_json(told[0] if len(told) == 1 else told)
    else:
        for name, each in found.items():
            _print_checked(name, each)
    if not all(each.ok for each in found.values()):
        raise typer.Exit(FAILED_ITEMS)


@app.command()
def evaluate(
    file: Workbook,
    facts: Annotated[str, typer.Option(help='字段与值的 JSON，如 \'{"预算金额": "8万"}\'')],
    as_of: Day = None,
    matrix: Annotated[bool, typer.Option("--matrix", help="列出每一行每个条件的真假")] = False,
    as_json: AsJson = False,
) -> None:
    """用一个流程表试算一件事：哪一行决定、为什么、最接近的行差在哪里；不用启动服务。"""
    day = as_of.date() if as_of else date.today()
    with friendly_errors():
        found = _checked(file)
        if found.process is None:
            _print_checked(str(file), found, to_stderr=True)
            raise typer.Exit(FAILED_ITEMS)
        if not found.ok:
            complain(
                "注意", f"{file} 有 {len(found.errors)} 处错误，以下只是试算；详见 zhixing process check"
            )
        process = found.process
        if not _in_force(process, day):
            complain("注意", f"{day} 不在这个流程的有效期内，以下只是试算")
        told = evaluation_json(evaluated(process, read_facts(process, _facts(facts)), day, matrix=matrix))
    if as_json:
        print_json(told)
    else:
        _print_evaluation(told, matrix=matrix)


@app.command()
def publish(file: Workbook, as_json: AsJson = False) -> None:
    """发布一个流程表，连同旁边 templates 里的模板；有错误就不发布，原来的版本继续有效。"""
    with friendly_errors():
        found = _checked(file)
        if found.process is None or not found.ok:
            _tell_refused(str(file), found, as_json)
            raise typer.Exit(FAILED_ITEMS)
        process = found.process
        name, data = bundled(offered_path(file), [each.template for each in process.materials])
        with connected(Settings()) as client:
            path = f"/api/v1/processes/{process.id}"
            draft = client.upload(f"{path}/drafts", name, data)
            done = client.post(f"{path}/publish", {"draft_id": draft["draft_id"]})
    if as_json:
        print_json(done)
        return
    _print_findings(done["findings"])
    state = "已发布" if done["changed"] else "没有变化，早已发布"
    since = "" if done["serving"] else f"；今天还用不到它，施行日 {process.effective_from or '未写'}"
    out.print(f"{process.name} {process.version}：{state}（{done['digest'][:12]}）{since}")


def _file_stem(name: str) -> str:
    return name.replace("/", "_").replace("\\", "_").strip() or "新流程"


def _checked(path: Path) -> Checked:
    """Forms that are missing are told of only where there is a folder for them."""
    offered = offered_path(path)
    beside = [path / FORMS, path.parent / FORMS] if path.is_dir() else [path.parent / FORMS]
    found = checked(offered.workbook, offered.stem)
    return found.with_forms(offered.forms) if any(folder.is_dir() for folder in beside) else found


def _in_force(process: Process, day: date) -> bool:
    started = process.effective_from is None or process.effective_from <= day
    return started and (process.effective_to is None or day < process.effective_to)


def _facts(text: str) -> dict[str, str]:
    try:
        said = json.loads(text, parse_float=str, parse_int=str)
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"--facts 不是 JSON：{error}") from error
    if not isinstance(said, dict) or not all(isinstance(value, str | bool) for value in said.values()):
        raise BadRequest('--facts 应是一个 JSON 对象，如 {"预算金额": "8万", "是否紧急": "否"}')
    words = {True: "是", False: "否"}
    return {name: words[value] if isinstance(value, bool) else value for name, value in said.items()}


def _checked_json(name: str, found: Checked) -> dict[str, Any]:
    return {"file": name, "ok": found.ok, "findings": [finding_json(each) for each in found.findings]}


def _tell_refused(name: str, found: Checked, as_json: bool) -> None:
    if as_json:
        print_json(_checked_json(name, found))
    else:
        _print_checked(name, found)
    complain("没有发布", f"{name} 有 {len(found.errors)} 处错误，原来的版本继续有效")


def _print_checked(name: str, found: Checked, *, to_stderr: bool = False) -> None:
    console = err if to_stderr else out
    console.print(f"{name}：{'可以发布' if found.ok else f'{len(found.errors)} 处错误'}", style="bold")
    _print_findings([finding_json(each) for each in found.findings], to_stderr=to_stderr)


def _print_findings(findings: list[FindingJson], *, to_stderr: bool = False) -> None:
    console = err if to_stderr else out
    for each in findings:
        word, style = SEVERITIES[Severity(each["severity"])]
        row = f" 第 {each['row']} 行" if each["row"] else ""
        where = " ".join(part for part in (f"{each['sheet']}{row}", each["column"]) if part)
        console.print(
            Text.assemble("  ", (word, style), f" [{where}] {each['message']}{each['mend']}"), soft_wrap=True
        )


def _print_evaluation(told: Any, *, matrix: bool) -> None:
    if told["message"]:
        out.print(told["message"], soft_wrap=True, style="bold")
    card = told["card"]
    if card:
        out.print(f"{card['path']}：{' > '.join(step['name'] for step in card['steps'])}", style="bold")
        for material in card["materials"]:
            out.print(f"  · {material['name']}（{material['required_because']}）", soft_wrap=True)
        out.print(f"  依据：{card['basis']['source']}", soft_wrap=True)
    for table in told["tables"]:
        out.print(f"\n{table['table']}（{table['policy']}）：{'、'.join(table['hits']) or '没有命中'}")
        for row in table["matched"]:
            out.print(f"  ✓ {row['rule']}：{_conditions(row)}", soft_wrap=True)
        for row in table["nearest"]:
            out.print(f"  ✗ {row['rule']}：{_conditions(row)}", soft_wrap=True)
        if matrix:
            _print_matrix(table)


def _conditions(row: Any) -> str:
    return "，".join(f"{each['column']} {each['cell']}" for each in row["conditions"]) or "任意"


def _print_matrix(table: Any) -> None:
    marks = {"true": "✓", "false": "✗", "missing": "?"}
    shown = Table("规则", *table["columns"], box=None)
    for row in table["matrix"]:
        shown.add_row(row["rule"], *(marks[truth] for truth in row["truths"]))
    out.print(shown)
