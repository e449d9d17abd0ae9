"""The application in this process with AUTH=keys, for tests that ask as several people."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from service import bootstrap
from service.access import Role
from service.app import create_app
from service.config import Settings
from service.home import Home


@contextmanager
def keyed_parts(folder: Path) -> Iterator[bootstrap.Parts]:
    settings = Settings(home=folder, auth="keys", ingest_workers=1, max_upload_mb=1, _env_file=None)
    with Home(folder) as home:
        parts = bootstrap.build(settings, home)
        yield parts
        parts.close()


class People:
    """A client for each person, made when first asked for."""

    def __init__(self, parts: bootstrap.Parts) -> None:
        self._parts = parts
        self._app = create_app(parts, with_console=False)

    @contextmanager
    def client(self, role: Role, department: str = "", *groups: str) -> Iterator[TestClient]:
        _id, key = self._parts.keys.create("某人", role, department, groups)
        headers = {"Authorization": f"Bearer {key}", "X-Request-Id": "r"}
        with TestClient(self._app, headers=headers, raise_server_exceptions=False) as opened:
            yield opened


def upload(client: TestClient, name: str, text: str, **form: str | list[str]) -> dict[str, Any]:
    """Upload, wait, and return the file's record."""
    accepted = client.post("/api/v1/documents", files={"file": (name, text.encode())}, data=form)
    assert accepted.status_code == 202, accepted.text
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        task = client.get(f"/api/v1/tasks/{accepted.json()['task_id']}").json()
        if task["state"] != "running":
            record: dict[str, Any] = task["files"][0]
            return record
        time.sleep(0.05)
    raise AssertionError("the task did not finish")
