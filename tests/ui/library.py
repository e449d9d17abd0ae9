"""A console with a small library, and the files a maintainer brings to it."""

from dataclasses import dataclass

import httpx
from playwright.sync_api import FilePayload, Locator, Page, expect

from tests.ingestion.parsers.drawn_pdf import draw

SETTLED_MS = 30_000
PASSWORD = "kaimen"


@dataclass(frozen=True)
class Console:
    """A running service; `key` signs in a contributor where keys are asked for."""

    url: str
    key: str = ""

    def page(self, path: str = "") -> str:
        return f"{self.url}/app{path}"

    def api(self) -> httpx.Client:
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        return httpx.Client(base_url=f"{self.url}/api/v1", headers=headers, trust_env=False, timeout=60)


def markdown(title: str, *paragraphs: str) -> FilePayload:
    text = f"# {title}\n\n" + "\n\n".join(paragraphs)
    return {"name": f"{title}.md", "mimeType": "text/markdown", "buffer": text.encode()}


def minutes(name: str, *lines: str) -> FilePayload:
    """The record of a meeting as a text file; `name` is also its title."""
    return {"name": f"{name}.txt", "mimeType": "text/plain", "buffer": "\n".join((name, *lines)).encode()}


def broken_word_file(name: str) -> FilePayload:
    return {"name": name, "mimeType": "application/octet-stream", "buffer": b"PK\x03\x04 cut off" * 20}


def locked_pdf(name: str) -> FilePayload:
    lines = ["Contract number 2026-17", "The fee is 300 yuan per day."]
    data = draw(lambda page: page.lines(72, 72, lines), password=PASSWORD)
    return {"name": name, "mimeType": "application/pdf", "buffer": data}


def give(console: Console, *files: FilePayload, **form: str) -> None:
    """Puts files into the library past the console and waits until each has come to its state."""
    with console.api() as client:
        tasks = [
            client.post("/documents", data=form, files={"file": (file["name"], file["buffer"])})
            .raise_for_status()
            .json()["task_id"]
            for file in files
        ]
        for task in tasks:
            while client.get(f"/tasks/{task}").raise_for_status().json()["state"] == "running":
                pass


def give_minutes(console: Console, *files: FilePayload, **form: str) -> list[str]:
    """Puts meetings into the archive past the console; the ids of their documents."""
    with console.api() as client:
        return [_taken(client, file, form) for file in files]


def _taken(client: httpx.Client, file: FilePayload, form: dict[str, str]) -> str:
    sent = client.post("/minutes", data=form, files={"file": (file["name"], file["buffer"])})
    task = sent.raise_for_status().json()["task_id"]
    while client.get(f"/tasks/{task}").raise_for_status().json()["state"] == "running":
        pass
    record = client.get("/files", params={"task_id": task}).raise_for_status().json()["items"][0]
    return str(record["document_id"])


def upload(page: Page, *files: FilePayload) -> None:
    """Picks files the way a person does: the button opens the browser's dialog."""
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="选择文件").click()
    chooser.value.set_files(list(files))


def line_of(page: Page, name: str) -> Locator:
    """The latest line of a file among this visit's uploads, once it has settled."""
    line = page.locator(".upload", has=page.get_by_text(name, exact=True)).first
    expect(line.locator(".tag").first).not_to_have_text("排队中", timeout=SETTLED_MS)
    expect(line.locator(".tag").first).not_to_have_text("正在入库", timeout=SETTLED_MS)
    return line


def card_of(page: Page, title: str) -> Locator:
    return page.locator(".card", has=page.get_by_role("heading", name=title, exact=True))


def search_for(page: Page, title: str) -> None:
    """Finds the one document of this title."""
    page.get_by_label("按标题查找").fill(title)
    expect(page.locator(".card")).to_have_count(1)
