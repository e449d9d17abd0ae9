"""The evaluations over files: the service reads them itself, the rows of the data only name the passages."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from service.config import Settings
from service.errors import BadRequest
from service.evaluation.answers import evaluate_answers
from service.evaluation.filed import FiledBench, filed
from service.evaluation.retrieval import evaluate_retrieval
from service.evaluation.rows import CorpusRow, QueryRow

OLD = """# 雨具借用办法

（2019年3月1日印发，自2019年4月1日起施行）

## 第一章 借用

第一条 员工可以在前台借用雨伞，三天内归还，逾期每天扣一分。

第二条 雨鞋由后勤组保管，借用须部门负责人签字。

## 第二章 附则

第三条 本办法自2019年4月1日起施行。
"""
NEW = (
    OLD.replace("（2019年3月1日印发，自2019年4月1日起施行）", "（2023年5月1日修订，自2023年6月1日起施行）")
    .replace("三天内", "五个工作日内")
    .replace("自2019年4月1日起", "自2023年6月1日起")
)
ROWS = [
    CorpusRow(
        doc_id=f"雨具@{version}#{article}", title="雨具借用办法", version=version, article=article, text=text
    )
    for version, days in (("2019", "三天内"), ("2023", "五个工作日内"))
    for article, text in (
        ("第一条", f"员工可以在前台借用雨伞，{days}归还，逾期每天扣一分。"),
        ("第二条", "雨鞋由后勤组保管，借用须部门负责人签字。"),
    )
]
ELSEWHERE = CorpusRow(doc_id="车辆@1#第一条", title="车辆办法", version="1", text="车辆由车队统一调度。")
TODAY = date(2026, 7, 1)
QUERIES = [
    QueryRow(
        query_id="now",
        text="借用雨伞几天内归还？",
        relevant=("雨具@2023#第一条",),
        stale=("雨具@2019#第一条",),
        as_of=TODAY,
        answer=("五个工作日",),
    ),
    QueryRow(
        query_id="then",
        text="借用雨伞几天内归还？",
        relevant=("雨具@2019#第一条",),
        stale=("雨具@2023#第一条",),
        as_of=date(2020, 7, 1),
        answer=("三天",),
    ),
    QueryRow(query_id="elsewhere", text="车辆由谁调度？", relevant=("车辆@1#第一条",)),
    QueryRow(query_id="none", text="食堂几点开门？"),
]


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FiledBench]:
    folder = tmp_path_factory.mktemp("laws")
    (folder / "雨具借用办法_旧.md").write_text(OLD, encoding="utf-8")
    (folder / "雨具借用办法_新.md").write_text(NEW, encoding="utf-8")
    with filed(Settings(ingest_workers=1, _env_file=None), [folder], [*ROWS, ELSEWHERE]) as built:
        yield built


def test_questions_about_other_files_are_left_out(bench: FiledBench) -> None:
    assert [query.query_id for query in bench.about_the_files(QUERIES)] == ["now", "then"]


def test_rows_of_two_versions_stand_in_their_own_files(bench: FiledBench) -> None:
    held = [{row.doc_id.partition("#")[0] for row in rows} for rows in bench.placed.values()]
    assert all(len(versions) == 1 for versions in held)
    assert {row.doc_id for rows in bench.placed.values() for row in rows} == {row.doc_id for row in ROWS}


def test_a_place_in_a_chunk_names_the_row_that_stands_there(bench: FiledBench) -> None:
    for chunk_id, rows in bench.placed.items():
        for row in rows:
            assert bench.rows_of(chunk_id, row.start) == bench.rows_of(chunk_id, row.end - 1) == (row.doc_id,)
            assert row.doc_id not in bench.rows_of(chunk_id, row.end)


def test_each_day_finds_its_version_and_none_cites_the_other(bench: FiledBench) -> None:
    asked = bench.about_the_files(QUERIES)
    figures = evaluate_retrieval(bench, asked)["hybrid"]
    assert isinstance(figures, dict)
    assert (figures["hit@1"], figures["stale@1"], figures["valid@1"]) == (1.0, 0.0, 1.0)
    answered = evaluate_answers(bench, asked)
    assert (answered["contains"], answered["stale_cited"], answered["citation_precision"]) == (1.0, 0, 1.0)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "坏.docx").write_bytes(b"")
    with pytest.raises(BadRequest, match="坏.docx"), filed(Settings(_env_file=None), [tmp_path], ROWS):
        pass
