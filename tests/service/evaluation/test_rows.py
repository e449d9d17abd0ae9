"""Data files are read in the forms of the command line, and a line that cannot be read is named."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from service.errors import BadRequest
from service.evaluation.rows import read_absent, read_corpus, read_queries


def write(path: Path, *rows: object) -> Path:
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n", encoding="utf-8")
    return path


def test_rows_are_read_with_what_they_leave_out(tmp_path: Path) -> None:
    corpus = write(
        tmp_path / "corpus.jsonl",
        {"doc_id": "a", "text": "甲", "expires": "", "extra": 1},
        {"doc_id": "b", "title": "办法", "article": "第一条", "text": "乙", "effective_date": "2024-01-02"},
    )
    first, second = read_corpus([corpus])
    assert (first.expires, first.heading_path) == (None, ())
    assert (second.effective_date, second.heading_path) == (date(2024, 1, 2), ("办法", "第一条"))


def test_one_answer_several_and_a_missing_one(tmp_path: Path) -> None:
    path = tmp_path / "queries.jsonl"
    path.write_text(
        '{"query_id": "1", "text": "问", "answer": "答"}\n\n'
        '{"query_id": "2", "text": "问", "answer": ["甲", "乙"], "answerable": false}\n'
        '{"query_id": "3", "text": "问", "answer": NaN}\n',
        encoding="utf-8",
    )
    assert [row.answer for row in read_queries(path)] == [("答",), ("甲", "乙"), ()]


@pytest.mark.parametrize("line", ["{", '{"doc_id": "a"}', "[]"])
def test_a_line_that_cannot_be_read_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "corpus.jsonl"
    path.write_text(f'{{"doc_id": "a", "text": "甲"}}\n{line}\n', encoding="utf-8")
    with pytest.raises(BadRequest, match="第 2 行"):
        read_corpus([path])


def test_an_absent_split_of_another_form_is_refused(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text('{"note": "", "absent_docs": ["a"], "absent_queries": ["q"]}', encoding="utf-8")
    bad.write_text('{"absent_docs": 3}', encoding="utf-8")
    assert read_absent(good).absent_docs == {"a"}
    with pytest.raises(BadRequest):
        read_absent(bad)


def test_two_rows_of_one_name_are_an_error_that_names_both(tmp_path: Path) -> None:
    """The second would replace the first in the index, and nobody would know."""
    first = write(tmp_path / "a.jsonl", {"doc_id": "x", "text": "甲"}, {"doc_id": "y", "text": "乙"})
    second = write(tmp_path / "b.jsonl", {"doc_id": "y", "text": "丙"})
    with pytest.raises(BadRequest, match=r"b\.jsonl 第 1 行：编号「y」与 a\.jsonl 第 2 行 重复"):
        read_corpus([first, second])
    asked = {"query_id": "1", "text": "问"}
    with pytest.raises(BadRequest, match="第 2 行"):
        read_queries(write(tmp_path / "queries.jsonl", asked, asked))


READERS = [lambda path: read_corpus([path]), read_queries, read_absent]


@pytest.mark.parametrize("read", READERS, ids=["corpus", "queries", "absent"])
def test_another_encoding_is_told_by_every_reader(tmp_path: Path, read: Callable[[Path], object]) -> None:
    path = tmp_path / "rows.json"
    path.write_bytes(
        '{"doc_id": "办法", "query_id": "1", "text": "甲", "absent_docs": ["办法"]}'.encode("gbk")
    )
    with pytest.raises(BadRequest, match=r"rows\.json 第 1 行：不是 UTF-8"):
        read(path)


@pytest.mark.parametrize("read", READERS, ids=["corpus", "queries", "absent"])
def test_a_byte_order_mark_is_read_over_by_every_reader(
    tmp_path: Path, read: Callable[[Path], object]
) -> None:
    path = tmp_path / "rows.json"
    path.write_text('{"doc_id": "a", "query_id": "1", "text": "甲"}', encoding="utf-8-sig")
    assert read(path)
