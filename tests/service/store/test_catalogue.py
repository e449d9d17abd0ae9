"""The snapshot: what it holds, that it moves with every change, and that it reads only the changes."""

from dataclasses import replace
from datetime import date

import pytest
from sqlalchemy import event

from ingestion.documents import RevisionStatus
from service.access import LOCAL, Principal
from service.store.catalogue import Catalogue
from tests.service.store.library_parts import TODAY, LibraryParts, Paper, in_force, key

OLD = Paper(text="住宿 标准 三百", starts=date(2020, 1, 1))
NEW = Paper(text="住宿 标准 五百", starts=date(2023, 1, 1))
OTHER = Paper(document="请假制度", text="年假 五天")
HIDDEN = Paper(document="薪酬制度", text="薪酬", labels=("group:hr", "department:总部"))


def test_a_snapshot_is_kept_until_something_changes(parts: LibraryParts) -> None:
    parts.publish(OLD)
    first = parts.catalogue.snapshot()
    assert parts.catalogue.snapshot() is first
    parts.publish(NEW)
    second = parts.catalogue.snapshot()
    assert second.version > first.version
    assert in_force(first, TODAY, LOCAL) == {OLD.id}  # a query that holds it is not disturbed
    assert in_force(second, TODAY, LOCAL) == {NEW.id}


def test_what_is_read_bit_by_bit_equals_what_is_read_at_once(parts: LibraryParts) -> None:
    steps = (
        lambda: parts.publish(OLD, OTHER),
        lambda: parts.publish(NEW),
        lambda: parts.publish(HIDDEN),
        lambda: parts.library.set_status(LOCAL, NEW.id, RevisionStatus.ARCHIVED),
        lambda: parts.library.delete_revision(LOCAL, OLD.id),
        lambda: parts.publish(replace(OTHER, title="请假管理办法", text="年假 十天")),
        lambda: parts.library.delete_document(LOCAL, key(OTHER.document)),
    )
    for step in steps:
        step()
        assert parts.catalogue.snapshot() == Catalogue(parts.database).snapshot()


def test_a_change_reads_only_its_own_document(parts: LibraryParts) -> None:
    parts.publish(OLD, OTHER, HIDDEN)
    before = parts.catalogue.snapshot()
    parts.publish(NEW)
    after = parts.catalogue.snapshot()
    assert after.revisions[OTHER.id] is before.revisions[OTHER.id]
    assert after.revisions[OLD.id] is not before.revisions[OLD.id]


def test_an_unchanged_snapshot_costs_one_statement(parts: LibraryParts) -> None:
    parts.publish(OLD)
    parts.catalogue.snapshot()
    statements: list[str] = []

    def note(_conn: object, _cursor: object, statement: str, *_rest: object) -> None:
        statements.append(statement)

    event.listen(parts.database.engine, "before_cursor_execute", note)
    try:
        parts.catalogue.snapshot()
    finally:
        event.remove(parts.database.engine, "before_cursor_execute", note)
    assert len([statement for statement in statements if statement.startswith("SELECT")]) == 1


@pytest.mark.parametrize(
    ("principal", "readable"),
    [
        (LOCAL, {OTHER.id, HIDDEN.id}),
        (Principal("a"), {OTHER.id}),
        (Principal("a", groups=("hr",)), {OTHER.id, HIDDEN.id}),
        (Principal("a", department="总部/财务部"), {OTHER.id, HIDDEN.id}),
        (Principal("a", department="总部财务"), {OTHER.id}),
    ],
)
def test_a_reader_sees_what_their_scopes_allow(
    parts: LibraryParts, principal: Principal, readable: set[str]
) -> None:
    parts.publish(OTHER, HIDDEN)
    snapshot = parts.catalogue.snapshot()
    assert snapshot.readable(principal).keys() == readable
    assert in_force(snapshot, TODAY, principal) == readable
    assert {one for one in (OTHER.id, HIDDEN.id, "absent") if snapshot.visible(principal, one)} == readable
