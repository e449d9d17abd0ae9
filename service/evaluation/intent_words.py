"""The words of workbooks, for reading intents without a service."""

from collections.abc import Sequence
from pathlib import Path

from rules.loader import load
from service.config import ASSETS
from service.errors import BadRequest
from service.intent.cues import ProcessWords
from service.intent.processes import process_words

SAMPLES = ASSETS / "data" / "processes"


def words_of(sources: Sequence[Path]) -> list[ProcessWords]:
    """Raises BadRequest for a workbook that cannot serve."""
    found = []
    for source in sources:
        for book in sorted(source.glob("*.xlsx")) if source.is_dir() else [source]:
            process = load(book).process
            if process is None:
                raise BadRequest(f"流程工作簿 {book.name} 读不成流程，请先用 zhixing process check 查看")
            found.append(process_words(process))
    return found
