"""The folder that holds the lists. Those we ship are never written: the first change copies them to the
administrator's own folder, and from then on only that one counts."""

import csv
import shutil
from collections.abc import Sequence
from pathlib import Path

from ingestion import durable
from service.config import Settings
from service.errors import Unavailable
from service.system_errors import told
from service.terms.lists import Row, TermList, read_rows, written


class TermFolder:
    """`current` is the folder that counts."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @property
    def current(self) -> Path:
        return self._settings.terms

    def rows(self, kind: TermList) -> list[Row]:
        """The rows of a list as its file has them now. Raises Unavailable when it cannot be read."""
        try:
            return read_rows(self.current, kind)
        except (OSError, ValueError, csv.Error) as error:
            path = self.current / kind.file_name
            raise Unavailable(f"词表文件 {path} 无法读取，应为 UTF-8 文字：{error}") from error

    def write(self, kind: TermList, rows: Sequence[Row]) -> None:
        """Replace one list, whole or not at all. Raises Unavailable when the folder cannot be written."""
        own = self._settings.own_terms
        data = written(kind, rows, self.current / kind.file_name)
        try:
            if own.is_dir():
                _replace(own / kind.file_name, data)
            else:
                self._begin(own, kind, data)
        except OSError as error:
            why = told(error)
            raise Unavailable(
                f"词表目录 {own} 无法写入：{why}。请检查权限，或用 ZHIXING_TERMS_DIR 另指目录"
            ) from error

    def _begin(self, own: Path, kind: TermList, data: bytes) -> None:
        """The folder appears with all lists in it: a half of them would count as the whole."""
        part = own.with_name(f"{own.name}.part")
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir(parents=True)
        for one in TermList:
            shipped = self.current / one.file_name
            if one is not kind and shipped.is_file():
                durable.write(part / one.file_name, shipped.read_bytes())
        durable.write(part / kind.file_name, data)
        durable.sync(part)
        part.rename(own)
        durable.sync(own.parent)


def _replace(path: Path, data: bytes) -> None:
    part = path.with_name(f"{path.name}.part")
    durable.write(part, data)
    part.replace(path)
    durable.sync(path.parent)
