"""Lists, pages and texts of documents, as one principal sees them."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlalchemy import event

from ingestion.documents import RevisionStatus
from service.access import LOCAL, Principal
from service.errors import NotFound
from tests.service.store.library_parts import LibraryParts, Paper, key

READER = Principal("reader")
OLD = Paper(text="住宿 标准 三百\n交通 二等\n餐费 五十", starts=date(2020, 1, 1))
NEW = Paper(text="住宿 标准 五百", starts=date(2023, 1, 1))
UNDATED = Paper(text="住宿 实报实销")


def test_a_page_counts_only_what_the_reader_may_see(parts: LibraryParts) -> None:
    names = [f"制度{number}" for number in range(7)]
    parts.publish(*(Paper(document=name, text=f"{name} 正文") for name in names))
    parts.publish(*(Paper(document=f"密{n}", text=f"密 {n}", labels=("group:x",)) for n in range(3)))
    pages = [parts.documents.page(READER, number=number, page_size=3) for number in (1, 2, 3, 4)]
    assert [page.total for page in pages] == [7, 7, 7, 7]
    assert [item.document.title for page in pages for item in page.items] == names[::-1]
    assert parts.documents.page(LOCAL).total == 10


def test_a_page_costs_the_same_few_statements_however_long(parts: LibraryParts) -> None:
    parts.publish(*(Paper(document=f"制度{number}", text=f"{number} 正文") for number in range(12)))
    counts = []
    for size in (2, 12):
        statements: list[str] = []

        def note(_c: object, _u: object, statement: str, *_r: object, into: list[str] = statements) -> None:
            into.append(statement)

        event.listen(parts.database.engine, "before_cursor_execute", note)
        assert len(parts.documents.page(READER, page_size=size).items) == size
        event.remove(parts.database.engine, "before_cursor_execute", note)
        counts.append(len(statements))
    assert counts[0] == counts[1] <= 4


def test_filters_narrow_the_list(parts: LibraryParts) -> None:
    parts.publish(
        OLD, NEW, Paper(document="VPN 使用指南", text="网络 指南"), Paper(document="100%达标", text="达标")
    )
    parts.library.set_status(LOCAL, Paper(document="100%达标", text="达标").id, RevisionStatus.WITHDRAWN)

    def titles(**filters: str) -> set[str]:
        return {item.document.title for item in parts.documents.page(READER, **filters).items}  # type: ignore[arg-type]

    assert titles(search="vpn") == {"VPN 使用指南"}
    assert titles(search="0%") == {"100%达标"}
    assert titles(status="withdrawn") == {"100%达标"}
    assert titles(status="superseded") == {OLD.document}
    assert titles(knowledge_base="别的库") == set()


def test_revisions_come_newest_first_and_undated_ones_last(parts: LibraryParts) -> None:
    parts.publish(UNDATED, NEW, OLD)
    stored = parts.documents.get(READER, key(OLD.document))
    assert [item.revision.id for item in stored.revisions] == [NEW.id, OLD.id, UNDATED.id]
    assert stored.current.revision.id == NEW.id


def test_a_revision_that_waits_for_its_day_is_not_the_current_one(parts: LibraryParts) -> None:
    future = Paper(text="住宿 标准 六百", starts=date.today() + timedelta(days=30))
    parts.publish(OLD, NEW, future)
    stored = parts.documents.get(READER, key(OLD.document))
    assert [item.revision.id for item in stored.revisions] == [future.id, NEW.id, OLD.id]
    assert stored.current.revision.id == NEW.id
    assert parts.documents.content(READER, key(OLD.document)).revision.id == NEW.id
    parts.library.set_status(LOCAL, NEW.id, RevisionStatus.WITHDRAWN)
    parts.library.set_status(LOCAL, OLD.id, RevisionStatus.WITHDRAWN)
    assert parts.documents.get(READER, key(OLD.document)).current.revision.id == future.id


def test_the_text_of_a_revision_is_what_its_chunks_point_into(parts: LibraryParts) -> None:
    parts.publish(OLD, NEW)
    content = parts.documents.content(READER, key(OLD.document), OLD.id)
    assert content.text == OLD.text
    assert content.report.balanced
    assert [block.text for block in content.blocks] == OLD.text.splitlines()
    for chunk in parts.documents.chunks(READER, list(OLD.chunk_ids)).values():
        assert content.text[chunk.char_start : chunk.char_end] == chunk.text
    assert parts.documents.content(READER, key(OLD.document)).revision.id == NEW.id


def test_a_revision_of_another_document_is_not_found(parts: LibraryParts) -> None:
    other = Paper(document="请假制度", text="年假")
    parts.publish(OLD, other)
    with pytest.raises(NotFound):
        parts.documents.content(READER, key(OLD.document), other.id)


def test_a_section_is_cut_by_ordinal(parts: LibraryParts) -> None:
    parts.publish(OLD)
    assert [chunk.text for chunk in parts.documents.section(READER, OLD.id, 1, 2)] == [
        "交通 二等",
        "餐费 五十",
    ]
    assert parts.documents.section(READER, "absent", 0, 5) == ()


def test_more_chunks_than_a_statement_takes_are_found(parts: LibraryParts) -> None:
    long = Paper(document="长文", text="\n".join(f"第 {number} 条" for number in range(1_100)))
    parts.publish(long)
    assert len(parts.documents.chunks(READER, sorted(long.chunk_ids))) == 1_100
    parts.library.delete_document(LOCAL, key(long.document))
    assert parts.documents.chunks(READER, sorted(long.chunk_ids)) == {}
    parts.check()


def test_totals_count_what_is_published(parts: LibraryParts) -> None:
    parts.publish(OLD, NEW, replace(OLD, document="另一份"))
    assert parts.documents.totals() == (2, 7)
    assert parts.documents.knowledge_bases(READER) == ("default",)
