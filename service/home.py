"""The home folder: one process holds it at a time, and says in `run.json` how to reach it.

A command that finds the home held talks to the holder over loopback with the one-time token of `run.json`,
which only the owner of the folder can read.
"""

import fcntl
import json
import os
import secrets
import stat
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from service.errors import HomeLocked, Unavailable
from service.system_errors import told

LOCAL_TOKEN = "X-Zhixing-Local-Token"  # the request header that carries the one-time token
PRIVATE = 0o600
PRIVATE_FOLDER = 0o700


@dataclass(frozen=True, slots=True)
class RunningService:
    """How to reach the process that holds a home."""

    url: str
    token: str
    pid: int


def make_private(folder: Path) -> None:
    """Make the home folder, for its owner alone; one of ours that was open to others is closed to them.

    A folder of somebody else's, and one that is shared on purpose (the sticky bit, as on /tmp), stay as they
    are. Raises Unavailable.
    """
    try:
        folder.mkdir(PRIVATE_FOLDER, parents=True, exist_ok=True)
        found = folder.stat()
        mode = stat.S_IMODE(found.st_mode)
        if found.st_uid == os.getuid() and not mode & stat.S_ISVTX:
            folder.chmod(mode & PRIVATE_FOLDER)
    except OSError as error:
        raise _unwritable(folder, error) from error


class Home:
    """Holds the folder while open. Raises HomeLocked when another process does."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.token = secrets.token_urlsafe(32)
        self._lock: int | None = None
        make_private(folder)
        try:
            lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, PRIVATE)
        except OSError as error:
            raise _unwritable(folder, error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(lock)
            raise HomeLocked(
                f"数据目录 {folder} 正被另一个知行进程使用。请让命令经由运行中的服务执行，或先停止那个进程"
            ) from error
        self._lock = lock
        (folder / "run.json").unlink(missing_ok=True)  # a killed holder's

    def announce(self, url: str) -> None:
        """Tell other commands of this user where the service listens."""
        path = self.folder / "run.json"
        part = path.with_suffix(".part")
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            os.fchmod(file.fileno(), PRIVATE)  # also when the file was there already
            json.dump(asdict(RunningService(url, self.token, os.getpid())), file)
        part.replace(path)

    def close(self) -> None:
        """Safe to repeat."""
        if self._lock is None:
            return
        (self.folder / "run.json").unlink(missing_ok=True)
        os.close(self._lock)
        self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _unwritable(folder: Path, error: OSError) -> Unavailable:
    return Unavailable(
        f"数据目录 {folder} 无法写入：{told(error)}。请检查权限，或用 ZHIXING_HOME 另指目录",
        code="home_unwritable",
    )


def running_service(folder: Path) -> RunningService | None:
    """What the holder of `folder` has said, if this user may read it; None while nobody listens."""
    try:
        found = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        return RunningService(str(found["url"]), str(found["token"]), int(found["pid"]))
    except (FileNotFoundError, PermissionError, ValueError, KeyError, TypeError):
        return None
