"""Publishing, withdrawing and deleting on real SQLite and a real index, without crashes."""

from dataclasses import replace
from datetime import date, timedelta
from threading import Thread

import pytest
from sqlalchemy import select

from ingestion.documents import RevisionStatus
from ingestion.index.schema import Filter
from service.access import LOCAL, Principal, Role
from service.errors import BadRequest, NotFound
from service.store.models import AuditRow, DocumentRow, FileRow, RevisionRow
from service.store.publishing import Repealed
from service.store.tasks import FileRecord, FileStore
from tests.service.store.library_parts import TODAY, LibraryParts, Paper, key, vectors

OLD = Paper(text="住宿 标准 三百\n交通 标准 二等", starts=date(2020, 1, 1))
NEW = Paper(text="住宿 标准 五百\n交通 标准 一等", starts=date(2023, 1, 1))
OTHER = Paper(document="请假制度", text="年假 五天\n病假 十天")
READER = Principal("reader", groups=("hr",))
STRANGER = Principal("stranger", role=Role.CONTRIBUTOR)


def revision(parts: LibraryParts, paper: Paper) -> RevisionRow:
    with parts.database.session() as session:
        return session.get_one(RevisionRow, paper.id)


def test_a_newer_revision_takes_over_on_its_day(parts: LibraryParts) -> None:
    parts.publish(OLD, NEW, OTHER)
    assert parts.answering() == {NEW.id, OTHER.id}
    assert parts.answering(date(2022, 12, 31)) == {OLD.id, OTHER.id}
    assert parts.answering(date(2023, 1, 1)) == {NEW.id, OTHER.id}
    parts.check()


def test_an_older_revision_loaded_later_does_not_take_over(parts: LibraryParts) -> None:
    parts.publish(NEW, OLD)
    assert parts.answering() == {NEW.id}
    assert parts.answering(date(2021, 1, 1)) == {OLD.id}


def test_a_future_revision_waits_for_its_day(parts: LibraryParts) -> None:
    parts.publish(OLD, replace(NEW, starts=TODAY + timedelta(days=1)))
    assert parts.answering() == {OLD.id}
    assert parts.answering(TODAY + timedelta(days=1)) == {NEW.id}


def test_deleting_the_newest_brings_the_older_back_without_its_borrowed_end(parts: LibraryParts) -> None:
    parts.publish(OLD, NEW)
    parts.library.delete_revision(LOCAL, NEW.id)
    assert parts.answering() == {OLD.id}
    assert revision(parts, OLD).effective_to is None
    parts.check()


def test_deleting_the_newest_keeps_an_end_that_the_older_states_itself(parts: LibraryParts) -> None:
    stated = replace(OLD, ends=date(2021, 6, 1))
    parts.publish(stated, NEW)
    parts.library.delete_revision(LOCAL, NEW.id)
    assert parts.answering() == set()
    assert parts.answering(date(2021, 5, 31)) == {stated.id}


def test_deleting_a_middle_revision_leaves_no_gap(parts: LibraryParts) -> None:
    middle = Paper(text="住宿 标准 四百", starts=date(2021, 1, 1))
    parts.publish(OLD, middle, NEW)
    parts.library.delete_revision(LOCAL, middle.id)
    assert parts.answering(date(2022, 6, 1)) == {OLD.id}
    parts.check()


def test_withdrawing_and_restoring_a_middle_revision_leaves_no_gap(parts: LibraryParts) -> None:
    middle = Paper(text="住宿 标准 四百", starts=date(2021, 1, 1))
    parts.publish(OLD, middle, NEW)
    parts.library.set_status(LOCAL, middle.id, RevisionStatus.WITHDRAWN)
    assert parts.answering(date(2022, 6, 1)) == {OLD.id}
    parts.library.set_status(LOCAL, middle.id, RevisionStatus.ACTIVE)
    assert parts.answering(date(2022, 6, 1)) == {middle.id}
    assert parts.answering() == {NEW.id}
    parts.check()


def test_superseded_is_not_a_person_s_to_set(parts: LibraryParts) -> None:
    parts.publish(OLD)
    with pytest.raises(BadRequest, match="施行日期"):
        parts.library.set_status(LOCAL, OLD.id, RevisionStatus.SUPERSEDED)
    assert parts.answering() == {OLD.id}


def test_a_draft_is_kept_and_never_answers(parts: LibraryParts) -> None:
    parts.publish(OLD, replace(NEW, status=RevisionStatus.DRAFT))
    assert parts.answering() == {OLD.id}
    assert revision(parts, NEW).status == "draft"


@pytest.mark.parametrize("repealer_first", [False, True])
def test_a_repeal_ends_the_other_document_whichever_came_first(
    parts: LibraryParts, repealer_first: bool
) -> None:
    new = Paper(
        document="费用管理办法",
        text="费用 合并 管理",
        starts=date(2024, 1, 1),
        repeals=(Repealed("差旅费管理办法"),),
    )
    parts.publish(*((new, NEW) if repealer_first else (NEW, new)))
    assert parts.answering() == {new.id}
    assert parts.answering(date(2023, 12, 31)) == {NEW.id}
    content = parts.documents.content(LOCAL, key(NEW.document))
    assert "《费用管理办法》规定自 2024-01-01 起废止" in content.revision.evidence_of_version


def test_a_notice_without_a_date_of_its_own_repeals_from_the_day_it_names(parts: LibraryParts) -> None:
    notice = Paper(
        document="关于废止文件的通知",
        text="废止 清单",
        repeals=(Repealed("差旅费管理办法", date(2025, 1, 1)), Repealed("")),
    )
    parts.publish(NEW, notice)
    assert parts.answering() == {notice.id}
    assert parts.answering(date(2024, 12, 31)) == {NEW.id, notice.id}


@pytest.mark.parametrize("undo", ["delete", "withdraw"])
def test_a_repeal_is_undone_with_the_document_that_said_so(parts: LibraryParts, undo: str) -> None:
    new = Paper(
        document="费用管理办法", text="费用", starts=date(2024, 1, 1), repeals=(Repealed("差旅费管理办法"),)
    )
    parts.publish(NEW, new)
    if undo == "delete":
        parts.library.delete_document(LOCAL, key(new.document))
    else:
        parts.library.set_status(LOCAL, new.id, RevisionStatus.WITHDRAWN)
    assert parts.answering() == {NEW.id}
    parts.check()


def test_a_draft_repeals_nothing(parts: LibraryParts) -> None:
    draft = Paper(
        document="费用管理办法",
        text="费用",
        starts=date(2024, 1, 1),
        status=RevisionStatus.DRAFT,
        repeals=(Repealed("差旅费管理办法"),),
    )
    parts.publish(NEW, draft)
    assert parts.answering() == {NEW.id}


def repealing(labels: tuple[str, ...]) -> Paper:
    repeals = (Repealed("差旅费管理办法"),)
    return Paper(document="重组方案", text="重组", starts=date(2024, 1, 1), labels=labels, repeals=repeals)


@pytest.mark.parametrize("labels", [("user:stranger",), ("group:board",), ("department:总部",)])
def test_what_not_every_reader_may_read_repeals_nothing_and_is_not_named(
    parts: LibraryParts, labels: tuple[str, ...]
) -> None:
    parts.publish(NEW, repealing(labels))
    assert NEW.id in parts.answering()
    assert NEW.id in parts.answering(principal=READER)
    assert parts.documents.content(READER, key(NEW.document)).revision.evidence_of_version == ()
    with parts.database.session() as session:
        line = session.scalars(select(AuditRow).where(AuditRow.action == "document.repeal_ignored")).one()
    assert line.subject == key(NEW.document)


@pytest.mark.parametrize(
    ("labels", "of_the_repealed"),
    [
        (("public",), ("group:hr",)),
        (("group:hr", "group:it"), ("group:hr",)),
        (("department:总部",), ("department:总部/财务部",)),
    ],
)
def test_what_every_reader_may_read_repeals(
    parts: LibraryParts, labels: tuple[str, ...], of_the_repealed: tuple[str, ...]
) -> None:
    parts.publish(replace(NEW, labels=of_the_repealed), repealing(labels))
    assert NEW.id not in parts.answering()


def test_a_repeal_ends_with_the_readers_of_its_document(parts: LibraryParts) -> None:
    open_to_all = repealing(("public",))
    parts.publish(NEW, open_to_all)
    assert NEW.id not in parts.answering()
    narrower = replace(
        open_to_all, text="重组 细节", labels=("group:board",), starts=date(2024, 6, 1), repeals=()
    )
    parts.publish(narrower)
    assert NEW.id in parts.answering()
    parts.check()


def test_a_department_below_does_not_repeal_for_the_one_above(parts: LibraryParts) -> None:
    parts.publish(replace(NEW, labels=("department:总部",)), repealing(("department:总部/财务部",)))
    assert NEW.id in parts.answering()


def test_deleting_a_document_removes_all_of_it_at_once(parts: LibraryParts) -> None:
    parts.publish(OLD, NEW, OTHER)
    seen: list[set[str]] = []
    parts.library._reached = lambda _step: seen.append(parts.answering())
    assert parts.library.delete_document(LOCAL, key(OLD.document)) == 2
    assert seen and all(answers == {OTHER.id} for answers in seen)  # the older one never comes back
    with parts.database.session() as session:
        assert session.get(DocumentRow, key(OLD.document)) is None
    assert parts.index.ids() == OTHER.chunk_ids
    parts.check()


def test_an_original_that_two_documents_share_stays_until_the_last_is_deleted(parts: LibraryParts) -> None:
    twin = replace(OLD, document="差旅费管理办法副本文件")
    parts.publish(OLD, twin)
    parts.library.delete_document(LOCAL, key(OLD.document))
    parts.check()
    assert parts.original_digests()
    parts.library.delete_document(LOCAL, key(twin.document))
    assert parts.original_digests() == set()


def test_a_deleted_file_counts_as_never_seen(parts: LibraryParts) -> None:
    parts.publish(OLD, NEW)
    files = FileStore(parts.database)
    for paper, name in ((OLD, "a"), (NEW, "b")):
        files.record(
            FileRecord(
                "default", name, name, "0", 1, "parsed", document_id=key(OLD.document), revision_id=paper.id
            )
        )
    parts.library.delete_revision(LOCAL, NEW.id)
    with parts.database.session() as session:
        assert set(session.scalars(select(FileRow.source_uri))) == {"a"}
    files.record(FileRecord("default", "c", "c", "", 1, "failed", document_id=key(OLD.document)))
    parts.library.delete_document(LOCAL, key(OLD.document))
    with parts.database.session() as session:
        assert list(session.scalars(select(FileRow.source_uri))) == []


def test_the_same_content_from_its_own_source_becomes_the_newest_again(parts: LibraryParts) -> None:
    first, second = Paper(text="第一 稿"), Paper(text="第二 稿", replaces=Paper(text="第一 稿").id)
    parts.publish(first, second)
    assert parts.answering(date.today()) == {second.id}
    parts.publish(replace(first, replaces=second.id))
    assert parts.answering(date.today()) == {first.id}
    assert parts.catalogue.snapshot().revisions.keys() == {first.id, second.id}
    parts.check()


def test_the_same_content_from_another_source_is_the_revision_that_is_there(parts: LibraryParts) -> None:
    parts.publish(OLD, NEW)
    copy = replace(OLD, source="备份/差旅费")
    draft = copy.draft()
    published = parts.library.publish(LOCAL, draft, vectors(draft), copy.original)
    assert published.revision_id == OLD.id
    assert parts.answering() == {NEW.id}
    evidence = parts.catalogue.snapshot().revisions[OLD.id].revision.evidence_of_version
    assert evidence.count("内容相同的另一份文件：备份/差旅费.txt") == 1
    parts.check()


def test_what_a_failed_attempt_left_does_not_block_the_next(parts: LibraryParts) -> None:
    def fail(step: str) -> None:
        if step == "staged":
            raise RuntimeError("the index went away")

    parts.publish(OLD)
    parts.library._reached = fail
    with pytest.raises(RuntimeError):
        parts.publish(replace(NEW, source="甲"))
    assert parts.answering() == {OLD.id}
    parts.library._reached = lambda _step: None
    parts.publish(replace(NEW, source="乙"))
    assert parts.answering() == {replace(NEW, source="乙").id}
    parts.check()


def test_new_facts_of_a_document_are_not_seen_before_its_revision_is(parts: LibraryParts) -> None:
    parts.publish(OLD)
    titles: dict[str, str] = {}

    def look(step: str) -> None:
        with parts.database.session() as session:
            titles[step] = session.get_one(DocumentRow, key(OLD.document)).title

    parts.library._reached = look
    parts.publish(replace(NEW, title="差旅费管理办法（2023年修订）"))
    assert titles["staged"] == OLD.document
    assert titles["published"] == "差旅费管理办法（2023年修订）"


def test_hidden_and_absent_documents_look_the_same(parts: LibraryParts) -> None:
    hidden = Paper(document="薪酬制度", text="薪酬 等级", labels=("group:hr",))
    parts.publish(hidden)
    absent = "00000000-0000-0000-0000-000000000000"
    attempts = (
        lambda d, r: parts.library.delete_document(STRANGER, d),
        lambda d, r: parts.library.delete_revision(STRANGER, r),
        lambda d, r: parts.library.set_status(STRANGER, r, RevisionStatus.ARCHIVED),
        lambda d, r: parts.documents.get(STRANGER, d),
        lambda d, r: parts.documents.content(STRANGER, d),
        lambda d, r: parts.documents.content(STRANGER, d, r),
    )
    for attempt in attempts:
        with pytest.raises(NotFound) as of_hidden:
            attempt(key(hidden.document), hidden.id)
        with pytest.raises(NotFound) as of_absent:
            attempt(absent, absent)
        assert (of_hidden.value.code, of_hidden.value.message) == (
            of_absent.value.code,
            of_absent.value.message,
        )
    assert parts.documents.chunks(STRANGER, list(hidden.chunk_ids)) == {}
    assert parts.documents.section(STRANGER, hidden.id, 0, 9) == ()
    assert parts.documents.page(STRANGER).total == 0
    assert parts.answering(principal=READER) == {hidden.id}
    assert parts.answering(principal=STRANGER) == set()


def test_a_hidden_document_is_not_taken_over_by_publishing_into_it(parts: LibraryParts) -> None:
    hidden = Paper(document="薪酬制度", text="薪酬 等级", labels=("group:hr",))
    parts.publish(hidden)
    for text in ("薪酬 公开", hidden.text):
        with pytest.raises(NotFound):
            parts.publish(replace(hidden, text=text, labels=("public",)), principal=STRANGER)
    assert parts.answering(principal=STRANGER) == set()
    parts.check()


def test_the_index_learns_what_changed(parts: LibraryParts) -> None:
    parts.publish(OLD, NEW)
    assert parts.found(Filter(in_force_on=TODAY)) == {NEW.id}
    assert parts.found(Filter(statuses=("superseded",))) == {OLD.id}
    parts.library.set_status(LOCAL, NEW.id, RevisionStatus.WITHDRAWN)
    assert parts.found(Filter(in_force_on=TODAY, statuses=("active",))) == {OLD.id}


def test_every_write_is_in_the_audit_log(parts: LibraryParts) -> None:
    parts.publish(OLD)
    parts.library.set_status(LOCAL, OLD.id, RevisionStatus.ARCHIVED)
    parts.library.delete_document(LOCAL, key(OLD.document))
    with parts.database.session() as session:
        lines = list(session.execute(select(AuditRow.action, AuditRow.subject).order_by(AuditRow.at)))
    assert [line.action for line in lines] == ["document.publish", "revision.status", "document.delete"]
    assert {line.subject for line in lines} == {key(OLD.document)}


def test_questions_find_exactly_one_revision_while_others_are_published(parts: LibraryParts) -> None:
    papers = [Paper(text=f"第 {number} 版", starts=date(2020, 1, 1 + number)) for number in range(12)]
    parts.publish(papers[0])
    failures: list[Exception] = []

    def publish_all() -> None:
        try:
            parts.publish(*papers[1:])
        except Exception as error:  # noqa: BLE001 - handed to the test
            failures.append(error)

    writer = Thread(target=publish_all)
    writer.start()
    seen = []
    while writer.is_alive():
        seen.append(parts.answering())
    writer.join()
    assert not failures
    assert seen and all(len(answers) == 1 for answers in seen)
    assert parts.answering() == {papers[-1].id}


def test_threads_that_publish_and_delete_one_document_leave_a_whole_library(parts: LibraryParts) -> None:
    papers = [Paper(text=f"第 {number} 版 共有", starts=date(2020, 1, 1 + number)) for number in range(8)]
    failures: list[Exception] = []

    def publish() -> None:
        try:
            for paper in papers:
                parts.publish(paper)
        except Exception as error:  # noqa: BLE001 - handed to the test
            failures.append(error)

    def delete() -> None:
        try:
            for _ in range(6):
                try:
                    parts.library.delete_document(LOCAL, key(papers[0].document))
                except NotFound:
                    continue
        except Exception as error:  # noqa: BLE001 - handed to the test
            failures.append(error)

    threads = [Thread(target=publish), Thread(target=publish), Thread(target=delete)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(parts.answering()) <= 1
    parts.check()
