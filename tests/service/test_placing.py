"""Where a file goes that comes again: what is said of it is taken over, and who may bring it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from ingestion.documents import Document
from service import bootstrap
from service.access import LOCAL, Principal, Role
from service.config import Settings
from service.home import Home
from service.incoming import is_own_upload, upload_source
from service.intake import Incoming, Taken
from service.placement import COMPARED
from service.store import families
from service.store.corrections import Description, Fact
from service.store.models import RevisionRow

RULE = "# {0}\n\n第一条 {0}由行政部负责解释。\n\n第二条 员工应当遵守{0}的各项要求，违反的按照员工手册处理。\n"
WANG = Principal("key:1", "小王", "总部/财务部", role=Role.CONTRIBUTOR)
LI = Principal("key:2", "小李", "总部/财务部", role=Role.CONTRIBUTOR)


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    folder = tmp_path_factory.mktemp("placing") / "home"
    settings = Settings(home=folder, ingest_workers=1, max_upload_mb=1, _env_file=None)  # type: ignore[call-arg]
    with Home(folder) as home:
        built = bootstrap.build(settings, home)
        yield built
        built.close()


def rule(name: str, more: str = "") -> Incoming:
    return Incoming(upload_source(WANG, f"{name}.md"), f"{name}.md", (RULE.format(name) + more).encode())


def document(parts: bootstrap.Parts, taken: Taken) -> Document:
    return parts.documents.get(LOCAL, str(taken.record.document_id)).document


def test_what_is_said_of_a_file_that_comes_again_is_taken_over(parts: bootstrap.Parts) -> None:
    first = rule("停车管理规定")
    parts.intake.take(LOCAL, first)
    told = replace(first, owner="王五", business_line="行政", issuer="总经办")
    again = parts.intake.take(LOCAL, told)
    found = document(parts, again)
    assert not again.unchanged
    assert (found.owner, found.business_line, found.issuer) == ("王五", "行政", "总经办")
    assert parts.intake.take(LOCAL, told).unchanged


def test_what_a_person_corrected_stands_whatever_the_file_says(parts: bootstrap.Parts) -> None:
    told = replace(rule("班车管理规定"), owner="王五")
    taken = parts.intake.take(LOCAL, told)
    parts.library.describe(LOCAL, str(taken.record.document_id), Description({Fact.OWNER: "赵六"}))
    assert parts.intake.take(LOCAL, told).unchanged
    again = parts.intake.take(LOCAL, replace(told, business_line="行政"))
    found = document(parts, again)
    assert (again.unchanged, found.owner, found.business_line) == (False, "赵六", "行政")


def test_what_is_not_said_any_more_stays(parts: bootstrap.Parts) -> None:
    parts.intake.take(LOCAL, replace(rule("食堂管理规定"), owner="王五", issuer="总经办"))
    silent = parts.intake.take(LOCAL, rule("食堂管理规定", "\n第三条 餐具自行放回。\n"))
    found = document(parts, silent)
    assert (found.owner, found.issuer) == ("王五", "总经办")
    assert parts.intake.take(LOCAL, rule("食堂管理规定", "\n第三条 餐具自行放回。\n")).unchanged


@pytest.mark.parametrize(("day", "title"), [(3, "档案管理规定（2025年修订）"), (1, "档案管理规定")])
def test_the_latest_of_two_sources_names_their_document(parts: bootstrap.Parts, day: int, title: str) -> None:
    base = f"档案-{day}"
    old = replace(rule("档案管理规定"), knowledge_base=base, modified_at=datetime(2025, 1, 2, tzinfo=UTC))
    parts.intake.take(LOCAL, old)
    text = RULE.format("档案管理规定").replace("# 档案管理规定", "# 档案管理规定（2025年修订）")
    other = replace(
        old, source_uri="file:///b.md", data=text.encode(), modified_at=datetime(2025, 1, day, tzinfo=UTC)
    )
    found = document(parts, parts.intake.take(LOCAL, other))
    assert found.title == title
    assert found.source_updated_at == datetime(2025, 1, max(day, 2), tzinfo=UTC)
    assert found.source_uri == old.source_uri


def test_who_uploaded_for_another_department_uploads_the_next_version(parts: bootstrap.Parts) -> None:
    first = replace(rule("薪酬管理规定"), labels=("department:总部/人事部",))
    taken = parts.intake.take(WANG, first)
    second = replace(rule("薪酬管理规定", "\n第三条 每月十日发放。\n"), labels=first.labels)
    again = parts.intake.take(WANG, second)
    assert (again.record.state, again.record.message) == ("parsed", "")
    assert again.record.document_id == taken.record.document_id
    assert len(parts.documents.get(LOCAL, str(taken.record.document_id)).revisions) == 2
    stranger = parts.intake.take(LI, replace(second, data=RULE.format("薪酬管理规定").encode() + b"\n\n"))
    assert (stranger.record.state, stranger.record.message) == ("failed", "文档不存在")


@pytest.mark.parametrize(
    ("uri", "own"),
    [
        ("upload:key:1/甲.md", True),
        ("upload:key:1/甲.zip!/乙/丙.md", True),
        ("upload:key:12/甲.md", False),
        ("upload:key:1/2/甲.md", False),
        ("upload:key:1/", False),
        ("file:///upload:key:1/甲.md", False),
    ],
)
def test_an_upload_is_its_principals_alone(uri: str, own: bool) -> None:
    assert is_own_upload(WANG, uri) is own


def test_a_file_beyond_the_limit_ends_unread(
    parts: bootstrap.Parts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "大.md"
    path.write_text(RULE.format("用车管理规定"), encoding="utf-8")
    small = parts.intake.take(LOCAL, Incoming.of_path(path))
    path.write_bytes(b"x" * (1024 * 1024 + 1))
    monkeypatch.setattr(Path, "read_bytes", lambda _path: pytest.fail("the file was read"))
    taken = parts.intake.take(LOCAL, Incoming.of_path(path))
    assert (taken.record.state, taken.record.reason) == ("failed", "too_large")
    assert taken.record.size == 1024 * 1024 + 1
    assert taken.record.document_id == small.record.document_id is not None


def test_of_many_files_of_one_title_few_are_read(
    parts: bootstrap.Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = replace(rule("工作总结"), knowledge_base="总结")

    def summary(number: int, more: str = "") -> Incoming:
        lines = "\n\n".join(f"{number}号部门第{line}项：{(number * 97 + line) ** 5}。" for line in range(20))
        text = f"# 工作总结\n\n{lines}\n\n{more}"
        return replace(base, source_uri=f"file:///{number}{more}.md", data=text.encode())

    first = [parts.intake.take(LOCAL, summary(number)) for number in range(8)]
    assert len({taken.record.document_id for taken in first}) == 8
    read: list[str] = []
    whole = families.text_of

    def noted(session: Session, revision_id: str) -> str:
        read.append(revision_id)
        return whole(session, revision_id)

    monkeypatch.setattr(families, "text_of", noted)
    again = parts.intake.take(LOCAL, summary(3, "补充一项。"))
    assert again.record.document_id == first[3].record.document_id
    assert len(read) == 1
    apart = parts.intake.take(LOCAL, summary(99))
    assert apart.record.document_id not in {taken.record.document_id for taken in first}
    assert len(read) <= 1 + COMPARED


def test_what_was_published_without_a_sketch_gets_one(parts: bootstrap.Parts) -> None:
    taken = parts.intake.take(LOCAL, replace(rule("考勤管理规定"), knowledge_base="旧"))
    with parts.database.session() as session:
        session.execute(update(RevisionRow).values(sketch=None))
    other = replace(
        rule("考勤管理规定", "\n第三条 每日打卡。\n"), knowledge_base="旧", source_uri="file:///考勤.md"
    )
    assert parts.intake.take(LOCAL, other).record.document_id == taken.record.document_id
    with parts.database.session() as session:
        assert session.scalar(select(RevisionRow.sketch).where(RevisionRow.id == taken.record.revision_id))
