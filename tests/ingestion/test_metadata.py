"""What documents say about themselves, and where each statement was read."""

import json
from datetime import date
from pathlib import Path
from typing import TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.clues import Field, Origin, in_revision_table
from ingestion.dates import date_in_name, parse_date
from ingestion.documents import Block, BlockBuilder, BlockKind, Metadata, Parsed
from ingestion.metadata import SelfDescription, describe
from ingestion.parsers import registry

CASES = Path(__file__).parent.parent / "cases" / "metadata" / "self_descriptions.json"


class Expected(TypedDict, total=False):
    title: str
    version: str
    effective_from: str | None
    effective_to: str | None
    published_on: str | None
    updated_on: str | None
    issuer: str
    document_number: str
    draft_mark: str
    is_trial: bool
    repeals: list[list[str]]
    disagreements: int


class Case(TypedDict):
    case: str
    file_name: str
    lines: list[str]
    expect: Expected


def cases() -> list[Case]:
    loaded: list[Case] = json.loads(CASES.read_text("utf-8"))
    return loaded


def parsed(lines: list[str], metadata: Metadata | None = None) -> Parsed:
    """Lines that begin with `# ` are headings."""
    builder = BlockBuilder()
    for line in lines:
        kind = BlockKind.HEADING if line.startswith("# ") else BlockKind.PARAGRAPH
        builder.add(Block(kind, line.removeprefix("# "), level=int(kind is BlockKind.HEADING)))
    return builder.finish(metadata=metadata)


def plain(found: SelfDescription) -> dict[str, object]:
    days = ("effective_from", "effective_to", "published_on", "updated_on")
    words = ("title", "version", "issuer", "document_number", "draft_mark", "is_trial")
    return {
        **{name: getattr(found, name) for name in words},
        **{name: day.isoformat() if (day := getattr(found, name)) else None for name in days},
        "repeals": [[repeal.title, repeal.document_number] for repeal in found.repeals],
        "disagreements": len(found.disagreements),
    }


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["case"])
def test_documents_are_described_as_the_cases_ask(case: Case) -> None:
    found = plain(describe(case["file_name"], parsed(case["lines"])))
    assert {name: found[name] for name in case["expect"]} == case["expect"]


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["case"])
def test_every_quote_from_the_text_stands_in_it(case: Case) -> None:
    found = describe(case["file_name"], parsed(case["lines"]))
    text = "\n".join(case["lines"]) + case["file_name"]
    for clue in found.clues:
        parts = clue.quote.replace("（首次施行日）", "").replace("（本版日期）", "").split("；")
        assert all(part in text for part in parts), clue


def test_the_newest_row_of_a_revision_record_counts_in_either_order() -> None:
    rows = (("版本", "日期", "说明"), ("V1.0", "2019-05-06", "首次发布"), ("V3.2", "2024-02-20", "修订标准"))
    for ordered in (rows, (rows[0], rows[2], rows[1])):
        values = {clue.field: clue.value for clue in in_revision_table(ordered)}
        assert values == {Field.VERSION: "V3.2", Field.UPDATED: "2024-02-20"}


def test_a_revision_record_gives_version_and_draft_when_the_text_does_not() -> None:
    table = (("日期", "版本", "修改描述"), ("2022-8-24", "0.1", "初稿"))
    found = describe("漏洞处理规范.md", parsed(["# 漏洞处理规范"], Metadata(revision_table=table)))
    assert (found.version, found.draft_mark, found.updated_on) == ("0.1", "初稿", date(2022, 8, 24))
    assert found.is_draft
    assert {clue.origin for clue in found.clues if clue.field is Field.VERSION} == {Origin.REVISION_TABLE}


def test_running_headers_are_read_for_numbers_and_versions() -> None:
    found = describe(
        "手册.pdf", parsed(["# 操作手册"], Metadata(running_headers=("文件编号：QP-07 版本：B3",)))
    )
    assert found.document_number == "QP-07"


def test_the_properties_title_helps_when_text_and_name_say_nothing() -> None:
    found = describe("扫描件1.pdf", parsed(["第一段没有标题。"], Metadata(title="固定资产盘点方案")))
    assert found.title == "固定资产盘点方案"


def test_a_programs_own_title_is_no_title() -> None:
    found = describe("盘点方案.pptx", parsed(["略。"], Metadata(title="PowerPoint 演示文稿")))
    assert found.title == "盘点方案"


def test_evidence_names_origin_and_quote() -> None:
    found = describe("规定.docx", parsed(["# 值班规定", "本规定自2024年2月1日起施行。《旧规定》同时废止。"]))
    assert "正文：生效日期为2024-02-01（原文“自2024年2月1日起施行”）" in found.evidence
    assert any("声明废止《旧规定》" in line for line in found.evidence)


def test_a_repeal_keeps_the_day_it_takes_effect() -> None:
    found = describe("通知.docx", parsed(["# 通知", "《旧规定》自2026年2月1日起废止。"]))
    assert [repeal.effective_on for repeal in found.repeals] == [date(2026, 2, 1)]


def test_a_file_that_could_not_be_read_is_described_by_its_name() -> None:
    found = describe("资产管理办法V2.0.pdf", registry.parse(b"", "资产管理办法V2.0.pdf"))
    assert (found.title, found.version) == ("资产管理办法", "V2.0")


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024年3月1日", date(2024, 3, 1)),
        ("2024 年 3 月 1 日", date(2024, 3, 1)),
        ("二〇二四年三月一日", date(2024, 3, 1)),
        ("二○二四年十二月三十一日", date(2024, 12, 31)),
        ("二0二四年五月一日", date(2024, 5, 1)),
        ("2024-03-01", date(2024, 3, 1)),
        ("2024.3.1", date(2024, 3, 1)),
        ("2024/3/1", date(2024, 3, 1)),
        ("2024年3月", date(2024, 3, 1)),
        ("2024年2月30日", None),
        ("2024年13月1日", None),
        ("没有日期", None),
    ],
)
def test_dates_are_read_in_every_notation(text: str, day: date | None) -> None:
    assert parse_date(text) == day


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("自查表 - 26.03.06更新", date(2026, 3, 6)),
        ("会议纪要20240301", date(2024, 3, 1)),
        ("v1.2.3", None),
        ("版本V26.03.06", None),
        ("20249901", None),
    ],
)
def test_short_dates_are_read_in_file_names_only(name: str, day: date | None) -> None:
    assert date_in_name(name) == day


@given(st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_a_written_date_always_reads_back(day: date) -> None:
    chinese = "".join("〇一二三四五六七八九"[int(digit)] for digit in f"{day.year}")
    for text in (
        f"{day.year}年{day.month}月{day.day}日",
        day.isoformat(),
        f"{day.year}/{day.month}/{day.day}",
    ):
        assert parse_date(f"自{text}起施行") == day
    assert parse_date(f"{chinese}年{_han(day.month)}月{_han(day.day)}日") == day


def _han(number: int) -> str:
    tens, ones = divmod(number, 10)
    digits = "〇一二三四五六七八九"
    return ("" if tens == 0 else "十" if tens == 1 else f"{digits[tens]}十") + (digits[ones] if ones else "")


@given(st.text(max_size=40), st.lists(st.text(max_size=80), max_size=6))
def test_describing_never_fails(file_name: str, lines: list[str]) -> None:
    found = describe(file_name, parsed([line for line in lines if line.strip()]))
    assert isinstance(found.title, str)


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "version", "effective"),
    [
        ("差旅费管理办法（修订）V3.2.docx", "V3.2", date(2024, 3, 1)),
        ("员工手册V12.pdf", "第 12 版", date(2024, 1, 1)),
        ("PrintBridge需求规格说明书.docx", "1.1.1", None),
        ("openEuler内核漏洞处理规范.md", "0.1", None),
        ("关于调整工作时间的通知_gb2312.html", "", date(2024, 5, 6)),
    ],
)
def test_real_documents_say_their_version_and_day(
    shared_data: Path, name: str, version: str, effective: date | None
) -> None:
    found = describe(name, registry.parse((shared_data / "real_files" / name).read_bytes(), name))
    assert (found.version, found.effective_from) == (version, effective)
