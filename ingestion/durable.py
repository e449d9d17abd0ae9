"""Files that are on disk when the call returns: what is acknowledged is kept, also when the power fails."""

import os
import sys
from pathlib import Path


def write(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync(path: Path) -> None:
    """A file that others wrote, or a folder: a new or renamed entry is on disk only when its folder is."""
    if sys.platform == "win32" and path.is_dir():
        return  # a folder cannot be opened there, and entries are on disk without it
    descriptor = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
