"""The folder of the embedded index: who holds it, which shard is live, what is left over.

    lock             held (flock) by the one process that has the index open; its process id is inside
    manifest.json    schema version, embedding, dimensions and the name of the live shard
    shard-<hex>/     shards; the manifest names the live one, every other is a leftover

Replacing `manifest.json` by rename is the only commit there is: whatever happens before leaves the old shard
live and whatever happens after leaves the new one.
"""

import json
import logging
import os
import shutil
import sys
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path

from ingestion import durable
from ingestion.errors import IndexLocked, IndexUnavailable

log = logging.getLogger(__name__)

ZEROS = bytes(64 * 1024)
NO_SHARD = ""  # in a manifest: the first shard is about to be created


@dataclass(frozen=True, slots=True)
class Manifest:
    schema: int
    embedding: str
    dimensions: int
    shard: str


class IndexHome:
    """Holds the folder from construction to `release`. Raises IndexLocked when another holder exists."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = _acquire(folder / "lock")

    def manifest(self) -> Manifest | None:
        """What the index was built with; `None` for a new folder. Raises IndexUnavailable when damaged."""
        try:
            return _read_manifest((self.folder / "manifest.json").read_text(encoding="utf-8"))
        except FileNotFoundError:
            if self._shards():
                raise IndexUnavailable(damaged("manifest.json 缺失")) from None
            return None

    def commit(self, manifest: Manifest) -> None:
        """Make this manifest the valid one, atomically and durably."""
        target = self.folder / "manifest.json"
        draft = target.with_suffix(".json.new")
        durable.write(draft, json.dumps(asdict(manifest), ensure_ascii=False).encode())
        draft.replace(target)
        durable.sync(self.folder)

    def discard(self) -> None:
        """Forget everything stored here; the folder stays held."""
        (self.folder / "manifest.json").unlink(missing_ok=True)
        self.clean(NO_SHARD)

    def shard(self, name: str) -> Path:
        return self.folder / name

    def new_shard(self) -> str:
        """An unused shard name. Random, since a child of a killed process may still write into an old one."""
        return f"shard-{uuid.uuid4().hex}"

    def copy(self, name: str, target: str) -> None:
        """Copy a shard nobody writes to. Raises OSError, e.g. when the disk is full."""
        shutil.copytree(self.shard(name), self.shard(target), copy_function=_copy_file)

    def clean(self, live: str) -> None:
        """Remove every shard but the live one."""
        for path in self._shards():
            if path.name != live:
                self.remove(path.name)

    def remove(self, name: str) -> None:
        """Remove a shard if it exists; what cannot be removed now is left to the next start."""
        try:
            shutil.rmtree(self.shard(name))
        except FileNotFoundError:
            return
        except OSError as error:
            log.warning("a leftover shard could not be removed: %s: %s", name, error)

    def release(self) -> None:
        os.close(self._lock)

    def _shards(self) -> list[Path]:
        return sorted(self.folder.glob("shard-*"))


def damaged(detail: str) -> str:
    return f"索引已损坏（{detail}）。原件与数据库不受影响，请运行 zhixing rebuild 重建索引。"


def held(owner: str) -> str:
    who = f"进程 {owner}" if owner else "另一个进程"
    return f"索引正被{who}使用，同一时间只能有一个进程打开。请通过正在运行的服务操作，或先将其停止。"


def _read_manifest(text: str) -> Manifest:
    try:
        raw = json.loads(text)
        return Manifest(int(raw["schema"]), str(raw["embedding"]), int(raw["dimensions"]), str(raw["shard"]))
    except (ValueError, KeyError, TypeError) as error:
        raise IndexUnavailable(damaged("manifest.json 无法读取")) from error


def _copy_file(source: str, target: str) -> None:
    """Copy a file, leaving blocks of zeros as holes: an empty shard is 242 MB of which 0.6 MB are on disk."""
    with open(source, "rb") as reader, open(target, "wb") as writer:
        while block := reader.read(len(ZEROS)):
            if block == ZEROS[: len(block)]:
                writer.seek(len(block), os.SEEK_CUR)
            else:
                writer.write(block)
        writer.truncate(reader.tell())


def _acquire(path: Path) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _lock(descriptor)
    except OSError as error:
        owner = os.read(descriptor, 32).decode("ascii", "replace").strip()
        os.close(descriptor)
        raise IndexLocked(held(owner)) from error
    os.ftruncate(descriptor, 0)
    os.write(descriptor, f"{os.getpid()}\n".encode())
    return descriptor


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, 64, os.SEEK_SET)  # a byte beyond the process id, which stays readable
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
