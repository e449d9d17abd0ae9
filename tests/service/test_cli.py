"""The command line as a program: exit codes, JSON, and talking to the service that holds the home."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.running import Running


def run(*arguments: str, home: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "service.cli", *arguments],
        env={**os.environ, "ZHIXING_HOME": str(home), **environment},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )


def run_json(*arguments: str, home: Path) -> Any:
    done = run(*arguments, "--json", home=home)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


def test_ask_goes_through_the_running_service(running: Running) -> None:
    answer = run_json("ask", "公章是谁在管？", home=running.home)
    assert "赵颖" in answer["answer"]
    assert answer["citations"]


def test_retrieve_explains_every_candidate(running: Running) -> None:
    found = run_json("retrieve", "年假", "--explain", home=running.home)
    assert found["candidates"]
    assert all({"keyword_score", "vector_score", "cut", "matched"} <= set(c) for c in found["candidates"])


def test_ingest_takes_a_folder_and_lists_what_failed(running: Running, tmp_path: Path) -> None:
    (tmp_path / "好.md").write_text("# 雨伞借用\n\n雨伞在前台借用，三天内归还。\n", encoding="utf-8")
    (tmp_path / "坏.pdf").write_bytes(b"%PDF-1.4 broken")
    (tmp_path / ".隐藏.md").write_text("# 不该读\n", encoding="utf-8")
    first = run("ingest", str(tmp_path), "--kb", "cli", "--json", home=running.home)
    assert first.returncode == 1
    result = json.loads(first.stdout)
    states = {item["file_name"]: item["state"] for item in result["files"]}
    assert states == {"好.md": "parsed", "坏.pdf": "failed"}
    again = json.loads(run("ingest", str(tmp_path), "--kb", "cli", "--json", home=running.home).stdout)
    assert again["task"]["unchanged"] == 2


def test_a_command_without_a_service_serves_itself(tmp_path: Path) -> None:
    note = tmp_path / "雨伞.md"
    note.write_text("# 雨伞借用\n\n雨伞在前台借用，三天内归还。\n", encoding="utf-8")
    home = tmp_path / "home"
    assert run("ingest", str(note), home=home).returncode == 0
    assert "前台" in run_json("ask", "雨伞在哪里借用？", home=home)["answer"]


def test_parse_prints_blocks_and_a_balanced_report(tmp_path: Path) -> None:
    note = tmp_path / "雨伞.md"
    note.write_text("# 雨伞借用\n\n雨伞在前台借用。\n", encoding="utf-8")
    parsed = run_json("parse", str(note), home=tmp_path / "home")
    assert parsed["state"] == "parsed"
    assert [block["kind"] for block in parsed["blocks"]] == ["heading", "paragraph"]
    report = parsed["report"]
    assert report["chars_kept"] + sum(d["chars"] for d in report["dropped"]) == report["chars_in"]
    told = run("parse", str(note), home=tmp_path / "home")
    assert "读取：读得完整" in told.stderr and "入库" not in told.stderr
    (tmp_path / "空.docx").write_bytes(b"")
    failed = run("parse", str(tmp_path / "空.docx"), "--json", home=tmp_path / "home")
    assert failed.returncode == 1
    assert json.loads(failed.stdout)["reason"] == "empty"


def test_inventory_reports_copies_and_a_first_batch(tmp_path: Path) -> None:
    folder = tmp_path / "共享盘"
    folder.mkdir()
    text = "# 雨伞借用办法\n\n" + "雨伞在前台借用，三天内归还，逾期须说明原因。" * 5
    for name in ("雨伞借用办法.md", "雨伞借用办法 - 副本.md"):
        (folder / name).write_text(text, encoding="utf-8")
    found = run_json("inventory", str(folder), home=tmp_path / "home")
    assert found["files"] == 2
    assert len(found["exact"]) == 1
    assert len(found["first_batch"]) == 1
    assert not (tmp_path / "home").exists()


def test_wrong_use_ends_with_two(tmp_path: Path) -> None:
    assert run("ingest", str(tmp_path / "没有"), home=tmp_path).returncode == 2
    assert run("nonsense", home=tmp_path).returncode == 2
    refused = run("serve", "--host", "0.0.0.0", home=tmp_path)
    assert refused.returncode == 2
    assert "ZHIXING_AUTH=keys" in refused.stderr
    assert "ZHIXING_HOST=127.0.0.1" in refused.stderr


def test_keys_are_shown_once_and_can_be_revoked(tmp_path: Path) -> None:
    home = tmp_path / "home"
    made = run_json("keys", "create", "门户", "--role", "reader", home=home)
    assert made["key"].startswith("zx-")
    listed = run_json("keys", "list", home=home)
    assert [(k["id"], k["revoked_at"]) for k in listed] == [(made["id"], None)]
    assert made["key"] not in json.dumps(listed)
    assert run("keys", "revoke", made["id"], home=home).returncode == 0
    assert run_json("keys", "list", home=home)[0]["revoked_at"] is not None


@pytest.mark.parametrize("after", [1.5, 4.0])
def test_a_killed_ingest_goes_on_where_it_was(tmp_path: Path, after: float) -> None:
    folder, home = tmp_path / "files", tmp_path / "home"
    folder.mkdir()
    for number in range(12):
        body = f"第{number}号柜的钥匙由{number}号管理员保管，借用须登记。" * 40
        (folder / f"钥匙{number}.md").write_text(f"# 钥匙管理{number}\n\n{body}\n", encoding="utf-8")
    command = [sys.executable, "-m", "service.cli", "ingest", str(folder)]
    process = subprocess.Popen(
        command,
        env={**os.environ, "ZHIXING_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    time.sleep(after)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    resumed = run_json("ingest", str(folder), home=home)
    assert resumed["task"]["state"] == "done"
    again = run_json("ingest", str(folder), home=home)
    assert again["task"]["unchanged"] == again["task"]["total"] == 12


def test_a_watched_folder_is_followed_until_it_is_interrupted(running: Running, tmp_path: Path) -> None:
    folder = tmp_path / "雨具"
    folder.mkdir()
    first = folder / "雨鞋.md"
    first.write_text("# 雨鞋借用\n\n雨鞋在前台借用，三天内归还。\n", encoding="utf-8")
    printed = tmp_path / "printed.txt"
    with printed.open("w", encoding="utf-8") as output:
        watching = subprocess.Popen(
            [sys.executable, "-m", "service.cli", "ingest", str(folder), "--kb", "watched", "--watch"],
            env={**os.environ, "ZHIXING_HOME": str(running.home), "PYTHONUNBUFFERED": "1"},
            stdout=output,
            stderr=output,
        )
    try:
        wait_for_text(printed, "正在跟随")
        time.sleep(1)  # the watch begins right after it says so
        first.rename(folder / "雨鞋借用办法.md")
        wait_for_text(printed, "雨鞋.md → 雨鞋借用办法.md")
    finally:
        watching.send_signal(signal.SIGINT)
        watching.wait(60)
    assert watching.returncode == 0, printed.read_text(encoding="utf-8")


def wait_for_text(path: Path, text: str, seconds: float = 60.0) -> None:
    for _ in range(int(seconds / 0.1)):
        if text in path.read_text(encoding="utf-8"):
            return
        time.sleep(0.1)
    raise AssertionError(f"{text!r} was not printed: {path.read_text(encoding='utf-8')}")
