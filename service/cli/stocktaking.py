"""`zhixing inventory`: look at a folder before anything is loaded. Reads every file, publishes none."""

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Annotated

import typer
from rich.table import Table

from ingestion import metadata
from ingestion.catalog import Inventory, Sighting, take_stock
from ingestion.documents import FileState, Parsed
from ingestion.errors import ParseFailure
from ingestion.metadata import SelfDescription
from ingestion.parsers import registry
from ingestion.parsers.detect import detect
from ingestion.parsers.sandbox import Limits, Sandbox
from service.bootstrap import workers_of
from service.cli.printing import friendly_errors, out, print_json, progress
from service.config import Settings
from service.intake import Incoming, files_under
from service.wording import READINGS

SHOWN = 10


@dataclass(frozen=True, slots=True)
class Look:
    data: bytes
    file_name: str


@dataclass(frozen=True, slots=True)
class Seen:
    parsed: Parsed
    description: SelfDescription


def look_at(look: Look) -> Seen:
    """Runs in the sandbox."""
    parsed = registry.parse(look.data, look.file_name)
    return Seen(parsed, metadata.describe(look.file_name, parsed))


def register(app: typer.Typer) -> None:
    app.command()(inventory)


def inventory(
    path: Annotated[Path, typer.Argument(exists=True, help="要盘点的文件夹")],
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """盘点：格式、年龄、重复、版本、扫描件、读不了的文件，以及建议先装哪些。"""
    settings = Settings()
    with friendly_errors():
        paths = [item.path for item in files_under([path], Incoming("", "")) if item.path]
        with progress("盘点", quiet=as_json) as on_change:
            seen = []
            for sighting in _sightings(paths, settings):
                seen.append(sighting)
                on_change({"total": len(paths), "done": len(seen)})
    found = take_stock(seen, date.today())
    if as_json:
        print_json(asdict(found))
    else:
        _print(found, path)


def _sightings(paths: Sequence[Path], settings: Settings) -> Iterator[Sighting]:
    limits = Limits(settings.parse_timeout_s, settings.parse_memory_mb)
    workers = workers_of(settings)
    sandboxes = [Sandbox(look_at, limits) for _ in range(workers)]
    free: SimpleQueue[Sandbox[Look, Seen]] = SimpleQueue()
    for sandbox in sandboxes:
        free.put(sandbox)

    def one(path: Path) -> Sighting:
        sandbox = free.get()
        try:
            return _sight(path, sandbox)
        finally:
            free.put(sandbox)

    try:
        with ThreadPoolExecutor(workers) as pool:
            yield from pool.map(one, paths)
    finally:
        for sandbox in sandboxes:
            sandbox.close()


def _sight(path: Path, sandbox: Sandbox[Look, Seen]) -> Sighting:
    data = path.read_bytes()
    try:
        seen = sandbox.run(Look(data, path.name))
    except ParseFailure as failure:
        parsed = registry.failed(failure)
        seen = Seen(parsed, metadata.describe(path.name, parsed))
    parsed, said = seen.parsed, seen.description
    return Sighting(
        path=str(path),
        size=len(data),
        modified=datetime.fromtimestamp(path.stat().st_mtime, UTC),
        kind=detect(data, path.name).kind.value,
        sha256=hashlib.sha256(data).hexdigest(),
        state=parsed.state,
        reason=parsed.reason.value if parsed.reason else "",
        message=parsed.message,
        title=said.title,
        version=said.version,
        effective_from=said.effective_from,
        is_draft=said.is_draft,
        ocr_pages=len(parsed.ocr_pages),
        text=parsed.text,
    )


def _print(found: Inventory, root: Path) -> None:
    out.print(f"{root}：{found.files} 个文件，{found.size / 1024 / 1024:.1f} MB")
    by_state = {READINGS[FileState(state)]: count for state, count in found.by_state.items()}
    counts = Table("格式", "年龄", "状态", box=None)
    counts.add_row(*(_lines(part) for part in (found.by_kind, found.by_age, by_state)))
    out.print(counts)
    _print_groups("内容完全相同（保留第一个）", found.exact, root)
    _print_groups("内容几乎相同（保留第一个）", found.near, root)
    _print_groups("同一文件的不同版本（新的在前）", [family.paths for family in found.families], root)
    _print_paths("扫描件，需要 OCR", found.scanned, root)
    if found.troubles:
        table = Table("读不了的文件", "说明", box=None)
        for trouble in found.troubles[:SHOWN]:
            table.add_row(_short(trouble.path, root), trouble.message or READINGS[FileState(trouble.state)])
        out.print(table)
        _print_rest(len(found.troubles))
    _print_paths("建议首批导入", found.first_batch, root)


def _lines(counts: dict[str, int]) -> str:
    return "\n".join(f"{name} {count}" for name, count in counts.items())


def _print_groups(title: str, groups: Sequence[tuple[str, ...]], root: Path) -> None:
    if groups:
        out.print(f"\n{title}：{len(groups)} 组", style="bold")
        for group in groups[:SHOWN]:
            out.print("  · " + "  ←  ".join(_short(path, root) for path in group))
        _print_rest(len(groups))


def _print_paths(title: str, paths: Sequence[str], root: Path) -> None:
    if paths:
        out.print(f"\n{title}：{len(paths)} 个", style="bold")
        for path in paths[:SHOWN]:
            out.print(f"  · {_short(path, root)}")
        _print_rest(len(paths))


def _print_rest(count: int) -> None:
    if count > SHOWN:
        out.print(f"  … 另有 {count - SHOWN} 项，完整清单见 --json")


def _short(path: str, root: Path) -> str:
    base = root.resolve() if root.is_dir() else root.resolve().parent
    return str(Path(path).relative_to(base))
