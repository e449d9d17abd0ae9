"""Applications in a database: real SQLite, by the usual names and by a mapping."""

import sqlite3
from pathlib import Path

import pytest

from service.process.status import sql_connector
from service.process.status.applications import Status
from service.process.status.errors import StatusMisconfigured, StatusUnavailable, StatusUnreadable
from service.process.status.mapping import load_model
from service.process.status.sql_connector import SqlConnector, SqlMapping
from tests.service.process.status.status_parts import WORDS, at, written

USUAL = """
create table applications (id text primary key, process_id text, process text, title text,
    applicant_id text, applicant_name text, status text, submitted_at text);
create table steps (application_id text, node text, person_id text, person_name text,
    outcome text, at text, comment text);
insert into applications values
    ('A-1', 'SEAL', '用印申请', '公章', 'wenting', '温婷', '审批中', '2026-11-12 10:20'),
    ('A-2', 'SEAL', '用印申请', '', 'wenting', '温婷', '已办结', '2026-11-10 09:00'),
    ('A-3', 'SEAL', '用印申请', '', 'gusen', '顾森', '审批中', '2026-11-11 09:00');
insert into steps values
    ('A-1', '法务审核', 'hewen', '贺文', '待办', '2026-11-12 16:05', null),
    ('A-1', '提交', 'wenting', '温婷', '提交', '2026-11-12 10:20', ''),
    ('A-1', '部门初审', 'qiuyan', '邱岩', '同意', '2026-11-12 16:05', '可以');
"""
OWN = """
create table "OA 单据" (no text, kind text, who text, st integer, created integer);
create table flow (no text, act text, uid text, res integer, ts integer);
insert into "OA 单据" values ('X-1', '用印申请', 'u1', 1, 1794450014);
insert into flow values ('X-1', '法务审核', 'u2', 0, 1794470700);
"""
MAPPING = """
name = "旧 OA"
time = "epoch_s"
[applications]
table = "OA 单据"
id = "no"
process_id = ""
process = "kind"
title = ""
applicant_id = "who"
applicant_name = ""
status = "st"
submitted_at = "created"
[steps]
table = "flow"
application_id = "no"
node = "act"
person_id = "uid"
person_name = ""
outcome = "res"
at = "ts"
comment = ""
[statuses]
1 = "running"
[outcomes]
0 = "pending"
"""


def database(folder: Path, script: str) -> str:
    path = folder / "oa.db"
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()
    return f"sqlite:///{path}"


def test_usual_names_need_no_mapping(tmp_path: Path) -> None:
    read = SqlConnector(database(tmp_path, USUAL), SqlMapping(), WORDS)
    found = read.by_id("A-1")
    assert found is not None
    assert (found.status, found.current_node, found.approvers[0].name) == (
        Status.RUNNING,
        "法务审核",
        "贺文",
    )
    assert [each.comment for each in found.timeline] == ["", "可以"]
    assert [each.id for each in read.of_applicant("wenting")] == ["A-1", "A-2"]
    assert read.by_id("A-9") is None
    read.close()


def test_mapping_reads_other_names_numbers_and_times(tmp_path: Path) -> None:
    mapping = load_model(written(tmp_path, "mapping.toml", MAPPING), SqlMapping)
    read = SqlConnector(database(tmp_path, OWN), mapping, WORDS)
    found = read.by_id("X-1")
    assert found is not None
    assert (found.process, found.status, found.current_node) == ("用印申请", Status.RUNNING, "法务审核")
    assert found.submitted_at == at("2026-11-12 10:20:14")
    assert found.since == at("2026-11-12 16:05")
    read.close()


@pytest.mark.parametrize("id", ["' or '1'='1", "A-1'; drop table applications; --", "A-1\" or 1=1", "%"])
def test_id_is_bound_and_never_part_of_the_statement(id: str, tmp_path: Path) -> None:
    read = SqlConnector(database(tmp_path, USUAL), SqlMapping(), WORDS)
    assert read.by_id(id) is None
    assert read.of_applicant(id) == []
    assert read.by_id("A-1") is not None
    read.close()


def test_name_of_a_column_is_quoted_and_runs_nothing(tmp_path: Path) -> None:
    evil = MAPPING.replace('node = "act"', "node = 'act\" from flow; drop table flow; --'")
    mapping = load_model(written(tmp_path, "mapping.toml", evil), SqlMapping)
    url = database(tmp_path, OWN)
    read = SqlConnector(url, mapping, WORDS)
    with pytest.raises(StatusUnavailable):
        read.by_id("X-1")
    read.close()
    good = SqlConnector(url, load_model(written(tmp_path, "good.toml", MAPPING), SqlMapping), WORDS)
    assert good.by_id("X-1") is not None
    good.close()


def test_connection_cannot_write(tmp_path: Path) -> None:
    read = SqlConnector(database(tmp_path, USUAL), SqlMapping(), WORDS)
    with read._engine.connect() as connection, pytest.raises(Exception, match="readonly"):
        connection.exec_driver_sql("delete from steps")
    read.close()


def test_table_that_is_not_there_is_told_without_the_address(tmp_path: Path) -> None:
    read = SqlConnector(database(tmp_path, OWN), SqlMapping(), WORDS)
    with pytest.raises(StatusUnavailable, match="暂时查不到") as failure:
        read.by_id("A-1")
    assert str(tmp_path) not in failure.value.message
    read.close()


def test_time_of_another_form_is_told_with_its_column(tmp_path: Path) -> None:
    wrong = USUAL.replace("2026-11-12 10:20'),", "noon'),")
    read = SqlConnector(database(tmp_path, wrong), SqlMapping(), WORDS)
    with pytest.raises(StatusUnreadable, match="列 submitted_at"):
        read.by_id("A-1")
    read.close()


def test_mapping_with_a_wrong_key_is_refused_by_name(tmp_path: Path) -> None:
    text = MAPPING.replace('kind"', 'kind"\ncolour = "x"')
    with pytest.raises(StatusMisconfigured, match="applications.colour 不认识这个键"):
        load_model(written(tmp_path, "mapping.toml", text), SqlMapping)


def test_column_that_is_not_there_is_told_and_not_taken_for_a_text(tmp_path: Path) -> None:
    wrong = MAPPING.replace('"who"', '"申请人"')
    read = SqlConnector(
        database(tmp_path, OWN), load_model(written(tmp_path, "mapping.toml", wrong), SqlMapping), WORDS
    )
    with pytest.raises(StatusUnavailable):
        read.by_id("X-1")
    read.close()


def test_more_steps_than_are_read_are_told_and_not_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql_connector, "MOST_STEPS", 2)
    read = SqlConnector(database(tmp_path, USUAL), SqlMapping(), WORDS)
    with pytest.raises(StatusUnreadable, match="环节超过 2 条"):
        read.by_id("A-1")
    assert read.by_id("A-2") is not None
    read.close()
