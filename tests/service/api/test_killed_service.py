"""The service is killed in the middle of uploads: after a restart everything acknowledged is there, whole."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx

from tests.asking import put, replay, stream
from tests.doubles.behaviours import slow
from tests.doubles.llm import LlmDouble
from tests.running import Running, serving
from tests.service.knowledge.conftest import GIFTS, ROOMS, TRAVEL, TRIP

FILES = 12


def text_of(number: int) -> bytes:
    return f"# 设施规定{number}\n\n".encode() + b"".join(
        f"第{article}条 {number}号设施每天{article}点开放。\n\n".encode() for article in range(1, 40)
    )


def children_of(pid: int) -> Iterator[int]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            status = (folder / "stat").read_text() if (folder / "stat").exists() else ""
            if status and int(status.rpartition(")")[2].split()[1]) == pid:
                yield int(folder.name)
                yield from children_of(int(folder.name))


def upload(client: httpx.Client, number: int) -> str | None:
    """The document's id, if the upload was acknowledged."""
    try:
        response = client.post("/api/v1/documents", files={"file": (f"设施{number}.md", text_of(number))})
    except httpx.TransportError:
        return None
    return str(response.json()["document_id"]) if response.status_code == 202 else None


def killed_while_uploading(running: Running) -> dict[int, str]:
    """File numbers and document ids of what was acknowledged until the kill."""
    with running.client() as client, ThreadPoolExecutor(4) as pool:
        uploads = [pool.submit(upload, client, number) for number in range(FILES)]
        while sum(one.done() for one in uploads) < FILES // 2:
            time.sleep(0.01)
        kill(running)
    found = {number: one.result() for number, one in enumerate(uploads)}
    return {number: document_id for number, document_id in found.items() if document_id}


def kill(running: Running) -> None:
    """At once, and wait until its children have ended by themselves."""
    children = [Path(f"/proc/{pid}/cmdline") for pid in children_of(running.process.pid)]
    running.process.send_signal(signal.SIGKILL)
    running.process.wait()
    deadline = time.monotonic() + 20
    while any(child.exists() and child.read_bytes() for child in children):
        assert time.monotonic() < deadline, "children outlived the service"
        time.sleep(0.05)


def test_told_to_stop_it_puts_everything_away(tmp_path: Path) -> None:
    """Also in the middle of an upload that goes on at the next start."""
    home = tmp_path / "home"
    with serving(home) as running, running.client() as client:
        assert upload(client, 1)
        children = [Path(f"/proc/{pid}/cmdline") for pid in children_of(running.process.pid)]
        started = time.monotonic()
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(30) == 0
        assert time.monotonic() - started < 15
    assert not (home / "run.json").exists()
    assert not any(child.exists() and child.read_bytes() for child in children)


def test_nothing_acknowledged_is_lost_and_nothing_is_there_by_half(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with serving(home) as running:
        acknowledged = killed_while_uploading(running)
    assert len(acknowledged) >= FILES // 2
    with serving(home) as running, running.client() as client:
        deadline = time.monotonic() + 60
        while os.listdir(home / "inbox") and time.monotonic() < deadline:
            time.sleep(0.1)
        for number, document_id in acknowledged.items():
            path = f"/api/v1/documents/{document_id}"
            assert [item["chunk_count"] > 0 for item in client.get(path).json()["revisions"]] == [True]
            assert client.get(f"{path}/original").content == text_of(number)
        assert client.get("/readyz").json()["checks"] == {"database": "ok", "index": "ok"}


def test_an_answer_that_the_kill_cut_off_ends_in_an_error(tmp_path: Path, llm_double: LlmDouble) -> None:
    """Whether the client saw some of it or nothing."""
    home = tmp_path / "home"
    model = {
        "ZHIXING_LLM_MODEL": "strong-double",
        "ZHIXING_LLM_BASE_URL": llm_double.base_url,
        "ZHIXING_LLM_API_KEY": "unused",
    }
    llm_double.script(slow(60))
    with serving(home, env=model) as running, running.client() as client:
        for name, text in (("差旅.md", TRAVEL), ("会议室.md", ROOMS), ("礼品.md", GIFTS)):
            put(client, name, text)
        seen = stream(client, TRIP, stop_at="references")
        assert seen[-1].name == "references"
        kill(running)
    message_id = seen[0].data["message_id"]
    with serving(home) as running, running.client() as client:
        for after in (0, seen[-1].number):
            (last,) = replay(client, message_id, after)
            assert (last.name, last.data["code"], last.number) == ("error", "interrupted", after + 1)
        whole = stream(client, TRIP)
        assert replay(client, whole[0].data["message_id"], whole[-1].number) == []
