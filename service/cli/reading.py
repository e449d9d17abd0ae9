"""What `zhixing parse` runs inside the sandbox."""

from dataclasses import dataclass

from ingestion.documents import Parsed
from ingestion.parsers import registry
from ingestion.parsers.ocr import installed_ocr


@dataclass(frozen=True, slots=True)
class FileToParse:
    data: bytes
    file_name: str
    password: str | None = None
    ocr_seconds: float = 90.0


def parse_file(file: FileToParse) -> Parsed:
    return registry.parse(
        file.data, file.file_name, password=file.password, ocr=installed_ocr(file.ocr_seconds)
    )
