"""Real office files and hostile ones, each with what must and must not be read of it.

The list, the files and the comparison lie beside the checkout (`real_files`); how many pass is the spec's
number. Files that need a program or extra that is not installed are not counted against it.
"""

import importlib.util
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ingestion.documents import BlockKind, FileState, Parsed
from ingestion.parsers import registry
from ingestion.parsers.ocr import installed_ocr

pytestmark = pytest.mark.data

REACH = 58  # of 63
READABLE = frozenset({FileState.PARSED, FileState.PARSED_PARTLY})
Entry = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    entry: Entry
    parsed: Parsed
    problems: tuple[str, ...]


def is_installed(need: str) -> bool:
    if need == "ocr":
        return installed_ocr() is not None
    programs = {"libreoffice": "soffice", "antiword": "antiword"}
    return any(shutil.which(programs[name]) for name in need.split(" or "))


@pytest.fixture(scope="module")
def outcomes(shared_data: Path) -> list[Outcome]:
    folder = shared_data / "real_files"
    if not (folder / "MANIFEST.jsonl").is_file():
        pytest.skip("the real files are not beside this checkout")
    check = comparison(folder / "check_manifest.py")
    lines = (folder / "MANIFEST.jsonl").read_text(encoding="utf-8").splitlines()
    entries = [entry for entry in map(json.loads, lines) if all(map(is_installed, entry.get("needs", ())))]
    return [outcome(folder, entry, check) for entry in entries]


def comparison(path: Path) -> Callable[[Entry, str, list[str]], list[str]]:
    spec = importlib.util.spec_from_file_location("check_manifest", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    check: Callable[[Entry, str, list[str]], list[str]] = module.check
    return check


def outcome(folder: Path, entry: Entry, check: Callable[[Entry, str, list[str]], list[str]]) -> Outcome:
    ocr = installed_ocr() if "ocr" in entry.get("needs", ()) else None  # pages elsewhere only cost time
    parsed = registry.parse((folder / entry["file"]).read_bytes(), entry["file"], ocr=ocr)
    allowed = entry["outcome"]
    if parsed.state not in READABLE:
        problems = () if "error" in allowed else (f"{parsed.state}: {parsed.message}",)
    elif allowed.startswith("error") and "parsed" not in allowed:
        problems = (f"should fail: {allowed}",)
    else:
        body = "\n".join(block.text for block in parsed.blocks if block.kind is not BlockKind.NOTE)
        headings = [block.text for block in parsed.blocks if block.kind is BlockKind.HEADING]
        problems = tuple(check(entry, body, headings))
    return Outcome(entry, parsed, problems)


def test_nearly_all_real_files_are_read_as_a_person_would(outcomes: list[Outcome]) -> None:
    missed = {found.entry["file"]: found.problems for found in outcomes if found.problems}
    not_counted = 63 - len(outcomes)
    assert len(outcomes) - len(missed) >= REACH - not_counted, missed


def test_every_character_of_every_file_is_accounted_for(outcomes: list[Outcome]) -> None:
    unbalanced = [found.entry["file"] for found in outcomes if not found.parsed.report.balanced]
    unread = [
        found.entry["file"]
        for found in outcomes
        if any(dropped.reason == "unread" for dropped in found.parsed.report.dropped)
    ]
    assert (unbalanced, unread) == ([], [])


def test_no_file_is_an_empty_success_or_a_failure_without_words(outcomes: list[Outcome]) -> None:
    silent = [
        found.entry["file"]
        for found in outcomes
        if (found.parsed.state in READABLE) != bool(found.parsed.blocks)
        or not (found.parsed.blocks or found.parsed.message)
    ]
    assert silent == []


def test_locked_files_open_with_their_password(shared_data: Path, outcomes: list[Outcome]) -> None:
    locked = [found.entry for found in outcomes if "password" in found.entry]
    assert locked
    for entry in locked:
        data = (shared_data / "real_files" / entry["file"]).read_bytes()
        text = registry.parse(data, entry["file"], password=entry["password"]).text
        assert all(expected in text for expected in entry["expect_with_password"]), entry["file"]
