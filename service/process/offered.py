"""A workbook as somebody offers it, with the forms that lie beside it: an upload, or files on disk.

What is offered may be an .xlsx, a zip of one or of CSV files, or a folder of CSV files; forms lie in a folder
`templates` beside the workbook or inside the zip.
"""

import hashlib
import unicodedata
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path, PurePosixPath

from ingestion.parsers.bundle import Member, is_bundle, unpack
from service.errors import BadRequest

FORMS = "templates"
_BOOK, _SHEET = ".xlsx", ".csv"
_NO_TIME = (1980, 1, 1, 0, 0, 0)  # so that the same files make the same bytes


@dataclass(frozen=True, slots=True)
class Offered:
    """`workbook` is what `rules.loader.load` reads; `forms` are by file name, read when they are wanted."""

    file_name: str
    workbook: bytes
    forms: Mapping[str, bytes | Path] = field(default_factory=dict)

    @property
    def stem(self) -> str:
        """Stands in for a missing id of the process."""
        return PurePosixPath(self.file_name).stem

    def form(self, name: str) -> bytes | None:
        """Raises OSError for one on disk that cannot be read."""
        found = self.forms.get(form_name(name))
        return found.read_bytes() if isinstance(found, Path) else found

    def fingerprint(self) -> str:
        """SHA-256 of the contents of it all. Raises OSError."""
        digest = hashlib.sha256(self.workbook)
        for name in sorted(self.forms):
            digest.update(f"\n{name}\n".encode(errors="surrogatepass"))  # a disk may hold names of any bytes
            digest.update(hashlib.sha256(self.form(name) or b"").digest())
        return digest.hexdigest()


def form_name(name: str) -> str:
    """As forms are told apart: some systems take a name's accents apart when they store it."""
    return unicodedata.normalize("NFC", name.strip())


def offered_upload(data: bytes, file_name: str) -> Offered:
    """Raises BadRequest for a zip without one process in it, ParseFailure for one that cannot be opened."""
    if not is_bundle(data, file_name):
        return Offered(file_name, data)
    members = list(unpack(data))
    for member in members:
        if member.failure is not None:
            raise member.failure
    forms = {form_name(each.file_name): each.data for each in members if _is_form(each)}
    tables = [each for each in members if not _is_form(each)]
    books = [each for each in tables if each.name.lower().endswith(_BOOK)]
    if len(books) > 1:
        raise BadRequest(f"压缩包里有 {len(books)} 个工作簿；一次只能上传一个流程")
    if books:
        return Offered(books[0].file_name, books[0].data, forms)
    sheets = [(each.name, each.data) for each in tables if each.name.lower().endswith(_SHEET)]
    if not sheets:
        raise BadRequest("压缩包里既没有 .xlsx 工作簿，也没有各工作表的 CSV")
    return Offered(file_name, _packed(sheets), forms)


def offered_path(path: Path) -> Offered:
    """A workbook or a folder of CSV files on disk. Raises OSError."""
    forms: dict[str, bytes | Path] = {}
    for found in form_files(path):
        forms.setdefault(form_name(found.name), found)
    if path.is_dir():
        sheets = [(found.name, found.read_bytes()) for found in table_files(path)]
        return Offered(f"{path.name}.zip", _packed(sheets), forms)
    return Offered(path.name, path.read_bytes(), forms)


def table_files(path: Path) -> list[Path]:
    """The workbook itself, or the CSV files of a folder that is one. Raises OSError."""
    return [found for found in _files(path) if found.suffix.lower() == _SHEET] if path.is_dir() else [path]


def form_files(path: Path) -> list[Path]:
    """The forms beside a workbook; those inside of its own folder come first. Raises OSError."""
    places = [path / FORMS, path.parent / FORMS] if path.is_dir() else [path.parent / FORMS]
    return [found for place in places for found in _files(place)]


def bundled(offered: Offered, names: Iterable[str]) -> tuple[str, bytes]:
    """One file to upload, by its name: the workbook alone, or a zip of it and the forms that are named."""
    forms = [(f"{FORMS}/{name}", data) for name in names if (data := offered.form(name)) is not None]
    if not forms:
        return offered.file_name, offered.workbook
    if offered.file_name.lower().endswith(".zip"):
        with zipfile.ZipFile(BytesIO(offered.workbook)) as archive:
            tables = [(name, archive.read(name)) for name in archive.namelist()]
    else:
        tables = [(offered.file_name, offered.workbook)]
    return f"{offered.stem}.zip", _packed([*tables, *forms])


def workbooks_under(folder: Path) -> list[Path]:
    """Workbooks in a folder and in the folders right below it; a folder with CSV files is one. In a stable
    order. Raises OSError."""
    found = [path for path in _files(folder) if path.suffix.lower() == _BOOK]
    for below in sorted(path for path in folder.iterdir() if path.is_dir() and _seen(path)):
        if below.name == FORMS:
            continue
        inside = _files(below)
        found += [path for path in inside if path.suffix.lower() == _BOOK]
        if table_files(below):
            found.append(below)
    return found


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if _seen(path) and path.is_file())


def _seen(path: Path) -> bool:
    """Neither hidden nor the lock file of an office program."""
    return not path.name.startswith((".", "~$"))


def _is_form(member: Member) -> bool:
    return PurePosixPath(member.name).parent.name.lower() == FORMS


def _packed(files: Sequence[tuple[str, bytes]]) -> bytes:
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name, _NO_TIME), data, zipfile.ZIP_DEFLATED)
    return content.getvalue()
