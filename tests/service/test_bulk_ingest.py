"""One command takes a folder of mixed files in; killed in the middle and given again, it redoes nothing."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

from service import bootstrap
from service.access import LOCAL
from service.config import Settings
from service.home import Home
from service.retrieval.protocols import Question
from tests.service.mixed_files import code, is_spoiled, write_files
from tests.soaking import times

FILES = times(quick=80, soak=2_000)
SECONDS = times(quick=120, soak=3_000)
ASKED = 20  # of the files, spread over all of them, are asked for at the end

Published = dict[str, tuple[str, str]]  # file -> its revision, and when that began to answer


def test_a_folder_killed_in_the_middle_goes_on_and_redoes_nothing(tmp_path: Path) -> None:
    folder, home = tmp_path / "共享盘", tmp_path / "home"
    paths = write_files(folder, FILES)
    done_before = ingest_until_killed(folder, home, FILES // 2)
    assert FILES // 2 <= len(done_before) < FILES

    resumed = ingest(folder, home)
    states = {item["file_name"]: item["state"] for item in resumed["files"]}
    spoiled = {path.name for number, path in enumerate(paths) if is_spoiled(number)}
    assert states == {path.name: "failed" if path.name in spoiled else "parsed" for path in paths}
    assert all(item["message"] for item in resumed["files"] if item["state"] == "failed")
    assert resumed["task"]["unchanged"] >= len(done_before)
    done = finished(home)
    assert {uri: done[uri] for uri in done_before} == done_before

    again = ingest(folder, home)
    assert again["task"]["unchanged"] == again["task"]["total"] == FILES
    whole_and_found(home, FILES - len(spoiled))


def ingest_until_killed(folder: Path, home: Path, enough: int) -> Published:
    """What was finished when the command and its workers were killed."""
    command = [sys.executable, "-m", "service.cli", "ingest", str(folder)]
    process = subprocess.Popen(
        command,
        env=environment(home),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + SECONDS
    while len(finished(home)) < enough:
        assert process.poll() is None and time.monotonic() < deadline
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return finished(home)


def ingest(folder: Path, home: Path) -> Any:
    done = subprocess.run(
        [sys.executable, "-m", "service.cli", "ingest", str(folder), "--json"],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 1, done.stderr  # some files are spoiled
    return json.loads(done.stdout)


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "ZHIXING_HOME": str(home)}


def finished(home: Path) -> Published:
    """As the record tells it to somebody who looks on."""
    path = home / "zhixing.db"
    if not path.exists():
        return {}
    statement = (
        "SELECT source_uri, revision_id, coalesce(published_at, '') FROM files "
        "LEFT JOIN revisions ON revisions.id = revision_id"
    )
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        try:
            return {uri: (revision or "", at) for uri, revision, at in connection.execute(statement)}
        except sqlite3.OperationalError:  # the tables are being made
            return {}


def whole_and_found(home: Path, documents: int) -> None:
    with Home(home) as held:
        parts = bootstrap.build(Settings(home=home, _env_file=None), held)
        try:
            assert parts.check() == {"database": "", "index": ""}
            assert parts.documents.page(LOCAL, page_size=1).total == documents
            for number in range(0, FILES, FILES // ASKED):
                if is_spoiled(number):
                    continue
                found = parts.retriever.retrieve(Question(f"编号{code(number)}"), None, day=date.today())
                assert any(code(number) in item.chunk.text for item in found.evidence), number
        finally:
            parts.close()
