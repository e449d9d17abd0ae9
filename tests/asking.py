"""Asking a running service as its clients do: in one piece, as a stream of events, with documents put in."""

import json
import time
from dataclasses import dataclass
from typing import Any

import httpx


@dataclass(frozen=True)
class Told:
    """One event of a stream as it arrived."""

    number: int
    name: str
    data: Any


def events_of(response: httpx.Response, stop_at: str = "") -> list[Told]:
    """The events of an open response, up to the first one named `stop_at`."""
    found: list[Told] = []
    number, name = 0, ""
    for line in response.iter_lines():
        field, _, value = line.partition(": ")
        if field == "id":
            number = int(value)
        elif field == "event":
            name = value
        elif field == "data":
            found.append(Told(number, name, json.loads(value)))
            if name == stop_at:
                break
    return found


def ask(client: httpx.Client, message: str, **more: Any) -> dict[str, Any]:
    response = client.post("/api/v1/chat", json={"message": message, "stream": False, **more})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def stream(client: httpx.Client, message: str, stop_at: str = "", **more: Any) -> list[Told]:
    with client.stream("POST", "/api/v1/chat", json={"message": message, **more}) as response:
        assert response.status_code == 200
        return events_of(response, stop_at)


def replay(client: httpx.Client, message_id: str, after: int = 0) -> list[Told]:
    """The events of a message above number `after`, to its end."""
    headers = {"Last-Event-ID": str(after)}
    with client.stream("GET", f"/api/v1/messages/{message_id}/events", headers=headers) as response:
        return events_of(response)


def put(client: httpx.Client, name: str, text: str) -> None:
    """Upload a text and wait until it can be asked about."""
    accepted = client.post("/api/v1/documents", files={"file": (name, text.encode())}).json()
    for _ in range(600):
        task = client.get(f"/api/v1/tasks/{accepted['task_id']}").json()
        if task["state"] != "running":
            assert task["state"] == "done", task
            return
        time.sleep(0.05)
    raise AssertionError("the task did not finish")
