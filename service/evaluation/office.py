"""Turns the sample documents and own-written questions into a collection for calibration.

    python -m service.evaluation.office OUT [--questions data/golden/calibration.jsonl]

Office questions differ from encyclopaedia and statute questions: short, colloquial, over few documents. OUT
gets `corpus.jsonl` (a row per chunk of a document in force) and `queries.jsonl`, whose relevant chunks are
those of the named documents that hold the expected words.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from ingestion.chunking import chunk
from ingestion.documents import Chunk
from ingestion.metadata import describe
from ingestion.parsers import registry
from service.config import ASSETS
from service.samples import sample_files

STORY_DAY = date(2026, 11, 16)  # data/company.md


class OfficeQuestion(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    question: str
    expected_documents: tuple[str, ...]
    expected_contains: tuple[str, ...]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="office", description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--questions", type=Path, default=ASSETS / "data" / "golden" / "calibration.jsonl")
    options = parser.parse_args(arguments)
    chunks = {path.name: list(_chunks(path)) for path in sample_files()}
    options.out.mkdir(parents=True, exist_ok=True)
    corpus = [_corpus_row(name, title, piece) for name, found in chunks.items() for title, piece in found]
    _write(options.out / "corpus.jsonl", corpus)
    lines = options.questions.read_text(encoding="utf-8").splitlines()
    asked = [OfficeQuestion.model_validate_json(line) for line in lines if line.strip()]
    rows = [_query_row(question, chunks) for question in asked]
    _write(options.out / "queries.jsonl", [row for row in rows if row["relevant"]])
    lost = [question.id for question, row in zip(asked, rows, strict=True) if not row["relevant"]]
    if lost:
        sys.stderr.write(f"没有对应切片的问题：{'、'.join(lost)}\n")
    return 1 if lost else 0


def _chunks(path: Path) -> Iterator[tuple[str, Chunk]]:
    """(document title, chunk) of a document that is in force on the story's day, nothing of any other."""
    parsed = registry.parse(path.read_bytes(), path.name)
    said = describe(path.name, parsed)
    if said.effective_from is not None and said.effective_from > STORY_DAY:
        return
    for piece in chunk(parsed, path.name):
        yield said.title, piece


def _corpus_row(name: str, title: str, piece: Chunk) -> dict[str, object]:
    heading = " > ".join((*piece.heading_path, *((piece.context,) if piece.context else ())))
    return {"doc_id": piece.id, "title": title, "heading": heading, "text": piece.text, "law": name}


def _query_row(question: OfficeQuestion, chunks: dict[str, list[tuple[str, Chunk]]]) -> dict[str, object]:
    relevant = [
        piece.id
        for name in question.expected_documents
        for _title, piece in chunks.get(name, [])
        if all(_bare(words) in _bare(piece.text) for words in question.expected_contains)
    ]
    return {"query_id": question.id, "text": question.question, "relevant": relevant}


def _bare(text: str) -> str:
    return "".join(text.split()).replace(",", "").replace("，", "")


def _write(path: Path, rows: Sequence[dict[str, object]]) -> None:
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
