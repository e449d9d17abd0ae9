"""The sum of a folder: copies, near copies, versions, and what to load first."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from ingestion.catalog import Sighting, sketch_of, take_stock
from ingestion.documents import FileState
from ingestion.versions import same_document

TODAY = date(2026, 6, 1)
RULES = "".join(f"第{n}条　员工第{n}次借用雨伞须登记，第{n}天之内归还。" for n in range(1, 60))


def sighting(path: str, text: str = "", **more: object) -> Sighting:
    plain = Sighting(
        path=path,
        size=len(text) or 1,
        modified=datetime(2026, 1, 1, tzinfo=UTC),
        kind="md",
        sha256=path,
        state=FileState.PARSED,
        title="雨伞借用办法",
        sketch=sketch_of(text),
    )
    return replace(plain, **more)  # type: ignore[arg-type]


def test_equal_hashes_are_copies_and_a_missing_hash_equals_none() -> None:
    found = take_stock([sighting("a", sha256="x"), sighting("b", sha256="x")], TODAY)
    assert found.exact == (("b", "a"),)
    unread = [sighting(name, sha256="", state=FileState.FAILED) for name in ("a.mp4", "b.mp4")]
    assert take_stock(unread, TODAY).exact == ()


def test_the_same_text_saved_twice_is_a_near_copy() -> None:
    found = take_stock(
        [sighting("a", RULES), sighting("b", f"{RULES}附则。"), sighting("c", "另一份")], TODAY
    )
    assert found.near == (("b", "a"),)


def test_texts_of_one_title_that_share_a_good_part_are_versions_and_the_newest_is_loaded() -> None:
    half = RULES[: len(RULES) // 2]
    old = sighting("old", half + "旧规定从略。" * 40, effective_from=date(2020, 1, 1))
    new = sighting("new", RULES, effective_from=date(2025, 1, 1))
    found = take_stock([old, new], TODAY)
    assert [(family.title, family.paths) for family in found.families] == [("雨伞借用办法", ("new", "old"))]
    assert found.first_batch == ("new",)


def test_files_without_text_are_neither_copies_nor_versions() -> None:
    found = take_stock([sighting("a"), sighting("b")], TODAY)
    assert (found.near, found.families) == ((), ())


def rules(first: int, last: int) -> str:
    said = "第{0}条　员工第{0}次借用{1}号雨伞须登记，第{0}天之内归还。"
    return "".join(said.format(n, n * 7) for n in range(first, last))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (rules(1, 60), rules(1, 60)),
        (rules(1, 60), rules(31, 90)),
        (rules(1, 60), rules(55, 120)),
        (rules(1, 60), rules(100, 160)),
        (rules(1, 20), rules(1, 90)),
        (rules(1, 40), rules(34, 74) * 9),  # what is said again and again adds nothing
        ("签字：" + "＿" * 4000 + rules(1, 12), rules(1, 60)),
        ("雨伞", "雨伞借用办法"),
    ],
)
def test_versions_are_told_as_publishing_tells_them(one: str, other: str) -> None:
    found = take_stock([sighting("a", one), sighting("b", other)], TODAY)
    assert bool(found.families) == same_document(one, other)


def test_files_of_another_title_or_without_one_are_no_versions() -> None:
    text = rules(1, 60)
    assert take_stock([sighting("a", text), sighting("b", text, title="车辆办法")], TODAY).families == ()
    assert take_stock([sighting("a", text, title=""), sighting("b", text, title="")], TODAY).families == ()


def test_copies_drafts_and_unreadable_files_are_not_loaded_first() -> None:
    found = take_stock(
        [
            sighting("办法", rules(1, 60), sha256="x"),
            sighting("办法 副本", rules(1, 60), sha256="x", modified=datetime(2020, 1, 1, tzinfo=UTC)),
            sighting("草稿", rules(100, 160), title="车辆规定", is_draft=True),
            sighting("扫描件", title="合同", state=FileState.NEEDS_OCR, ocr_pages=3),
            sighting("通讯", rules(200, 230), title="公司通讯"),
        ],
        TODAY,
    )
    assert found.first_batch == ("办法", "通讯")
    assert found.scanned == ("扫描件",)
    assert [trouble.path for trouble in found.troubles] == ["扫描件"]
