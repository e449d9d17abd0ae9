"""Opens a workbook: an .xlsx, a folder of CSV files or a zip of them."""

import hashlib
from pathlib import Path

from rules.sheets.csv_files import from_csv, in_folder, in_zip
from rules.sheets.grid import Workbook
from rules.sheets.package import LARGEST_BYTES, Unreadable, open_zip, xml_parts
from rules.sheets.xlsx import sheets_of


def read_workbook(source: Path | bytes) -> Workbook:
    """An .xlsx, a folder of CSV files, or a zip of them. Raises Unreadable."""
    if isinstance(source, Path) and source.is_dir():
        return from_csv(in_folder(source))
    content = _content(source)
    with open_zip(content) as archive:
        if "xl/workbook.xml" in archive.namelist():
            return Workbook(tuple(sheets_of(xml_parts(archive))), hashlib.sha256(content).hexdigest())
        files = in_zip(archive)
    if not files:
        raise Unreadable("压缩包里既没有工作簿，也没有 CSV 文件。请上传 .xlsx，或装着各工作表 CSV 的压缩包。")
    return from_csv(files)


def _content(source: Path | bytes) -> bytes:
    if isinstance(source, bytes):
        content = source
    else:
        try:
            if source.stat().st_size > LARGEST_BYTES:
                raise Unreadable("文件超过 24 MB，不像是流程表。")
            content = source.read_bytes()
        except OSError as error:
            raise Unreadable(f"打不开文件：{error.strerror or '读取失败'}。") from error
    if len(content) > LARGEST_BYTES:
        raise Unreadable("文件超过 24 MB，不像是流程表。")
    if not content:
        raise Unreadable("文件是空的。")
    return content
