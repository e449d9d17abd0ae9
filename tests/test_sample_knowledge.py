"""The sample documents are reproducible, and every golden answer stands in the document it names."""

import csv
import io
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Literal, get_args

import openpyxl
import pypdfium2
import pytest
from bs4 import BeautifulSoup
from docx import Document
from docx.oxml.ns import qn
from pydantic import BaseModel, ConfigDict
from rapidfuzz import fuzz

DATA = Path(__file__).resolve().parent.parent / "data"
DOCUMENTS = DATA / "documents"
NOT_KNOWLEDGE = {"build.py", "README.md", ".gitattributes"}
FIRST_DOCUMENT = date(2022, 3, 1)  # before this day nothing in the sample was in force
# on 2026-11-16, the day of the golden questions: replaced, not yet in force, repealed
NOT_IN_FORCE = {"资产管理办法.docx", "休假管理规定（2027年修订）.docx", "关于开通总部通勤班车的通知.docx"}
HALVES = ("questions.jsonl", "held.jsonl")
CALIBRATION = "calibration.jsonl"
NEARLY_EQUAL = 85.0  # per cent of rapidfuzz `ratio`: below it two short questions differ in what they ask
Kind = Literal[
    "fact", "number", "list", "procedure", "version", "as_of", "table", "definition", "unanswerable",
    "superseded", "conflict", "not_yet_in_force", "repealed",
]  # fmt: skip
Refusal = Literal[
    "nothing_found", "below_threshold", "only_superseded", "not_yet_in_force", "repealed",
    "conflicting_sources", "ambiguous",
]  # fmt: skip


class Golden(BaseModel):
    """One line of `data/golden/*.jsonl`; the fields are described in the README there."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    question: str
    kind: Kind
    expected_documents: tuple[str, ...]
    expected_contains: tuple[str, ...]
    must_not_contain: tuple[str, ...]
    as_of: date | None = None
    as_of_source: Literal["question", "parameter"] | None = None
    refusal: Refusal | None = None
    note: str = ""


def golden(half: str) -> list[Golden]:
    lines = (DATA / "golden" / half).read_text(encoding="utf-8").splitlines()
    return [Golden.model_validate_json(line) for line in lines]


def squeezed(text: str) -> str:
    """`text` as answers are compared: NFKC, without white space and thousands separators."""
    bare = re.sub(r"\s+", "", unicodedata.normalize("NFKC", text))
    return re.sub(r"(?<=\d),(?=\d{3})", "", bare)


def file_text(path: Path) -> str:
    """The text of a sample file as an independent, plain reader sees it."""
    match path.suffix:
        case ".docx":
            body = Document(str(path)).element.body
            return "\n".join("".join(t.text or "" for t in p.iter(qn("w:t"))) for p in body.iter(qn("w:p")))
        case ".pdf":
            pdf = pypdfium2.PdfDocument(path)
            text = "\n".join(page.get_textpage().get_text_range() for page in pdf)
            pdf.close()
            return text
        case ".xlsx":
            cells = (
                cell for sheet in openpyxl.load_workbook(path) for row in sheet.iter_rows() for cell in row
            )
            return "\n".join(
                f"{cell.value:.0%}" if cell.number_format == "0%" else str(cell.value)
                for cell in cells
                if cell.value is not None
            )
        case ".html":
            return BeautifulSoup(path.read_bytes(), "lxml").main.get_text("\n")  # type: ignore[union-attr]
        case _:
            raw = path.read_bytes()
            try:
                return raw.decode("utf-8-sig")
            except UnicodeDecodeError:
                return raw.decode("gb18030")


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Squeezed text by file name, of all sample documents."""
    files = (path for path in DOCUMENTS.iterdir() if path.is_file() and path.name not in NOT_KNOWLEDGE)
    return {path.name: squeezed(file_text(path)) for path in files}


def test_a_rebuild_gives_the_committed_bytes(tmp_path: Path) -> None:
    script = [sys.executable, str(DOCUMENTS / "build.py")]
    subprocess.run([*script, str(tmp_path)], check=True, timeout=60, capture_output=True)
    built = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    committed = {name: (DOCUMENTS / name).read_bytes() for name in built}
    assert len(built) >= 15
    assert [name for name in built if built[name] != committed[name]] == []


def test_no_document_lies_in_the_folder_without_a_source(texts: dict[str, str]) -> None:
    heads = [path.read_text(encoding="utf-8") for path in (DATA / "documents_source/text").glob("*.md")]
    named = {match[1] for head in heads if (match := re.search(r"^file: (.+)$", head, re.M))}
    assert set(texts) == named


@pytest.mark.parametrize("half", [*HALVES, CALIBRATION])
def test_expected_strings_stand_in_the_expected_document(half: str, texts: dict[str, str]) -> None:
    astray = []
    for item in golden(half):
        found = [
            all(squeezed(want) in texts[name] for want in item.expected_contains)
            for name in item.expected_documents
        ]
        together = "".join(texts[name] for name in item.expected_documents)
        if item.kind == "conflict":
            right = all(squeezed(want) in together for want in item.expected_contains) and not any(found)
        elif item.refusal in ("not_yet_in_force", "repealed"):
            right = any(found)
        else:
            right = all(found)
        if not right:
            astray.append((item.id, item.question, found))
    assert astray == []


@pytest.mark.parametrize("half", [*HALVES, CALIBRATION])
def test_unanswerable_questions_name_no_document_and_others_do(half: str) -> None:
    items = golden(half)
    assert [i.id for i in items if (i.kind == "unanswerable") != (not i.expected_documents)] == []
    assert [i.id for i in items if i.kind == "unanswerable" and i.expected_contains] == []


@pytest.mark.parametrize("half", [*HALVES, CALIBRATION])
def test_a_forbidden_string_is_never_part_of_a_right_answer(half: str) -> None:
    clashes = [
        (item.id, bad)
        for item in golden(half)
        for bad in item.must_not_contain
        if any(squeezed(bad) in squeezed(want) for want in item.expected_contains)
    ]
    assert clashes == []


@pytest.mark.parametrize("half", HALVES)
def test_each_half_has_every_kind_and_enough_unanswerable_questions(half: str) -> None:
    items = golden(half)
    kinds = Counter(item.kind for item in items)
    assert set(kinds) == set(get_args(Kind))
    assert len(items) >= 60
    assert kinds["unanswerable"] >= 15


@pytest.mark.parametrize("half", HALVES)
def test_a_dated_question_says_where_its_date_comes_from(half: str) -> None:
    items = golden(half)
    assert [i.id for i in items if (i.as_of is None) != (i.as_of_source is None)] == []
    assert {i.as_of_source for i in items if i.as_of_source} == {"question", "parameter"}
    assert all(i.as_of >= FIRST_DOCUMENT for i in items if i.as_of)


def test_ids_are_unique_and_the_halves_share_no_question() -> None:
    dev, held = (golden(half) for half in HALVES)
    assert len({item.id for item in [*dev, *held]}) == len(dev) + len(held)
    assert {squeezed(item.question) for item in dev} & {squeezed(item.question) for item in held} == set()


def test_calibration_questions_rest_on_every_document_in_force_and_on_no_other(texts: dict[str, str]) -> None:
    items = golden(CALIBRATION)
    assert {name for item in items for name in item.expected_documents} == set(texts) - NOT_IN_FORCE
    assert [i.id for i in items if i.refusal or i.as_of or not i.expected_contains] == []
    assert len({item.id for item in items}) == len(items) == 300


def test_calibration_repeats_no_question_of_its_own_or_of_the_measuring_halves() -> None:
    own = [item.question for item in golden(CALIBRATION)]
    measured = [item.question for half in HALVES for item in golden(half)]
    repeated = [
        (question, other)
        for place, question in enumerate(own)
        for other in [*own[:place], *measured]
        if fuzz.ratio(squeezed(question), squeezed(other)) >= NEARLY_EQUAL
    ]
    assert repeated == []


def test_automatic_articles_carry_no_typed_number(texts: dict[str, str]) -> None:
    path = DOCUMENTS / "资产管理办法（2025年修订）.docx"
    numbered = list(Document(str(path)).element.body.iter(qn("w:numPr")))
    assert len(numbered) == 7 + 31  # chapters and articles
    assert "第三条" not in texts[path.name]
    assert "第三条" in texts["资产管理办法.docx"]


def test_a_tracked_change_keeps_both_wordings_in_the_file() -> None:
    body = Document(str(DOCUMENTS / "印章管理规定.docx")).element.body
    deleted = [text.text for text in body.iter(qn("w:delText"))]
    inserted = ["".join(t.text for t in ins.iter(qn("w:t"))) for ins in body.iter(qn("w:ins"))]
    assert (deleted, inserted) == (["三"], ["两"])


def test_one_text_file_is_gb18030_and_not_utf8() -> None:
    raw = (DOCUMENTS / "办公区安全与访客须知.txt").read_bytes()
    assert "访客接待" in raw.decode("gb18030")
    with pytest.raises(UnicodeDecodeError):
        raw.decode("utf-8")


def test_persons_of_the_company_page_have_the_same_line_in_the_directory() -> None:
    page = (DATA / "company.md").read_text(encoding="utf-8")
    raw = (DOCUMENTS / "部门通讯录与值班表（2026年11月）.csv").read_bytes().decode("utf-8-sig")
    lines = {row["姓名"]: row["内线"] for row in csv.DictReader(io.StringIO(raw))}
    pairs: list[tuple[str, str]] = re.findall(r"([\u4e00-\u9fff]{2,3})（(?:兼，)?(8\d{3})）", page)
    stated = [(name, line) for name, line in pairs if name in lines]
    assert len(stated) >= 25
    assert [(name, line) for name, line in stated if lines[name] != line] == []
