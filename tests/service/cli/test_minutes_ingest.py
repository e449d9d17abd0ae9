"""`zhixing minutes ingest` as a program: a report on each file, exit codes, a kill that redoes nothing."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from service.meetings import SegmentationOut
from tests.running import serving

SECONDS = 120
FILES = 6
TALK = """会议主题：第{number}次例会
会议时间：2026-03-{number:02}

张总：先看{number}号仓库的盘点，差了{number}箱。
李四：{number}号仓库是发货没有扫码，我下周五之前补齐。
张总：那就这么定。
王敏：下一个议题，{number}号班车的时间。
李四：早班车改到七点，司机都同意。
"""


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Of a service that runs: a command that goes through it starts soon."""
    folder = tmp_path_factory.mktemp("minutes") / "home"
    with serving(folder, env={"ZHIXING_INGEST_WORKERS": "1"}):
        yield folder


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "ZHIXING_HOME": str(home), "ZHIXING_INGEST_WORKERS": "1"}


def command(folder: Path, *options: str) -> list[str]:
    return [sys.executable, "-m", "service.cli", "minutes", "ingest", str(folder), *options]


def ingest(folder: Path, home: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(folder, *options),
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def report(ran: "subprocess.CompletedProcess[str]") -> Any:
    assert ran.stdout, ran.stderr
    return json.loads(ran.stdout)


def write_meetings(folder: Path, count: int) -> None:
    folder.mkdir()
    for number in range(1, count + 1):
        (folder / f"例会{number:02}.txt").write_text(TALK.format(number=number), encoding="utf-8")


def published(home: Path) -> dict[str, tuple[str, str]]:
    """File -> its revision, and when that began to answer, as the record tells somebody who looks on."""
    path = home / "zhixing.db"
    if not path.exists():
        return {}
    statement = (
        "SELECT source_uri, revision_id, published_at FROM files "
        "JOIN revisions ON revisions.id = revision_id WHERE phase = 'published'"
    )
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        try:
            return {uri: (revision, at) for uri, revision, at in connection.execute(statement)}
        except sqlite3.OperationalError:  # the tables are being made
            return {}


def test_a_folder_comes_in_with_a_report_on_each_file_and_what_is_no_meeting_is_named(
    home: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "会议"
    write_meetings(folder, 3)
    (folder / "README.md").write_text("# 说明\n", encoding="utf-8")
    (folder / "人员.csv").write_text("姓名\n张三\n", encoding="utf-8")
    first = ingest(folder, home, "--json", "--label", "group:仓库")
    assert first.returncode == 0, first.stderr
    found = report(first)
    assert [line["file"] for line in found["files"]] == ["例会01.txt", "例会02.txt", "例会03.txt"]
    for line in found["files"]:
        figures = line["figures"]
        assert line["state"] == "parsed" and figures["difference"] == 0 and figures["paragraphs"] == 7
        assert figures["segments"] >= 1 and figures["rounds"] == 1 and figures["engine"] == "offline"
        written = (home / "minutes" / f"{line['document_id']}.json").read_bytes()
        assert SegmentationOut.model_validate_json(written).completeness.passed
    skipped = {unquote(one["source"]).rpartition("/")[2]: one["reason"] for one in found["skipped"]}
    assert set(skipped) == {"README.md", "人员.csv"} and all(skipped.values())
    totals = found["report"]
    assert (totals["meetings"], totals["difference"], totals["failed"], totals["skipped"]) == (3, 0, 0, 2)
    dense = totals["segments_per_10k_chars"]
    assert 0 < dense["min"] <= dense["median"] <= dense["max"]

    (folder / "空.txt").write_text("\n", encoding="utf-8")
    second = ingest(folder, home)
    assert second.returncode == 1
    assert "空.txt：会议记录里没有文字" in second.stdout
    assert "未变跳过 3 个" in second.stdout and "未入库 1 个" in second.stdout
    assert "README.md" in second.stdout


def test_a_folder_that_is_not_there_is_wrong_use(home: Path, tmp_path: Path) -> None:
    assert ingest(tmp_path / "没有", home).returncode == 2


def test_killed_in_the_middle_and_given_again_it_redoes_nothing_that_was_finished(tmp_path: Path) -> None:
    folder, home = tmp_path / "会议", tmp_path / "home"
    write_meetings(folder, FILES)
    process = subprocess.Popen(
        command(folder),
        env=environment(home),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + SECONDS
    while len(published(home)) < FILES // 3:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = published(home)
    assert FILES // 3 <= len(before) < FILES
    resumed = report(ingest(folder, home, "--json"))
    assert resumed["task"]["state"] == "done" and resumed["report"]["meetings"] == FILES
    assert resumed["report"]["unchanged"] >= len(before)
    after = published(home)
    assert len(after) == FILES and {uri: after[uri] for uri in before} == before
    assert len(list((home / "minutes").glob("*.json"))) == FILES
