"""What `zhixing parse` runs inside the sandbox."""

from dataclasses import dataclass

from ingestion.documents import Parsed
from ingestion.parsers import registry


@dataclass(frozen=True, slots=True)
class FileToParse:
    data: bytes
    file_name: str
    password: str | None = None


def parse_file(file: FileToParse) -> Parsed:
    return registry.parse(file.data, file.file_name, password=file.password)
