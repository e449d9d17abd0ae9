"""`zhixing ingest --sample N`: try a few files of each class in a home of its own, and publish nothing.

Shows, for each class of documents, the chunks, the text that was dropped, and what three test questions find.
"""

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.table import Table

from ingestion.documents import FileState
from service.cli.printing import out, print_json
from service.cli.running import Client, connected
from service.config import Settings
from service.intake import Incoming, files_under
from service.wording import READINGS, drop_words

QUESTIONS = 3
SHOWN_CHUNKS = 3
SHOWN_CHARACTERS = 120


def sample(paths: Sequence[Path], count: int, password: str | None, as_json: bool) -> None:
    classes = _classes(paths, count)
    with (
        TemporaryDirectory(prefix="zhixing-sample-") as folder,
        connected(apart(Settings(), Path(folder))) as client,
    ):
        found = {name: _try(client, name, chosen, password) for name, chosen in classes.items()}
    if as_json:
        print_json(found)
        return
    for name, result in found.items():
        _print_class(name, result)
    out.print("以上只是试读，没有发布任何内容。确认后去掉 --sample 再运行。")


def apart(settings: Settings, home: Path) -> Settings:
    """The settings with everything that is stored in `home`, also where a server is configured for it."""
    stored = {"home": home, "database_url": None, "qdrant_url": None, "terms_dir": settings.terms}
    return settings.model_copy(update=stored)


def _classes(paths: Sequence[Path], count: int) -> dict[str, list[Path]]:
    """At most `count` files of each extension, the same ones every time."""
    groups: dict[str, list[Path]] = defaultdict(list)
    for item in files_under(paths, Incoming("", "")):
        if item.path is not None:
            groups[item.path.suffix.lower().lstrip(".") or "无扩展名"].append(item.path)
    chooser = random.Random(0)
    return {
        name: sorted(chooser.sample(found, min(count, len(found)))) for name, found in sorted(groups.items())
    }


def _try(client: Client, name: str, files: list[Path], password: str | None) -> Any:
    body = {"paths": [str(path) for path in files], "knowledge_base": name, "password": password}
    task = client.follow_task(client.post("/api/v1/local/imports", body)["task_id"], lambda _task: None)
    records = client.get("/api/v1/files", task_id=task["id"], page_size=200)["items"]
    chunks = [chunk for record in records for chunk in _chunks(client, record)]
    questions = [_search(client, name, question) for question in _questions(chunks)]
    return {"files": records, "chunks": chunks, "questions": questions}


def _chunks(client: Client, record: Any) -> list[Any]:
    if record["document_id"] is None:
        return []
    path = f"/api/v1/documents/{record['document_id']}/chunks"
    found: list[Any] = client.get(path, revision=record["revision_id"])["items"]
    return found


def _questions(chunks: Sequence[Any]) -> list[str]:
    """Section titles spread over the class: what a reader would look for by name."""
    titles = list(dict.fromkeys(chunk["heading_path"][-1] for chunk in chunks if chunk["heading_path"]))
    step = max(1, len(titles) // QUESTIONS)
    return titles[::step][:QUESTIONS]


def _search(client: Client, knowledge_base: str, question: str) -> Any:
    filters = {"knowledge_bases": [knowledge_base]}
    found = client.post(
        "/api/v1/retrieval", {"query": question, "top_k": 1, "metadata_condition": filters, "explain": True}
    )
    return {"question": question, "best": found["candidates"][0] if found["candidates"] else None}


def _print_class(name: str, result: Any) -> None:
    out.rule(f"{name}：{len(result['files'])} 个文件，{len(result['chunks'])} 个切片", align="left")
    table = Table("文件", "状态", "读入/保留", "丢弃（原因 字数 样例）", box=None)
    for record in result["files"]:
        report = record["report"] or {"chars_in": 0, "chars_kept": 0, "dropped": []}
        dropped = "；".join(
            f"{drop_words(d['reason'])} {d['chars']} 「{d['sample'][:20]}」" for d in report["dropped"]
        )
        counts = f"{report['chars_in']}/{report['chars_kept']}"
        table.add_row(
            record["file_name"], record["message"] or READINGS[FileState(record["state"])], counts, dropped
        )
    out.print(table)
    for chunk in result["chunks"][:SHOWN_CHUNKS]:
        where = " > ".join(chunk["heading_path"])
        out.print(f"  · [{where}] {chunk['text'][:SHOWN_CHARACTERS]}…", soft_wrap=True)
    for item in result["questions"]:
        best = item["best"]
        answer = f"{best['score']:.2f} {best['document_name']}" if best else "没有找到"
        out.print(f"  ? {item['question']} → {answer}", soft_wrap=True)
