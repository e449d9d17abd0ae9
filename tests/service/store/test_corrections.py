"""What a person corrects holds against what files say, for the next query and for later revisions."""

from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from ingestion.index.schema import Filter
from service.access import LOCAL, Principal, Role
from service.errors import BadRequest, Conflict, NotFound
from service.store.corrections import Belonging, Bound, Description, Fact, Revised
from service.store.models import AuditRow, DocumentRow
from service.store.publishing import Repealed
from service.store.tasks import FileRecord, FileStore
from tests.service.store.library_parts import TODAY, LibraryParts, Paper, key

OLD = Paper(text="住宿 标准 三百", starts=date(2020, 1, 1))
NEW = Paper(text="住宿 标准 五百", starts=date(2023, 1, 1))
OTHER = Paper(document="请假制度", text="年假 五天")
STRANGER = Principal("stranger", role=Role.CONTRIBUTOR)
DOCUMENT = key(OLD.document)


def evidence(parts: LibraryParts, paper: Paper) -> tuple[str, ...]:
    return parts.catalogue.snapshot().revisions[paper.id].revision.evidence_of_version


def audited(parts: LibraryParts) -> list[AuditRow]:
    with parts.database.session() as session:
        return list(session.scalars(select(AuditRow).order_by(AuditRow.at)))


def test_corrected_facts_are_filtered_by_at_once_and_survive_the_next_revision(parts: LibraryParts) -> None:
    parts.publish(OLD, OTHER)
    facts = {Fact.TITLE: "差旅费标准", Fact.OWNER: "财务部", Fact.ISSUER: "公司", Fact.BUSINESS_LINE: "财务"}
    parts.library.describe(LOCAL, DOCUMENT, Description(facts, ("group:hr",)))
    for where in (
        Filter(owners=("财务部",)),
        Filter(issuers=("公司",)),
        Filter(business_lines=("财务",)),
        Filter(labels=("group:hr",)),
    ):
        assert parts.found(where) == {OLD.id}
    parts.publish(NEW)  # its file says what the first one said
    document = parts.documents.get(LOCAL, DOCUMENT).document
    assert (document.title, document.owner, document.issuer) == ("差旅费标准", "财务部", "公司")
    assert parts.found(Filter(owners=("财务部",))) == {OLD.id, NEW.id}
    line = next(row for row in audited(parts) if row.action == "document.correct")
    assert (line.principal_id, line.subject) == ("local", DOCUMENT)
    assert (line.details["title_from"], line.details["title_to"]) == ("差旅费管理办法", "差旅费标准")
    parts.check()


def test_only_what_is_given_is_corrected(parts: LibraryParts) -> None:
    parts.publish(OLD)
    parts.library.describe(LOCAL, DOCUMENT, Description({Fact.OWNER: "财务部"}))
    parts.publish(replace(NEW, title="差旅费管理办法（新）"))
    document = parts.documents.get(LOCAL, DOCUMENT).document
    assert (document.title, document.owner, document.labels) == (
        "差旅费管理办法（新）",
        "财务部",
        ("public",),
    )


def test_a_repeal_finds_a_document_by_its_corrected_title(parts: LibraryParts) -> None:
    repealing = Paper(document="通知", text="废止", starts=date(2024, 1, 1), repeals=(Repealed("请假办法"),))
    parts.publish(OTHER, repealing)
    assert parts.answering() == {OTHER.id, repealing.id}
    parts.library.describe(LOCAL, key(OTHER.document), Description({Fact.TITLE: "请假办法"}))
    assert parts.answering() == {repealing.id}
    parts.library.describe(LOCAL, key(OTHER.document), Description({Fact.TITLE: "请假制度"}))
    assert parts.answering() == {OTHER.id, repealing.id}


def test_days_set_by_hand_hold_and_say_who_set_them(parts: LibraryParts) -> None:
    parts.publish(OLD, NEW)
    parts.library.revise(LOCAL, NEW.id, Revised({Bound.START: TODAY + timedelta(days=1)}))
    assert parts.answering() == {OLD.id}
    parts.library.revise(LOCAL, NEW.id, Revised({Bound.START: TODAY, Bound.END: date(2030, 1, 1)}))
    assert parts.answering() == {NEW.id}
    assert parts.answering(date(2030, 1, 1)) == set()
    today = date.today().isoformat()
    assert f"施行日期由 本机用户 于 {today} 手工指定为 {TODAY.isoformat()}" in evidence(parts, NEW)
    assert sum(line.startswith("施行日期由") for line in evidence(parts, NEW)) == 1
    parts.publish(replace(NEW, starts=date(2023, 1, 1)))  # the same file once more
    assert parts.answering(TODAY - timedelta(days=1)) == {OLD.id}
    parts.check()


def test_an_end_set_by_hand_overrules_a_repeal(parts: LibraryParts) -> None:
    repealing = Paper(
        document="通知", text="废止", starts=date(2024, 1, 1), repeals=(Repealed("差旅费管理办法"),)
    )
    parts.publish(NEW, repealing)
    assert parts.answering() == {repealing.id}
    parts.library.revise(LOCAL, NEW.id, Revised({Bound.END: None}))
    assert parts.answering() == {NEW.id, repealing.id}
    assert any("手工指定为没有" in line for line in evidence(parts, NEW))
    assert not any("起废止" in line for line in evidence(parts, NEW))


def test_an_end_before_the_start_is_told_and_changes_nothing(parts: LibraryParts) -> None:
    parts.publish(NEW)
    with pytest.raises(BadRequest, match="晚于"):
        parts.library.revise(LOCAL, NEW.id, Revised({Bound.END: date(2022, 12, 31)}))
    assert parts.answering() == {NEW.id}
    with pytest.raises(BadRequest, match="题名"):
        parts.library.describe(LOCAL, DOCUMENT, Description({Fact.TITLE: " "}))


def test_a_revision_moves_to_another_document_with_its_files(parts: LibraryParts) -> None:
    parts.publish(OLD, NEW, OTHER)
    files = FileStore(parts.database)
    files.record(FileRecord("default", "n", "n", "0", 1, "parsed", None, "", None, DOCUMENT, NEW.id))
    parts.library.revise(LOCAL, NEW.id, Revised(belongs=Belonging(key(OTHER.document))))
    assert parts.answering() == {OLD.id, NEW.id}  # undated, the other one is older than what joined it
    stored = parts.documents.get(LOCAL, key(OTHER.document))
    assert {item.revision.id for item in stored.revisions} == {OTHER.id, NEW.id}
    assert parts.found(Filter(document_ids=(key(OTHER.document),))) == {OTHER.id, NEW.id}
    assert [record.source_uri for record in files.of_document(key(OTHER.document))] == ["n"]
    assert any("手工指定：归入《请假制度》" in line for line in evidence(parts, NEW))
    parts.check()


def test_the_last_revision_that_leaves_takes_its_document_along(parts: LibraryParts) -> None:
    parts.publish(OLD, OTHER)
    parts.library.revise(LOCAL, OLD.id, Revised(belongs=Belonging(key(OTHER.document))))
    with parts.database.session() as session:
        assert session.get(DocumentRow, DOCUMENT) is None
    with pytest.raises(NotFound):
        parts.documents.get(LOCAL, DOCUMENT)
    parts.check()


def test_a_revision_becomes_a_document_of_its_own(parts: LibraryParts) -> None:
    parts.publish(OLD, NEW)
    parts.library.revise(LOCAL, NEW.id, Revised(belongs=Belonging(None)))
    assert parts.answering() == {OLD.id, NEW.id}
    facts = parts.catalogue.snapshot().revisions
    assert facts[NEW.id].document.id != DOCUMENT
    assert facts[NEW.id].revision.supersedes is None
    assert facts[OLD.id].revision.effective_to is None
    assert [row.action for row in audited(parts)][-1] == "revision.move"
    parts.check()


def test_where_a_revision_cannot_belong_is_told(parts: LibraryParts) -> None:
    twin = replace(OLD, document="差旅费管理办法副本文件")
    parts.publish(OLD, OTHER, twin)
    for target, told in ((DOCUMENT, "已经属于"), (None, "只有这一个"), (key(twin.document), "内容相同")):
        with pytest.raises(Conflict, match=told):
            parts.library.revise(LOCAL, OLD.id, Revised(belongs=Belonging(target)))
    with pytest.raises(NotFound):
        parts.library.revise(LOCAL, OLD.id, Revised(belongs=Belonging(key("没有"))))
    assert parts.answering() == {OLD.id, OTHER.id, twin.id}


def test_what_is_hidden_cannot_be_corrected(parts: LibraryParts) -> None:
    parts.publish(replace(OLD, labels=("group:board",)), OTHER)
    attempts = (
        lambda: parts.library.describe(STRANGER, DOCUMENT, Description({Fact.OWNER: "我"})),
        lambda: parts.library.revise(STRANGER, OLD.id, Revised({Bound.END: None})),
        lambda: parts.library.revise(STRANGER, OLD.id, Revised(belongs=Belonging(key(OTHER.document)))),
        lambda: parts.library.revise(STRANGER, OTHER.id, Revised(belongs=Belonging(DOCUMENT))),
    )
    for attempt in attempts:
        with pytest.raises(NotFound, match="文档不存在"):
            attempt()


def test_a_revision_is_corrected_whole_or_not_at_all(parts: LibraryParts) -> None:
    parts.publish(OLD, NEW)
    with pytest.raises(Conflict):
        given = Revised({Bound.END: date(2024, 1, 1)}, Belonging(DOCUMENT))
        parts.library.revise(LOCAL, NEW.id, given)
    assert parts.answering() == {NEW.id}


def test_a_correction_cut_off_before_the_index_heard_is_told_at_the_next_start(parts: LibraryParts) -> None:
    parts.publish(OLD)

    def die(step: str) -> None:
        if step == "corrected":
            raise KeyboardInterrupt

    parts.library._reached = die
    with pytest.raises(KeyboardInterrupt):
        parts.library.describe(LOCAL, DOCUMENT, Description({Fact.OWNER: "财务部"}))
    parts.library._reached = lambda _step: None
    assert parts.library.recover().told_index == 1
    assert parts.found(Filter(owners=("财务部",))) == {OLD.id}


PAPERS = [OLD, NEW, OTHER, replace(OTHER, text="年假 七天", starts=date(2024, 1, 1))]
acts = st.tuples(
    st.sampled_from(["publish", "publish", "own", "join", "term", "open", "rename", "delete"]),
    st.sampled_from(PAPERS),
    st.sampled_from(PAPERS),
    st.dates(date(2019, 1, 1), date(2026, 12, 31)),
)


def perform(parts: LibraryParts, act: str, paper: Paper, other: Paper, day: date) -> None:
    known = parts.catalogue.snapshot().revisions
    if act == "publish":
        parts.publish(paper)
    elif paper.id not in known:
        return
    elif act == "delete":
        parts.library.delete_revision(LOCAL, paper.id)
    elif act == "rename":
        parts.library.describe(LOCAL, known[paper.id].document.id, Description({Fact.TITLE: str(day)}))
    elif act in ("term", "open"):
        end = {Bound.END: None} if act == "open" else {}
        parts.library.revise(LOCAL, paper.id, Revised({Bound.START: day, **end}))
    elif act == "own" or other.id in known:
        target = None if act == "own" else known[other.id].document.id
        parts.library.revise(LOCAL, paper.id, Revised(belongs=Belonging(target)))


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(sequence=st.lists(acts, min_size=1, max_size=10), day=st.dates(date(2019, 1, 1), date(2026, 12, 31)))
def test_whatever_is_corrected_a_document_answers_once_and_the_index_agrees(
    parts: LibraryParts, sequence: list[tuple[str, Paper, Paper, date]], day: date
) -> None:
    parts.empty()
    for act, paper, other, on in sequence:
        with suppress(Conflict, BadRequest):
            perform(parts, act, paper, other, on)
    parts.check()
    known = parts.catalogue.snapshot().revisions
    answering = [known[one].document.id for one in parts.answering(day)]
    assert len(answering) == len(set(answering))
    for document in {facts.document.id for facts in known.values()}:
        held = {key for key, facts in known.items() if facts.document.id == document}
        assert parts.found(Filter(document_ids=(document,))) == held
