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
from ingestion.catalog import Inventory, Sighting, Sketch, sketch_of, take_stock
from ingestion.documents import FailureReason, FileState
from ingestion.errors import ParseFailure
from ingestion.metadata import SelfDescription
from ingestion.parsers import registry
from ingestion.parsers.detect import FileKind, detect, kind_named
from ingestion.parsers.sandbox import Limits, Sandbox
from service.bootstrap import workers_of
from service.cli.printing import friendly_errors, out, print_json, progress
from service.config import MEGABYTE, Settings
from service.intake import Incoming, files_under
from service.system_errors import told
from service.wording import READINGS

SHOWN = 10


@dataclass(frozen=True, slots=True)
class Seen:
    """What the sandbox tells of a file: all but its text, which no sum of a folder needs."""

    kind: FileKind | None
    state: FileState
    reason: FailureReason | None
    message: str
    description: SelfDescription
    ocr_pages: int = 0
    sketch: Sketch | None = None


def look_at(path: Path) -> Seen:
    """Runs in the sandbox. Raises OSError and ParseFailure."""
    data = path.read_bytes()
    parsed = registry.parse(data, path.name)
    return Seen(
        kind=_kind(data, path.name),
        state=parsed.state,
        reason=parsed.reason,
        message=parsed.message,
        description=metadata.describe(path.name, parsed),
        ocr_pages=len(parsed.ocr_pages),
        sketch=sketch_of(parsed.text),
    )


def _kind(data: bytes, name: str) -> FileKind | None:
    try:
        return detect(data, name).kind
    except ParseFailure:  # the parsed state says what is wrong with it
        return kind_named(name)


def register(app: typer.Typer) -> None:
    app.command()(inventory)


def inventory(
    path: Annotated[Path, typer.Argument(exists=True, help="要盘点的文件夹")],
    as_json: Annotated[bool, typer.Option("--json", help="输出 JSON")] = False,
) -> None:
    """盘点：格式、年龄、重复、版本、扫描件、读不了的文件，以及建议先装哪些。"""
    settings = Settings()
    with friendly_errors():
        items = files_under([path], Incoming("", ""))
        with progress("盘点", quiet=as_json) as on_change:
            seen = []
            for sighting in sightings(items, settings):
                seen.append(sighting)
                on_change({"total": len(items), "done": len(seen)})
    found = take_stock(seen, date.today())
    if as_json:
        print_json(asdict(found))
    else:
        _print(found, path)


def sightings(items: Sequence[Incoming], settings: Settings) -> Iterator[Sighting]:
    """A look at every file, several at once, in their order. A file that cannot be read is a failed one."""
    limits = Limits(settings.parse_timeout_s, settings.parse_memory_mb)
    workers = workers_of(settings)
    sandboxes = [Sandbox(look_at, limits) for _ in range(workers)]
    free: SimpleQueue[Sandbox[Path, Seen]] = SimpleQueue()
    for sandbox in sandboxes:
        free.put(sandbox)

    def one(item: Incoming) -> Sighting:
        sandbox = free.get()
        try:
            return _sight(item, sandbox, settings.max_upload_mb)
        finally:
            free.put(sandbox)

    try:
        with ThreadPoolExecutor(workers) as pool:
            yield from pool.map(one, items)
    finally:
        for sandbox in sandboxes:
            sandbox.close()


def _sight(item: Incoming, sandbox: Sandbox[Path, Seen], most_mb: int) -> Sighting:
    """What is too large for an import is not read here either, and so has no hash."""
    path = Path(item.path or "")
    size, digest = 0, ""
    try:
        size = path.stat().st_size
        if size > most_mb * MEGABYTE:
            seen = _unseen(path, FailureReason.TOO_LARGE, f"文件超过 {most_mb} MB 上限；请拆分后再导入")
        else:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            seen = sandbox.run(path)
    except OSError as error:
        seen = _unseen(path, FailureReason.CORRUPT, f"文件无法读取：{told(error)}")
    except ParseFailure as failure:
        seen = _unseen(path, failure.reason, failure.message, failure.state)
    said = seen.description
    return Sighting(
        path=str(path),
        size=size,
        modified=item.modified_at or datetime.now(UTC),
        kind=(seen.kind or FileKind.UNKNOWN).value,
        sha256=digest,
        state=seen.state,
        reason=seen.reason.value if seen.reason else "",
        message=seen.message,
        title=said.title,
        version=said.version,
        effective_from=said.effective_from,
        is_draft=said.is_draft,
        ocr_pages=seen.ocr_pages,
        sketch=seen.sketch,
    )


def _unseen(path: Path, reason: FailureReason, message: str, state: FileState = FileState.FAILED) -> Seen:
    """A file nothing was read of: what its name says."""
    failed = registry.failed(ParseFailure(reason, message, state))
    return Seen(kind_named(path.name), state, reason, message, metadata.describe(path.name, failed))


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
