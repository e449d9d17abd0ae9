"""The sample library as a collection for `zhixing eval`, with own-written office questions.

    python -m service.evaluation.office OUT [--questions FILE] [--absent FILE]

Office questions differ from encyclopaedia and statute questions: short, colloquial, over few documents. OUT
gets `corpus.jsonl` (a row per chunk in force on the story's day) and `queries.jsonl`: questions with the
chunks of the named documents that hold the expected words, and questions that nothing answers, with none.
Then `zhixing eval answers --corpus OUT/corpus.jsonl --queries OUT/queries.jsonl` measures both.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import BaseModel, ConfigDict

from ingestion.documents import Chunk
from service import bootstrap, samples
from service.access import LOCAL
from service.config import ASSETS, Settings
from service.home import Home

STORY_DAY = date(2026, 11, 16)  # data/company.md
_GOLDEN = ASSETS / "data" / "golden"


class OfficeQuestion(BaseModel):
    """`expected_documents` are file names; none for a question that nothing answers."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    question: str
    expected_documents: tuple[str, ...] = ()
    expected_contains: tuple[str, ...] = ()


Filed = dict[str, list[tuple[str, Chunk]]]  # file name -> (document title, chunk)


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="office", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--questions", type=Path, default=_GOLDEN / "calibration.jsonl")
    parser.add_argument("--absent", type=Path, default=_GOLDEN / "calibration_absent.jsonl")
    options = parser.parse_args(arguments)
    filed = _in_force()
    options.out.mkdir(parents=True, exist_ok=True)
    _write(options.out / "corpus.jsonl", list(_corpus_rows(filed)))
    answerable = [(question, _relevant(question, filed)) for question in _read(options.questions)]
    rows = [_query_row(question, relevant) for question, relevant in answerable if relevant]
    rows += [_query_row(question, []) for question in _read(options.absent)]
    _write(options.out / "queries.jsonl", rows)
    lost = [question.id for question, relevant in answerable if not relevant]
    if lost:
        sys.stderr.write(f"没有对应切片的问题：{'、'.join(lost)}\n")
    return 1 if lost else 0


def _in_force() -> Filed:
    """What the service itself would answer from, after its own reading and placing of the samples."""
    with TemporaryDirectory(prefix="zhixing-office-") as folder:
        settings = Settings().model_copy(
            update={"home": Path(folder) / "home", "database_url": None, "qdrant_url": None}
        )
        with Home(settings.home) as home:
            parts = bootstrap.build(settings, home)
            try:
                samples.load_samples(parts)
                return _filed(parts)
            finally:
                parts.close()


def _filed(parts: bootstrap.Parts) -> Filed:
    filed: Filed = {}
    for document in parts.documents.page(LOCAL, page_size=1_000).items:
        for stored in document.revisions:
            if stored.revision.in_force(STORY_DAY):
                chunks = parts.documents.section(LOCAL, stored.revision.id, 0, stored.chunk_count)
                filed[stored.file_name] = [(document.document.title, chunk) for chunk in chunks]
    return filed


def _corpus_rows(filed: Filed) -> Iterator[dict[str, object]]:
    for name, found in filed.items():
        for title, piece in found:
            heading = " > ".join((*piece.heading_path, *((piece.context,) if piece.context else ())))
            yield {"doc_id": piece.id, "title": title, "heading": heading, "text": piece.text, "law": name}


def _query_row(question: OfficeQuestion, relevant: Sequence[str]) -> dict[str, object]:
    row: dict[str, object] = {"query_id": question.id, "text": question.question, "relevant": list(relevant)}
    answers = {"answer": list(question.expected_contains)} if relevant else {}
    return {**row, **answers, "answerable": bool(relevant)}


def _relevant(question: OfficeQuestion, filed: Filed) -> list[str]:
    return [
        piece.id
        for name in question.expected_documents
        for _title, piece in filed.get(name, [])
        if all(_bare(words) in _bare(piece.text) for words in question.expected_contains)
    ]


def _bare(text: str) -> str:
    return "".join(text.split()).replace(",", "").replace("，", "")


def _read(path: Path) -> list[OfficeQuestion]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [OfficeQuestion.model_validate_json(line) for line in lines if line.strip()]


def _write(path: Path, rows: Sequence[dict[str, object]]) -> None:
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
