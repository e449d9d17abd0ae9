"""The inbox 收件箱: files that were accepted and are not in the library yet, one folder each in the home.

An upload is acknowledged once its bytes lie here, so that none is lost when the process ends before its
turn; they go when its task is over. A password is never written: a file that still needs it after a restart
ends as `needs_password`.
"""

import hashlib
import os
import shutil
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from pydantic import TypeAdapter, ValidationError

from ingestion import durable
from service import logs
from service.access import Principal
from service.config import MEGABYTE
from service.errors import TooLarge, Unavailable
from service.incoming import Incoming
from service.system_errors import told

log = logs.get(__name__)

BLOCK = 1024 * 1024
PRIVATE_FOLDER = 0o700
_PART, _ASIDE = ".part", ".unreadable"


@dataclass(frozen=True, slots=True)
class Waiting:
    """One accepted file; `digest` is its SHA-256."""

    task_id: str
    principal: Principal
    incoming: Incoming
    digest: str
    accepted_at: datetime


_WAITING: TypeAdapter[Waiting] = TypeAdapter(Waiting)


class Inbox:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(
        self, task_id: str, principal: Principal, incoming: Incoming, content: BinaryIO, most_mb: int
    ) -> Waiting:
        """Write the file down durably. Raises TooLarge, and Unavailable when it cannot be written."""
        folder, part = self._folder / task_id, self._folder / f"{task_id}{_PART}"
        try:
            part.mkdir(PRIVATE_FOLDER, parents=True)
            digest = _copy(content, part / "file", most_mb)
            at_rest = replace(incoming, path=folder / "file", data=None, password=None)
            waiting = Waiting(task_id, principal, at_rest, digest, datetime.now(UTC))
            durable.write(part / "entry.json", _WAITING.dump_json(waiting))
            durable.sync(part)
            part.rename(folder)
            durable.sync(self._folder)
        except OSError as error:
            shutil.rmtree(part, ignore_errors=True)
            raise Unavailable(f"文件无法保存：{told(error)}", code="storage_full") from error
        except TooLarge:
            shutil.rmtree(part)
            raise
        return replace(waiting, incoming=replace(at_rest, password=incoming.password))

    def put_aside(self) -> list[str]:
        """Take what cannot be taken up out of the way, with its file; returns the tasks it belonged to.

        A person may look into it; the folders `….unreadable` are never touched again.
        """
        found = []
        for folder in self._entries():
            try:
                _read(folder)
            except (OSError, ValidationError) as error:
                log.error("inbox.unreadable", entry=folder.name, reason=type(error).__name__)
                folder.rename(folder.with_name(f"{folder.name}{_ASIDE}"))
                found.append(folder.name)
        return found

    def waiting(self) -> list[Waiting]:
        """What an earlier process left, in the order it came. What was never acknowledged is removed.

        Raises OSError and ValidationError for an entry that `put_aside` would take.
        """
        if not self._folder.is_dir():
            return []
        for part in self._folder.glob(f"*{_PART}"):
            if part.is_dir():
                shutil.rmtree(part)
        return sorted((_read(folder) for folder in self._entries()), key=lambda item: item.accepted_at)

    def _entries(self) -> list[Path]:
        """The folders of whole entries; other things that lie here (.DS_Store) are none of ours."""
        if not self._folder.is_dir():
            return []
        return [
            path for path in self._folder.iterdir() if path.is_dir() and path.suffix not in (_PART, _ASIDE)
        ]

    def begin(self, task_id: str) -> int:
        """Count an attempt before it is made; returns how many there were, this one included."""
        attempts = self._attempts(task_id) + 1
        durable.write(self._folder / task_id / "attempts", b"x" * attempts)
        return attempts

    def take_back(self, task_id: str) -> None:
        """The last attempt ended in an orderly way and does not count."""
        durable.write(self._folder / task_id / "attempts", b"x" * (self._attempts(task_id) - 1))

    def remove(self, task_id: str) -> None:
        """The folder goes as a whole: a crash leaves no half of it."""
        part = self._folder / f"{task_id}{_PART}"
        (self._folder / task_id).rename(part)
        shutil.rmtree(part)

    def _attempts(self, task_id: str) -> int:
        path = self._folder / task_id / "attempts"
        return path.stat().st_size if path.exists() else 0


def _read(folder: Path) -> Waiting:
    """Raises OSError, and ValidationError for an entry that another version wrote."""
    entry = _WAITING.validate_json((folder / "entry.json").read_bytes())
    (folder / "file").stat()
    return replace(entry, incoming=replace(entry.incoming, path=folder / "file"))  # the home may have moved


def _copy(content: BinaryIO, target: Path, most_mb: int) -> str:
    digest, size = hashlib.sha256(), 0
    with target.open("wb") as file:
        while block := content.read(BLOCK):
            size += len(block)
            if size > most_mb * MEGABYTE:
                raise TooLarge(f"文件超过 {most_mb} MB 上限；请拆分后再上传")
            digest.update(block)
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
    return digest.hexdigest()

