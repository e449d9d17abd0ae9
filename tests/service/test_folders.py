"""A followed folder: what happens to its files happens to their documents."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ingestion.documents import RevisionStatus
from service import bootstrap
from service.access import LOCAL
from service.config import Settings
from service.errors import BadRequest
from service.folders import Followed
from service.home import Home
from service.incoming import Incoming
from service.standing import Standing

RULE = (
    "# {name}\n\n第一条 为了规范{name}所列事项，制定本办法。\n\n"
    "第二条 每月标准为{amount}元，由行政部发放。\n\n"
    "第三条 员工应当于每月五日以前提出，逾期的顺延到下一个月办理，行政部在三个工作日内答复。\n"
)
Follow = Callable[[], Followed]


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    home = tmp_path_factory.mktemp("followed") / "home"
    settings = Settings(home=home, ingest_workers=1, _env_file=None)
    with Home(home) as held:
        built = bootstrap.build(settings, held)
        yield built
        built.close()


@pytest.fixture
def follow(parts: bootstrap.Parts, tmp_path: Path) -> Follow:
    def look() -> Followed:
        found = parts.folders.follow(LOCAL, [tmp_path], Incoming("", "", knowledge_base=tmp_path.name))
        task = parts.tasks.create(LOCAL, "ingest", len(found.items))
        parts.intake.run(LOCAL, task.id, found.items)
        return found

    return look


def rule(folder: Path, name: str, amount: int = 100, file_name: str = "") -> Path:
    path = folder / (file_name or f"{name}.md")
    path.write_text(RULE.format(name=name, amount=amount), encoding="utf-8")
    return path


def documents(parts: bootstrap.Parts, folder: Path, standing: Standing | None = None) -> list[str]:
    page = parts.documents.page(LOCAL, knowledge_base=folder.name, standing=standing)
    return sorted(item.document.id for item in page.items)


def test_what_did_not_change_is_not_read_again(follow: Follow, tmp_path: Path) -> None:
    rule(tmp_path, "通讯补贴办法")
    assert len(follow().items) == 1
    assert follow() == Followed((), (), (), ())


def test_a_renamed_and_moved_file_keeps_its_document(
    parts: bootstrap.Parts, follow: Follow, tmp_path: Path
) -> None:
    path = rule(tmp_path, "交通补贴办法")
    follow()
    before = documents(parts, tmp_path)
    (tmp_path / "行政").mkdir()
    target = path.rename(tmp_path / "行政" / "交通补贴办法（终稿）.md")
    found = follow()
    assert (found.items, found.gone) == ((), ())
    assert found.moved == ((path.as_uri(), target.as_uri()),)
    assert documents(parts, tmp_path, Standing.IN_FORCE) == before
    stored = parts.documents.get(LOCAL, before[0])
    assert stored.document.source_uri == target.as_uri()
    assert stored.current.file_name == target.name
    assert follow() == Followed((), (), (), ())


def test_a_changed_file_becomes_a_revision(parts: bootstrap.Parts, follow: Follow, tmp_path: Path) -> None:
    rule(tmp_path, "住房补贴办法", 100)
    follow()
    rule(tmp_path, "住房补贴办法", 2000)
    assert len(follow().items) == 1
    (document,) = documents(parts, tmp_path)
    assert len(parts.documents.get(LOCAL, document).revisions) == 2


def test_a_deleted_file_withdraws_every_revision_and_brings_them_back_when_it_returns(
    parts: bootstrap.Parts, follow: Follow, tmp_path: Path
) -> None:
    rule(tmp_path, "留下的办法")
    path = rule(tmp_path, "误餐补贴办法", 30)
    follow()
    rule(tmp_path, "误餐补贴办法", 4000)
    follow()
    content, times = path.read_bytes(), path.stat()
    path.unlink()
    assert follow().gone == (path.as_uri(),)
    (left,) = documents(parts, tmp_path, Standing.IN_FORCE)
    withdrawn = next(key for key in documents(parts, tmp_path) if key != left)
    statuses = {r.revision.status for r in parts.documents.get(LOCAL, withdrawn).revisions}
    assert statuses == {RevisionStatus.WITHDRAWN}
    assert follow() == Followed((), (), (), ())

    path.write_bytes(content)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert follow().returned == (path.as_uri(),)
    assert withdrawn in documents(parts, tmp_path, Standing.IN_FORCE)
    statuses = {r.revision.status for r in parts.documents.get(LOCAL, withdrawn).revisions}
    assert statuses == {RevisionStatus.ACTIVE, RevisionStatus.SUPERSEDED}


def test_what_a_person_withdrew_does_not_come_back_with_the_file(
    parts: bootstrap.Parts, follow: Follow, tmp_path: Path
) -> None:
    rule(tmp_path, "留下的办法")
    path = rule(tmp_path, "停车补贴办法")
    follow()
    document = next(
        item
        for item in parts.documents.page(LOCAL, knowledge_base=tmp_path.name).items
        if item.document.title == "停车补贴办法"
    )
    parts.library.set_status(LOCAL, document.current.revision.id, RevisionStatus.WITHDRAWN)
    content = path.read_bytes()
    path.unlink()
    follow()
    path.write_bytes(content)
    follow()
    assert document.document.id not in documents(parts, tmp_path, Standing.IN_FORCE)


def test_a_copy_that_is_left_keeps_the_document_in_force(
    parts: bootstrap.Parts, follow: Follow, tmp_path: Path
) -> None:
    rule(tmp_path, "通勤补贴办法")
    copy = rule(tmp_path, "通勤补贴办法", file_name="通勤补贴办法 - 副本.md")
    follow()
    copy.unlink()
    assert follow().gone == (copy.as_uri(),)
    assert len(documents(parts, tmp_path, Standing.IN_FORCE)) == 1


def test_an_empty_folder_is_taken_for_a_drive_that_is_off(
    parts: bootstrap.Parts, follow: Follow, tmp_path: Path
) -> None:
    path = rule(tmp_path, "高温补贴办法")
    follow()
    path.unlink()
    with pytest.raises(BadRequest, match="网络盘"):
        follow()
    assert len(documents(parts, tmp_path, Standing.IN_FORCE)) == 1


def test_a_document_that_was_deleted_in_the_console_is_no_hindrance(
    parts: bootstrap.Parts, follow: Follow, tmp_path: Path
) -> None:
    rule(tmp_path, "留下的办法")
    path = rule(tmp_path, "取暖补贴办法")
    follow()
    for key in documents(parts, tmp_path):
        if parts.documents.get(LOCAL, key).document.title == "取暖补贴办法":
            parts.library.delete_document(LOCAL, key)
    path.unlink()
    assert follow().moved == ()
    assert len(documents(parts, tmp_path, Standing.IN_FORCE)) == 1
