"""Zip files through intake: every file inside ends in a state of its own, and a second run finds them."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from service import bootstrap
from service.access import LOCAL
from service.config import Settings
from service.home import Home
from service.intake import Incoming, Taken

RULE = "# {0}\n\n第一条 {0}由行政部负责解释。\n\n第二条 员工应当遵守{0}的各项要求，违反的按照员工手册处理。\n"


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    folder = tmp_path_factory.mktemp("zip") / "home"
    settings = Settings(home=folder, ingest_workers=1, _env_file=None)  # type: ignore[call-arg]
    with Home(folder) as home:
        built = bootstrap.build(settings, home)
        yield built
        built.close()


def zipped(entries: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for name, content in entries.items():
            file.writestr(name, content)
    return stream.getvalue()


def run(
    parts: bootstrap.Parts,
    data: bytes,
    *,
    retry_failed: bool = False,
    name: str = "制度.zip",
    labels: tuple[str, ...] | None = None,
) -> tuple[Taken, str]:
    task = parts.tasks.create(LOCAL, "ingest", 1)
    incoming = Incoming(f"upload:{name}", name, data, owner="行政部", labels=labels)
    (taken,) = parts.intake.run(LOCAL, task.id, [incoming], retry_failed=retry_failed)
    return taken, task.id


def test_every_file_of_a_zip_is_taken_and_counted_on_its_own(parts: bootstrap.Parts, tmp_path: Path) -> None:
    data = zipped(
        {
            "甲/停车管理规定.md": RULE.format("停车管理规定").encode(),
            "内层.zip": zipped({"食堂管理规定.md": RULE.format("食堂管理规定").encode()}),
            "坏.docx": b"PK\x03\x04 cut",
        }
    )
    taken, task_id = run(parts, data)
    states = {item.record.source_uri: item.record.state for item in taken.members}
    assert list(states.values()) == ["parsed", "parsed", "failed"]
    assert [uri.partition("!/")[0] for uri in states] == ["upload:制度.zip"] * 3
    assert (taken.record.state, taken.record.document_id) == ("parsed", None)
    task = parts.tasks.get(LOCAL, task_id)
    assert (task.total, task.done, task.failed, task.state) == (4, 4, 1, "done_with_failures")
    documents = [item.record.document_id for item in taken.members if item.published]
    assert len(set(documents)) == 2
    owners = {parts.documents.get(LOCAL, found).document.owner for found in documents if found}
    assert owners == {"行政部"}

    again, _ = run(parts, data)
    assert (again.unchanged, again.members) == (True, ())
    retried, _ = run(parts, data, retry_failed=True)
    assert [item.unchanged for item in retried.members] == [True, True, False]


def test_a_file_that_cannot_be_unpacked_ends_corrupt_and_the_others_are_taken(parts: bootstrap.Parts) -> None:
    data = zipped({"钥匙管理规定.md": RULE.format("钥匙管理规定").encode(), "坏.txt": b"AAAABBBB"})
    taken, _ = run(parts, data.replace(b"AAAABBBB", b"BBBBAAAA"), name="半坏.zip")
    assert [(item.record.state, item.record.reason) for item in taken.members] == [
        ("parsed", None),
        ("failed", "corrupt"),
    ]


def test_a_known_zip_for_other_readers_moves_its_members(parts: bootstrap.Parts) -> None:
    data = zipped({"车辆管理规定.md": RULE.format("车辆管理规定").encode()})
    first, _ = run(parts, data, name="车辆.zip")
    again, _ = run(parts, data, name="车辆.zip", labels=("department:车队",))
    assert not again.unchanged
    found = parts.documents.get(LOCAL, str(first.members[0].record.document_id))
    assert found.document.labels == ("department:车队",)
    assert again.record.labels == ("department:车队",)
    third, _ = run(parts, data, name="车辆.zip", labels=("department:车队",))
    assert third.unchanged
    silent, _ = run(parts, data, name="车辆.zip")
    assert silent.unchanged and silent.record.labels == ("department:车队",)


def test_a_deleted_document_comes_back_with_the_zip_it_was_in(parts: bootstrap.Parts) -> None:
    names = ("会议室管理规定", "档案管理规定")
    data = zipped({f"{name}.md": RULE.format(name).encode() for name in names})
    first, _ = run(parts, data, name="两份.zip")
    gone = str(first.members[0].record.document_id)
    parts.library.delete_document(LOCAL, gone)
    again, _ = run(parts, data, name="两份.zip")
    assert [item.unchanged for item in again.members] == [False, True]
    assert parts.documents.get(LOCAL, gone).current.revision.id == first.members[0].record.revision_id
