"""One import through the service with its report, and one after another while a folder changes."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from rich.table import Table
from watchfiles import DefaultFilter, watch

from ingestion.documents import FileState
from service.cli.printing import complain, err, out, print_json, progress
from service.cli.running import Client
from service.errors import ZhixingError
from service.wording import STATES

_QUIET_MS = 2_000  # an office program saves in several steps; what follows within this time is one change


def import_once(client: Client, body: Mapping[str, object], *, as_json: bool) -> int:
    """Import, and print what became of the files; returns how many were not taken in."""
    started = client.post("/api/v1/local/imports", body)
    with progress("入库", quiet=as_json) as on_change:
        task = client.follow_task(started["task_id"], on_change)
    files = all_files(client, task)
    if as_json:
        events = {name: started[name] for name in ("moved", "gone", "returned")}
        print_json({"task": without_files(task), "files": files, **events})
    else:
        _print(started, task, files)
    return int(task["failed"]) or int(broke_off(task))


def without_files(task: Any) -> Any:
    """A task as it is printed beside its files."""
    return {key: value for key, value in task.items() if key != "files"}


def broke_off(task: Any) -> bool:
    """Whether a task ended before its end, for a reason in its message."""
    return task["state"] not in ("done", "done_with_failures")


def import_on_change(
    client: Client, body: Mapping[str, object], paths: Sequence[Path], *, as_json: bool
) -> None:
    """Until interrupted. A folder that cannot be read for a while, like a share that is off, is told of."""
    err.print("正在跟随这些文件夹的变化；按 Ctrl+C 结束。")
    for _changes in watch(*paths, watch_filter=_Documents(), debounce=_QUIET_MS, raise_interrupt=False):
        try:
            import_once(client, body, as_json=as_json)
        except ZhixingError as error:
            err.print(error.message)


class _Documents(DefaultFilter):
    """Hidden files and the lock files of office programs change with every keystroke."""

    def __call__(self, change: Any, path: str) -> bool:
        return super().__call__(change, path) and not Path(path).name.startswith((".", "~$"))


def all_files(client: Client, task: Any) -> list[Any]:
    """What became of every file of a task, as the API tells it."""
    found: list[Any] = []
    page = 1
    while True:
        part = client.get("/api/v1/files", task_id=task["id"], page=page, page_size=200)
        found += part["items"]
        if len(found) >= part["total"] or not part["items"]:
            return found
        page += 1


def _print(started: Any, task: Any, files: list[Any]) -> None:
    for move in started["moved"]:
        out.print(f"改名或移动：{source_name(move['source'])} → {source_name(move['target'])}")
    for source in started["gone"]:
        out.print(f"源文件已不在，文档作废：{source_name(source)}")
    for source in started["returned"]:
        out.print(f"源文件回来了，文档恢复：{source_name(source)}")
    troubled = [item for item in files if item["state"] != "parsed"]
    if troubled:
        table = Table("文件", "状态", "说明", box=None)
        for item in troubled:
            table.add_row(item["file_name"], STATES[FileState(item["state"])], item["message"])
        out.print(table)
    skipped = task["unchanged"]
    handled = task["total"] - skipped
    counts = f"处理 {handled} 个，未变跳过 {skipped} 个，未入库 {task['failed']} 个"
    out.print(f"共 {task['total']} 个文件：{counts}")
    if broke_off(task):
        complain("没有做完", task["message"])


def source_name(source_uri: str) -> str:
    """The last part of a source, as people write it."""
    return unquote(source_uri).rpartition("/")[2]
