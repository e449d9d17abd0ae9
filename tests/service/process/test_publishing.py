"""A good workbook serves whole, a bad one changes nothing; versions, drafts, forms, the audit."""

from collections.abc import Callable
from datetime import date
from hashlib import sha256
from threading import Event, Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules.loader import load
from rules.table import Process
from service.access import LOCAL, Principal, Role
from service.errors import BadRequest, Conflict, Forbidden, NotFound
from service.process.library import ProcessLibrary
from service.process.offered import Offered
from service.store.processes import Publication
from tests.service.process.kept import FORM, ID, UNREADABLE, Kept, broken, offered, on, workbook

TODAY = date(2026, 11, 30)
READER = Principal("r", role=Role.CONTRIBUTOR)


def version_on(library: ProcessLibrary, day: date = TODAY) -> str | None:
    """What a workbook calls itself; None when nothing serves."""
    return next((process.version for process in library.on(day)), None)


def test_a_good_workbook_serves_from_the_moment_it_is_published(kept: Kept) -> None:
    assert kept.library.on(TODAY) == ()
    done = kept.publish(workbook())
    assert (done.changed, done.serving, done.version) == (True, True, "1.0")
    process = kept.library.on(TODAY)[0]
    assert (process.id, process.digest) == (ID, done.digest)
    assert kept.library.version(ID, done.digest) is process


def test_a_workbook_with_errors_is_refused_and_the_last_good_one_serves_on(kept: Kept) -> None:
    kept.publish(workbook())
    generation = kept.store.generation()
    with pytest.raises(Conflict) as raised:
        kept.publish(broken(), 申领单=b"form")
    findings = raised.value.details["findings"]
    assert raised.value.code == "faulty_workbook"
    assert isinstance(findings, list) and findings[0]["code"] == "blank_condition"
    assert findings[0]["row"] == 6 and "决策表 第 6 行" in raised.value.message
    assert version_on(kept.library) == "1.0"
    assert kept.store.generation() == generation
    assert kept.publishing.drafts(LOCAL) == []
    assert not kept.originals.path(sha256(b"form").hexdigest()).exists()


def test_a_workbook_whose_test_case_fails_is_refused(kept: Kept) -> None:
    with pytest.raises(Conflict, match="T01") as raised:
        kept.publish(workbook(测试用例_E2="R02"), 申领单=b"form")
    assert [each["code"] for each in raised.value.details["findings"]] == ["failed_case"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("id_", ["A/B", "a?b", "..", "x" * 65])
def test_an_id_that_no_address_can_hold_is_refused(kept: Kept, id_: str) -> None:
    with pytest.raises(Conflict, match="流程编号"):
        kept.publish(workbook(流程信息_B1=id_))


def test_the_same_workbook_again_changes_nothing(kept: Kept) -> None:
    kept.publish(workbook())
    generation = kept.store.generation()
    assert not kept.publish(workbook()).changed
    assert kept.store.generation() == generation
    assert len(kept.library.versions(ID)) == len(kept.audited("process.publish")) == 1


def test_versions_lie_side_by_side_and_the_day_decides(kept: Kept) -> None:
    kept.publish(workbook("2025", "2025-01-01", "2026-01-01"))
    kept.publish(workbook("2026", "2026-01-01"))
    done = kept.publish(workbook("2027", "2027-01-01"))
    assert not done.serving
    days = {2024: None, 2025: "2025", 2026: "2026", 2027: "2027"}
    assert {year: version_on(kept.library, date(year, 7, 1)) for year in days} == days
    assert version_on(kept.library, date(2026, 12, 31)) == "2026"


def test_a_correction_of_last_years_workbook_does_not_take_this_years_place(kept: Kept) -> None:
    kept.publish(workbook("2026", "2026-01-01"))
    kept.publish(workbook("2025 更正", "2025-01-01"))
    assert version_on(kept.library) == "2026"
    assert version_on(kept.library, date(2025, 7, 1)) == "2025 更正"


def test_of_equal_beginnings_the_one_published_last_serves_also_an_old_one_again(kept: Kept) -> None:
    kept.publish(workbook("1.0"))
    kept.publish(workbook("2.0"))
    assert version_on(kept.library) == "2.0"
    assert kept.publish(workbook("1.0")).changed
    assert version_on(kept.library) == "1.0"


def test_withdrawing_brings_back_the_version_before(kept: Kept) -> None:
    kept.publish(workbook("1.0"))
    second = kept.publish(workbook("2.0"))
    kept.publishing.withdraw(LOCAL, ID, second.digest)
    assert version_on(kept.library) == "1.0"
    assert kept.library.version(ID, second.digest) is None
    replayed = kept.library.process(kept.library.find(ID, "2.0"))
    assert replayed is not None and replayed.version == "2.0"
    kept.publish(workbook("2.0"))
    assert version_on(kept.library) == "2.0"
    assert len(kept.audited("process.withdraw")) == 1


def test_what_is_not_there_cannot_be_withdrawn_or_found(kept: Kept) -> None:
    kept.publish(workbook())
    calls: list[Callable[[], object]] = [
        lambda: kept.publishing.withdraw(LOCAL, ID, "0" * 64),
        lambda: kept.library.find(ID, "9.9"),
        lambda: kept.library.versions("别的"),
        lambda: kept.publishing.tried(LOCAL, ID, "nothing"),
    ]
    for call in calls:
        with pytest.raises(NotFound):
            call()
    assert kept.library.version("别的", "0" * 64) is None


def test_a_draft_is_tried_then_published_and_gone(kept: Kept) -> None:
    draft = kept.publishing.offer(LOCAL, offered(workbook("2.0")), ID)
    assert draft.ok and version_on(kept.library) is None
    tried = kept.publishing.tried(LOCAL, ID, draft.id).process
    assert tried is not None and tried.version == "2.0"
    assert kept.publishing.publish_draft(LOCAL, ID, draft.id).changed
    assert version_on(kept.library) == "2.0"
    assert kept.publishing.drafts(LOCAL, ID) == []


def test_a_draft_that_two_publish_at_once_comes_before_nothing_that_was_published_since(kept: Kept) -> None:
    first = kept.publishing.offer(LOCAL, offered(workbook("2.0")), ID)
    second = kept.publishing.offer(LOCAL, offered(workbook("3.0")), ID)
    late = kept.store.draft(first.id)[0]
    for draft in (first, second):
        kept.publishing.publish_draft(LOCAL, ID, draft.id)
    process = load(workbook("2.0")).process
    assert process is not None
    again = Publication(
        process_id=ID,
        digest=late.digest,
        name=process.name,
        version=process.version,
        effective_from=process.effective_from,
        effective_to=None,
        file_name=late.file_name,
        workbook=workbook("2.0"),
        templates=(),
        findings=(),
    )
    with pytest.raises(NotFound):
        kept.store.publish(LOCAL, again, [], late.id)
    kept.library.refresh()
    assert version_on(kept.library) == "3.0"


@pytest.mark.parametrize("data", [broken(), UNREADABLE], ids=["broken", "unreadable"])
def test_a_faulty_draft_is_kept_with_its_reason_and_never_published(kept: Kept, data: bytes) -> None:
    draft = kept.publishing.offer(LOCAL, offered(data), ID)
    assert not draft.ok and draft.findings
    with pytest.raises(Conflict):
        kept.publishing.publish_draft(LOCAL, ID, draft.id)
    assert kept.library.ids() == ()
    assert [each.id for each in kept.publishing.drafts(LOCAL, ID)] == [draft.id]
    assert kept.publishing.draft_workbook(LOCAL, ID, draft.id) == data
    kept.publishing.discard(LOCAL, ID, draft.id)
    assert kept.publishing.drafts(LOCAL) == []


def test_the_workbook_of_another_process_is_no_draft_of_this_one(kept: Kept) -> None:
    with pytest.raises(BadRequest, match=ID):
        kept.publishing.offer(LOCAL, offered(workbook()), "ASSET")
    assert kept.publishing.drafts(LOCAL) == []


@pytest.mark.parametrize(
    "act", ["offer", "publish", "publish_draft", "withdraw", "discard", "drafts", "tried"]
)
def test_only_process_administrators_change_anything(kept: Kept, act: str) -> None:
    draft = kept.publishing.offer(LOCAL, offered(workbook()), ID)
    publishing = kept.publishing
    acts: dict[str, Callable[[], object]] = {
        "offer": lambda: publishing.offer(READER, offered(workbook())),
        "publish": lambda: publishing.publish(READER, offered(workbook())),
        "publish_draft": lambda: publishing.publish_draft(READER, ID, draft.id),
        "withdraw": lambda: publishing.withdraw(READER, ID, draft.digest),
        "discard": lambda: publishing.discard(READER, ID, draft.id),
        "drafts": lambda: publishing.drafts(READER),
        "tried": lambda: publishing.tried(READER, ID, draft.id),
    }
    with pytest.raises(Forbidden):
        acts[act]()
    assert kept.library.ids() == () and len(publishing.drafts(LOCAL)) == 1


def test_each_line_of_the_record_of_changes_reaches_the_audit_once(kept: Kept) -> None:
    kept.publish(workbook("1.0"))
    changed = workbook("2.0", 变更记录_A3="2025-06-01", 变更记录_B3="2.0", 变更记录_D3="提高金额")
    kept.publish(changed)
    told = [row.details for row in kept.audited("process.change")]
    assert [each["text"] for each in told] == ["首次编写", "提高金额"]
    assert told[1]["day"] == "2025-06-01" and told[1]["version"] == "2.0"


def test_forms_come_with_the_workbook_and_stay_when_only_the_table_changes(kept: Kept) -> None:
    first = kept.publish(workbook("1.0"), 申领单=b"form", 别的="没有材料提到它".encode())
    assert first.findings == ()
    assert [each.name for each in kept.library.versions(ID)[0].templates] == [FORM]
    assert kept.library.form(ID, FORM, TODAY) == b"form"
    assert kept.publish(workbook("2.0")).findings == ()
    assert kept.library.form(ID, FORM, TODAY) == b"form"
    kept.publish(workbook("2.0"), 申领单=b"new form")
    assert kept.library.form(ID, FORM, TODAY) == b"new form"
    for name in ("别的.docx", "../record.db"):
        with pytest.raises(NotFound):
            kept.library.form(ID, name, TODAY)


def test_a_form_that_did_not_come_along_is_a_warning_at_its_material(kept: Kept) -> None:
    findings = kept.publish(workbook()).findings
    assert [(each["severity"], each["code"], each["value"]) for each in findings] == [
        ("warning", "missing_template", FORM)
    ]


def test_a_publish_of_another_service_is_seen_with_the_next_look(kept: Kept) -> None:
    other = on(kept.database, kept.originals.path("00").parent)
    kept.publish(workbook("1.0"))
    assert version_on(other.library) is None
    assert other.library.refresh()
    assert version_on(other.library) == "1.0"
    assert not other.library.refresh()
    other.publish(workbook("2.0"))
    kept.library.refresh()
    assert version_on(kept.library) == "2.0"


def test_whoever_asks_while_others_publish_sees_one_version_or_the_other(kept: Kept) -> None:
    kept.publish(workbook("1.0"))
    seen: list[tuple[str, ...]] = []
    done = Event()

    def ask() -> None:
        while not done.is_set():
            seen.append(tuple(process.version for process in kept.library.on(TODAY)))

    asking = Thread(target=ask)
    asking.start()
    for turn in range(4):
        kept.publish(workbook("2.0" if turn % 2 == 0 else "1.0"))
    done.set()
    asking.join()
    assert set(seen) <= {("1.0",), ("2.0",)} and seen


def test_a_process_without_an_id_or_a_table_is_told_and_not_served(kept: Kept) -> None:
    with pytest.raises(Conflict):
        kept.publishing.publish(LOCAL, Offered("空.xlsx", UNREADABLE))
    assert kept.library.ids() == ()


GOOD = {
    "a": workbook("a", "2025-01-01"),
    "b": workbook("b", "2025-01-01"),
    "c": workbook("c", "2026-01-01", "2026-06-01"),
}
BEGINS = {"a": 2025, "b": 2025, "c": 2026}
ACTS = st.lists(
    st.tuples(st.sampled_from(("publish", "withdraw", "faulty")), st.sampled_from("abc")), max_size=6
)


@given(acts=ACTS)
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
def test_what_serves_is_always_what_was_published_and_not_withdrawn(
    record: Kept, acts: list[tuple[str, str]]
) -> None:
    record.empty()
    kept = on(record.database, record.originals.path("00").parent)
    digests = {name: _digest(name) for name in GOOD}
    order: list[str] = []  # published now, in the order of their last publishing
    for act, name in acts:
        if act == "publish":
            changed = kept.publish(GOOD[name]).changed
            assert changed == (order[-1:] != [name])
            order = [*(each for each in order if each != name), name]
        elif act == "withdraw" and name in order:
            kept.publishing.withdraw(LOCAL, ID, digests[name])
            order.remove(name)
        elif act == "faulty":
            with pytest.raises(Conflict):
                kept.publish(broken(name))
        for day in (date(2025, 7, 1), date(2026, 3, 1), TODAY):
            assert version_on(kept.library, day) == _expected(order, day)


def _expected(order: list[str], day: date) -> str | None:
    possible = [name for name in order if name != "c" or date(2026, 1, 1) <= day < date(2026, 6, 1)]
    return max(possible, key=lambda name: (BEGINS[name], order.index(name)), default=None)


def _digest(name: str) -> str:
    return sha256(GOOD[name]).hexdigest()


def test_of_several_processes_each_serves_its_own_in_the_order_of_names(kept: Kept) -> None:
    kept.publish(workbook(流程信息_B1="SEAL", 流程信息_B2="用印申请"))
    kept.publish(workbook(流程信息_B1="ASSET", 流程信息_B2="资产申请"))
    found: list[Process] = list(kept.library.on(TODAY))
    assert [process.id for process in found] == ["SEAL", "ASSET"]


def test_a_version_that_this_program_cannot_read_serves_nobody_and_hurts_no_other(kept: Kept) -> None:
    kept.publish(workbook())
    unreadable = Publication(
        process_id="OLD",
        digest="0" * 64,
        name="旧",
        version="1",
        effective_from=None,
        effective_to=None,
        file_name="旧.xlsx",
        workbook=UNREADABLE,
        templates=(),
        findings=(),
    )
    kept.store.publish(LOCAL, unreadable, ())
    kept.library.refresh()
    assert [process.id for process in kept.library.on(TODAY)] == [ID]
    assert kept.library.version("OLD", "0" * 64) is None
    assert kept.library.process(kept.library.versions("OLD")[0]) is None


def test_a_workbook_without_an_id_of_its_own_keeps_the_one_it_was_published_with(kept: Kept) -> None:
    nameless = workbook(流程信息_B1="")
    found = load(nameless, ID)
    assert found.process is not None and load(nameless).process != found.process
    kept.store.publish(
        LOCAL,
        Publication(
            process_id=ID,
            digest=found.process.digest,
            name=ID,
            version="1.0",
            effective_from=None,
            effective_to=None,
            file_name=f"{ID}.xlsx",
            workbook=nameless,
            templates=(),
            findings=(),
        ),
        [],
    )
    kept.library.refresh()
    (serving,) = kept.library.on(TODAY)
    assert serving.id == ID


def test_the_forms_of_a_process_are_those_that_can_be_downloaded(kept: Kept) -> None:
    kept.publish(workbook(), 申领单=b"form")
    assert kept.library.forms(ID) == {FORM}
    kept.publishing.withdraw(LOCAL, ID, kept.library.versions(ID)[0].digest)
    assert kept.library.forms(ID) == kept.library.forms("unknown") == frozenset()
