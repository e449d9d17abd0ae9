"""The service as its users start it, and what stands around it in these tests."""

import functools
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx

from service.access import Role
from service.store.database import Database
from service.store.keys import KeyStore

DOCUMENTS = Path(__file__).resolve().parent.parent / "cases" / "widget" / "documents"
COMMAND = (sys.executable, "-c", "from service.cli import main; main()")
START_SECONDS = 60.0


def new_key(home: Path) -> str:
    """A reader's key, made before the service of this home starts."""
    home.mkdir()
    database = Database(f"sqlite:///{home / 'zhixing.db'}")
    try:
        database.migrate()
        return KeyStore(database).create("门户", Role.READER)[1]
    finally:
        database.close()


@contextmanager
def running_service(home: Path, **settings: str) -> Iterator[str]:
    """`zhixing serve` on a free port; yields its address. `settings` without the ZHIXING_ prefix."""
    log = home.with_suffix(".log")
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(
            [*COMMAND, "serve", "--port", "0"], env=_environment(home, settings), stdout=output, stderr=output
        )
        try:
            yield _address(home, process, log)
        finally:
            process.terminate()
            process.wait(START_SECONDS)


def _address(home: Path, process: subprocess.Popen[bytes], log: Path) -> str:
    announced = home / "run.json"
    for _ in range(int(START_SECONDS / 0.1)):
        if announced.is_file():
            return str(json.loads(announced.read_text(encoding="utf-8"))["url"])
        if process.poll() is not None:
            break
        time.sleep(0.1)
    raise AssertionError(f"the service did not start:\n{log.read_text(encoding='utf-8')}")


def _environment(home: Path, settings: dict[str, str]) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ZHIXING_")}
    given = {f"ZHIXING_{name.upper()}": value for name, value in settings.items()}
    return {**inherited, "ZHIXING_HOME": str(home), "ZHIXING_INGEST_WORKERS": "1", **given}


def upload(service: str, files: list[Path]) -> None:
    """Puts files into the library and waits until they answer questions."""
    with httpx.Client(base_url=f"{service}/api/v1", trust_env=False, timeout=START_SECONDS) as client:
        for file in files:
            sent = client.post("/documents", files={"file": (file.name, file.read_bytes())})
            task = sent.raise_for_status().json()["task_id"]
            while (state := client.get(f"/tasks/{task}").raise_for_status().json())["state"] == "running":
                time.sleep(0.1)
            assert (state["state"], state["failed"]) == ("done", 0), state


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Requests to a test's own page are nobody's news."""


class Site:
    """A site of somebody else: static files of a folder, on a port of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        handler = functools.partial(_Quiet, directory=str(folder))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    @property
    def origin(self) -> str:
        """By the name `localhost`, which is another site than 127.0.0.1."""
        return f"http://localhost:{self._server.server_address[1]}"

    def put(self, name: str, html: str) -> str:
        """Publishes a page and returns its address."""
        self._folder.mkdir(parents=True, exist_ok=True)
        (self._folder / name).write_text(f'<!doctype html><meta charset="utf-8">{html}', encoding="utf-8")
        return f"{self.origin}/{name}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
