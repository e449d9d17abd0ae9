"""The sample workbooks, their forms and the dialogues written on them agree with each other."""

import importlib.util
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from openpyxl import load_workbook
from openpyxl.workbook import Workbook

REPOSITORY = Path(__file__).resolve().parent.parent
PROCESSES = REPOSITORY / "data" / "processes"
CASES = REPOSITORY / "tests" / "cases" / "process"
TEXTS = {
    PROCESSES: REPOSITORY / "data" / "processes_source" / "text",
    CASES: CASES / "text",
    CASES / "drafts": CASES / "drafts" / "text",
}
ACTIONS = {"ask", "card", "no_match", "disambiguate", "conflict", "status", "cancelled", "refuse", "end"}
INTENTS = {"knowledge", "process", "minutes", "status", "other", "unclear"}
DIALOGUES = ("dialogues_dev.jsonl", "dialogues_held.jsonl", "drafts/dialogues.jsonl")


def _workbooks() -> list[Path]:
    return sorted(path for folder in TEXTS for path in folder.glob("*.xlsx"))


def _column(book: Workbook, sheet: str, title: str) -> list[object]:
    rows = list(book[sheet].iter_rows(values_only=True))
    return [row[rows[0].index(title)] for row in rows[1:]]


def _codes() -> dict[str, set[object]]:
    books = [load_workbook(path) for path in _workbooks()]
    return {str(book["流程信息"]["B2"].value): set(_column(book, "字段", "编码")) for book in books}


def _lines(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


def _turns(name: str) -> Iterator[dict[str, object]]:
    for dialogue in _lines(name):
        turns = dialogue["turns"]
        assert isinstance(turns, list)
        yield from turns


@pytest.mark.parametrize("folder", TEXTS, ids=lambda folder: folder.name)
def test_committed_files_are_what_the_texts_make(folder: Path, tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location(
        "make_processes", REPOSITORY / "data/processes_source/make.py"
    )
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made = module.make(tmp_path, TEXTS[folder])
    assert made
    for path in made:
        assert path.read_bytes() == (folder / path.relative_to(tmp_path)).read_bytes(), path.name


@pytest.mark.parametrize("path", _workbooks(), ids=lambda path: path.stem)
def test_every_form_that_a_workbook_names_can_be_downloaded(path: Path) -> None:
    named = [name for name in _column(load_workbook(path), "材料", "模板文件") if name]
    missing = [name for name in named if not (path.parent / "templates" / str(name)).is_file()]
    assert missing == []


@pytest.mark.parametrize("path", sorted(PROCESSES.glob("*.xlsx")), ids=lambda path: path.stem)
def test_every_rule_names_a_sample_document_as_its_source(path: Path) -> None:
    titles = {"资产管理办法", "差旅费标准", "关于规范费用报销工作的通知", "印章管理规定"}
    rows = list(load_workbook(path)["决策表"].iter_rows(min_row=5, values_only=True))
    column = rows[0].index("依据")
    cited = {title for row in rows[1:] for title in re.findall(r"《(.+?)》", str(row[column]))}
    assert cited and cited <= titles
    assert all("《" in str(row[column]) for row in rows[1:])


@pytest.mark.parametrize("name", DIALOGUES)
def test_dialogues_use_the_codes_and_actions_of_the_workbooks(name: str) -> None:
    codes = _codes()
    for turn in _turns(name):
        expect = turn["expect"]
        assert isinstance(expect, dict)
        assert expect["action"] in ACTIONS
        known = codes[expect["process"]] if expect["process"] else set()
        assert set(expect["slots"]) <= known, turn["user"]
        assert all(said["text"] in str(turn["user"]) for said in expect.get("invalid", ()))


@pytest.mark.parametrize("kind", ["dialogues", "intents"])
def test_no_wording_of_the_held_half_stands_in_the_other(kind: str) -> None:
    names = (f"{kind}_dev.jsonl", f"{kind}_held.jsonl")
    if kind == "intents":
        dev, held = ({str(line["text"]) for line in _lines(name)} for name in names)
    else:
        dev, held = (
            {str(turn["user"]) for turn in _turns(name) if len(str(turn["user"])) > 6} for name in names
        )
    assert dev and held and not dev & held


@pytest.mark.parametrize("name", ["intents_dev.jsonl", "intents_held.jsonl"])
def test_unclear_utterances_name_the_paths_to_offer(name: str) -> None:
    lines = _lines(name)
    assert len(lines) == 100
    for line in lines:
        assert line["intent"] in INTENTS
        either = line.get("either", [])
        assert isinstance(either, list)
        assert (len(either) == 2) == (line["intent"] == "unclear"), line["text"]
        assert set(either) <= INTENTS - {"unclear"}
