"""Applications in files: what is read, what is refused with its row, and that a change is noticed."""

import json
import os
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from service.process.status.applications import Outcome, Status
from service.process.status.errors import StatusUnavailable
from service.process.status.file_connector import FileConnector
from tests.service.process.status.status_parts import CHINA, WORDS, at, written

HEAD = "申请编号,流程编号,流程,标题,申请人编号,申请人,状态,环节,办理人编号,办理人,动作,时间,说明"
ROWS = """A-1,SEAL,用印申请,公章,wenting,温婷,,提交,wenting,温婷,提交,2026-11-12 10:20,
A-1,SEAL,用印申请,公章,wenting,温婷,,部门初审,qiuyan,邱岩,同意,2026/11/12 16:05,可以
A-1,SEAL,用印申请,公章,wenting,温婷,,法务审核,hewen,贺文,待办,2026/11/12 16:05,
A-2,SEAL,用印申请,,wenting,温婷,已驳回,提交,wenting,温婷,提交,2026-11-13 09:00,
"""
CSV = f"{HEAD}\n{ROWS}"
JSON = [
    {
        "id": "B-1",
        "process": "资产申请",
        "applicant": {"id": "wenting"},
        "steps": [{"outcome": "提交", "at": "2026-11-14 09:00"}],
    }
]


def connector(path: Path) -> FileConnector:
    return FileConnector(path, WORDS, CHINA)


def touch(path: Path, text: str) -> None:
    """Change a file so that its time differs, however coarse the file system's clock is."""
    before = path.stat().st_mtime_ns if path.exists() else 0
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(before + 2_000_000_000, before + 2_000_000_000))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_rows_of_one_number_are_one_application(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "applications.csv"
    path.write_bytes(CSV.encode(encoding))
    found = connector(path).by_id("A-1")
    assert found is not None
    assert (found.process_id, found.status, found.current_node) == ("SEAL", Status.RUNNING, "法务审核")
    assert found.since == found.timeline[1].at == at("2026-11-12 16:05")
    assert [each.outcome for each in found.timeline] == [Outcome.SUBMITTED, Outcome.APPROVED]
    assert found.timeline[1].comment == "可以"


def test_own_ones_come_newest_first(tmp_path: Path) -> None:
    read = connector(written(tmp_path, "applications.csv", CSV))
    assert [each.id for each in read.of_applicant("wenting")] == ["A-2", "A-1"]
    assert read.of_applicant("hewen") == []
    assert read.by_id("A-3") is None


def test_folder_is_all_its_files(tmp_path: Path) -> None:
    written(tmp_path, "a.csv", CSV)
    written(tmp_path, "b.json", json.dumps(JSON))
    written(tmp_path, "~$a.csv", "locked")
    written(tmp_path, "notes.txt", "not data")
    read = connector(tmp_path)
    assert [each.id for each in read.of_applicant("wenting")] == ["B-1", "A-2", "A-1"]


def test_changed_file_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path, "applications.csv", CSV)
    read = connector(path)
    assert read.by_id("A-9") is None
    touch(path, CSV.replace("A-2", "A-9"))
    assert read.by_id("A-9") is not None
    assert read.by_id("A-2") is None


def test_new_file_in_the_folder_is_noticed(tmp_path: Path) -> None:
    written(tmp_path, "a.csv", CSV)
    read = connector(tmp_path)
    assert read.by_id("B-1") is None
    written(tmp_path, "b.json", json.dumps(JSON))
    assert read.by_id("B-1") is not None


def test_change_for_the_worse_leaves_what_was_read_until_it_is_mended(tmp_path: Path) -> None:
    path = written(tmp_path, "applications.csv", CSV)
    read = connector(path)
    assert read.by_id("A-1") is not None
    touch(path, CSV.replace("2026/11/12 16:05", "noon"))
    assert read.by_id("A-1") is not None
    path.unlink()
    assert read.by_id("A-1") is not None
    touch(path, CSV.replace("A-1", "A-7"))
    assert read.by_id("A-7") is not None


def fault_of(read: FileConnector, asked: str) -> str:
    """What the log says of a file that cannot be used; who asks is told nothing of what is in it."""
    with capture_logs() as lines, pytest.raises(StatusUnavailable) as told:
        read.by_id(asked)
    assert told.value.message == "申请数据读不出来，原因记在服务的日志里，请联系管理员"
    (line,) = lines
    return str(line["reason"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("申请编号,流程\nA-1,用印申请\n", "applications.csv：缺少列 申请人编号"),
        (CSV.replace("2026-11-13 09:00", "昨天"), "第 5 行的时间写法不对"),
        (CSV.replace("A-2,", ",", 1), "第 5 行没有写申请编号"),
        (CSV.replace(",wenting,温婷,已驳回", ",,温婷,已驳回"), "第 5 行没有写申请人编号"),
        (CSV.replace("A-2", "A-1").replace("wenting,温婷,已", "gusen,顾森,已"), "第 5 行的申请人编号"),
        (HEAD + '\n"A-1', "不是合格的 CSV"),
        ("", "缺少列"),
    ],
)
def test_faulty_file_is_told_with_its_row(text: str, said: str, tmp_path: Path) -> None:
    read = connector(written(tmp_path, "applications.csv", text))
    assert said in fault_of(read, "A-1")


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([{**JSON[0], "owner": "x"}], "0.owner 不认识这个键"),
        ([{**JSON[0], "steps": []}], "0.steps"),
        ([{**JSON[0], "steps": [{"outcome": "提交", "at": "noon"}]}], "0.steps.0.at写法不对"),
        ([*JSON, *JSON], "申请编号 B-1 出现了两次"),
        ({}, "整个文件"),
    ],
)
def test_faulty_json_is_told_with_its_key(value: object, said: str, tmp_path: Path) -> None:
    read = connector(written(tmp_path, "applications.json", json.dumps(value)))
    assert said in fault_of(read, "B-1")


def test_a_file_that_is_away_for_a_moment_is_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, "applications.csv", CSV)
    read = connector(path)
    with monkeypatch.context() as away:
        away.setattr(Path, "read_bytes", _away)
        with pytest.raises(StatusUnavailable):
            read.by_id("A-1")
    assert read.by_id("A-1") is not None


def _away(path: Path) -> bytes:
    raise OSError(112, "Host is down")


@pytest.mark.parametrize("name", ["absent.csv", "empty", "notes.txt"])
def test_nothing_to_read_is_told_when_asked_and_not_at_the_start(name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    written(tmp_path, "notes.txt", "not data")
    read = connector(tmp_path / name)
    with pytest.raises(StatusUnavailable, match="请联系管理员"):
        read.by_id("A-1")
