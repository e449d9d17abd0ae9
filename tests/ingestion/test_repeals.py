"""Which declarations repeal another document, and which words only look like one."""

from datetime import date

import pytest

from ingestion.metadata import describe
from ingestion.parsers import registry
from ingestion.repeals import repeals
from tests.conftest import REPOSITORY

FEBRUARY = date(2026, 2, 1)
ITEMS = ["1.《甲办法》（远山行〔2023〕11号）。班车停止。", "2.《乙通知》（远山行〔2022〕2号）"]
NAMED = [("甲办法", "远山行〔2023〕11号"), ("乙通知", "远山行〔2022〕2号")]


def found(lines: list[str]) -> list[tuple[str, str]]:
    return [(repeal.title, repeal.document_number) for repeal in repeals(lines)]


@pytest.mark.parametrize(
    "announcement",
    [
        "下列文件自2026年2月1日起废止：",
        "下列文件自2026年2月1日起废止。",
        "以下2件文件自2026年2月1日起同时废止，不再执行：",
        "一、自2026年2月1日起废止的文件",
        "一、废止的文件（自2026年2月1日起）",
        "一、下列文件自2026年2月1日起停止执行",
        "经研究，决定自2026年2月1日起废止下列文件：",
        "经讨论研究，决定自2026年2月1日起废止下列文件：",
        "各部门讨论后没有不同意见，下列文件自2026年2月1日起废止：",
    ],
)
def test_items_under_an_announcement_are_repealed_from_its_day(announcement: str) -> None:
    lines = [announcement, *ITEMS, "二、其他", "1.《丙办法》继续有效。"]
    assert found(lines) == NAMED
    assert {repeal.effective_on for repeal in repeals(lines)} == {FEBRUARY}


def test_items_without_title_marks_are_told_by_their_number() -> None:
    lines = [
        "下列文件自2026年2月1日起废止：",
        "1．关于甲的通知（远山行〔2023〕11号）",
        "（二）关于乙的通知（远山行〔2022〕2号）",
    ]
    assert found(lines) == [("关于甲的通知", "远山行〔2023〕11号"), ("关于乙的通知", "远山行〔2022〕2号")]


def test_a_list_within_one_line_is_read_whole() -> None:
    line = "下列文件自2026年2月1日起废止：1.《甲办法》（远山行〔2023〕11号）；《乙通知》（远山行〔2022〕2号）"
    assert found([line]) == NAMED
    assert {repeal.effective_on for repeal in repeals([line])} == {FEBRUARY}


@pytest.mark.parametrize(
    "announcement",
    [
        "除下列文件外，其余自2026年2月1日起废止：",
        "二、拟于2026年废止的文件",
        "下列文件继续有效：",
        "下列文件废止后，应当及时修改：",
        "建议将下列文件予以废止：",
        "会议讨论了废止下列文件：",
    ],
)
def test_a_list_that_declares_nothing_repeals_nothing(announcement: str) -> None:
    assert found([announcement, *ITEMS]) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "建议废止《差旅管理办法》。",
        "会议讨论了是否废止《考勤制度》，未形成一致意见。",
        "会议研究了废止《考勤制度》一事。",
        "目前没有废止《考勤制度》。",
        "公司暂不废止《考勤制度》。",
        "拟自2026年1月1日起废止《考勤制度》。",
        "如需废止《考勤制度》，应报批。",
        "是否废止《考勤制度》？",
        "关于废止《考勤制度》的请示",
        "有人提出废止《考勤制度》。",
        "总经理有权废止《考勤制度》。",
        "一旦废止《考勤制度》，加班即无依据。",
        "废止《考勤制度》可能影响排班。",
        "建议《考勤制度》《差旅办法》自2026年起同时废止。",
        "根据《差旅办法》，停止执行原补贴。",
        "根据国发〔2020〕5号文件，原补贴停止执行。",
        "国发〔2020〕5号文件规定的补贴停止执行。",
    ],
)
def test_a_sentence_that_plans_denies_or_only_cites_repeals_nothing(sentence: str) -> None:
    assert found([sentence]) == []


@pytest.mark.parametrize(
    ("sentence", "documents"),
    [
        ("经讨论研究，决定废止《考勤制度》。", [("考勤制度", "")]),
        ("经研究决定废止《考勤制度》。", [("考勤制度", "")]),
        ("因不适应当前需要，现废止《考勤制度》。", [("考勤制度", "")]),
        ("应急管理部废止《考勤制度》，执行《工时办法》。", [("考勤制度", "")]),
        ("根据《上位法规》，《考勤制度》同时废止。", [("考勤制度", "")]),
        ("停止执行《考勤制度》和《差旅办法》。", [("考勤制度", ""), ("差旅办法", "")]),
        ("国发〔2020〕5号文件同时废止。", [("", "国发〔2020〕5号")]),
        ("财〔2013〕531号和财〔2015〕2号同时废止。", [("", "财〔2013〕531号"), ("", "财〔2015〕2号")]),
    ],
)
def test_a_declaration_names_what_it_repeals_and_nothing_else(
    sentence: str, documents: list[tuple[str, str]]
) -> None:
    assert found([sentence]) == documents


def test_the_sample_notice_repeals_three_documents_from_their_day() -> None:
    path = REPOSITORY / "data" / "documents" / "关于废止部分文件的通知.txt"
    said = describe(path.name, registry.parse(path.read_bytes(), path.name))
    assert [repeal.document_number for repeal in said.repeals] == [
        "远山行〔2023〕11号",
        "远山行〔2022〕2号",
        "远山行〔2021〕19号",
    ]
    assert {repeal.effective_on for repeal in said.repeals} == {FEBRUARY}


def test_what_the_front_matter_of_a_markdown_file_says_is_used() -> None:
    text = "---\ntitle: 写作规范\nversion: v2.1\neffective: 2024-09-01\n---\n\n# 写作规范\n\n统一文档格式。\n"
    said = describe("写作规范.md", registry.parse(text.encode(), "写作规范.md"))
    assert (said.version, said.effective_from) == ("v2.1", date(2024, 9, 1))
