"""The home folder: one process holds it at a time, and says in `run.json` how to reach it.

A command that finds the home held talks to the holder over loopback with the one-time token of `run.json`,
which only the owner of the folder can read.
"""

import fcntl
import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from service.errors import HomeLocked, Unavailable

PRIVATE = 0o600


@dataclass(frozen=True, slots=True)
class RunningService:
    """How to reach the process that holds a home."""

    url: str
    token: str
    pid: int


class Home:
    """Holds the folder while open. Raises HomeLocked when another process does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.token = secrets.token_urlsafe(32)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, PRIVATE)
        except OSError as error:
            raise Unavailable(
                f"数据目录 {folder} 无法写入：{error.strerror}。请检查权限，或用 ZHIXING_HOME 另指目录",
                code="home_unwritable",
            ) from error
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._lock)
            raise HomeLocked(
                f"数据目录 {folder} 正被另一个知行进程使用。请让命令经由运行中的服务执行，或先停止那个进程"
            ) from error

    def announce(self, url: str) -> None:
        """Tell other commands of this user where the service listens."""
        path = self.folder / "run.json"
        part = path.with_suffix(".part")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(asdict(RunningService(url, self.token, os.getpid())), file)
        part.replace(path)

    def close(self) -> None:
        (self.folder / "run.json").unlink(missing_ok=True)
        os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def running_service(folder: Path) -> RunningService | None:
    """The service that holds `folder`, if it has said where it listens."""
    try:
        found = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        return RunningService(str(found["url"]), str(found["token"]), int(found["pid"]))
    except (FileNotFoundError, ValueError, KeyError):
        return None
