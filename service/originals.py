"""The originals, content-addressed: `originals/ab/cd…`, written once and never changed."""

import hashlib
import os
from pathlib import Path

from ingestion import durable
from service.errors import NotFound, Unavailable
from service.system_errors import told


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class Originals:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, digest: str) -> Path:
        return self._folder / digest[:2] / digest[2:]

    def put(self, data: bytes) -> str:
        """Store `data` durably and return its SHA-256; storing the same bytes again is a no-op."""
        digest = sha256(data)
        target = self.path(digest)
        if target.exists():
            return digest
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            part = target.with_name(f"{target.name}.{os.getpid()}.{os.urandom(4).hex()}.part")
            durable.write(part, data)
            part.replace(target)
            for folder in (target.parent, self._folder):
                durable.sync(folder)
        except OSError as error:
            raise Unavailable(f"原件无法保存：{told(error)}", code="storage_full") from error
        return digest

    def read(self, digest: str) -> bytes:
        try:
            return self.path(digest).read_bytes()
        except FileNotFoundError as error:
            raise NotFound("原件不存在", code="original_missing") from error

    def remove(self, digest: str) -> None:
        """The file, and what a crash while writing it may have left."""
        target = self.path(digest)
        for part in target.parent.glob(f"{target.name}.*.part"):
            part.unlink(missing_ok=True)
        target.unlink(missing_ok=True)

