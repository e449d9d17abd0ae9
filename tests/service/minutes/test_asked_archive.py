"""What is kept of the archive: a bounded number of meetings, and persons who follow what is published."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from service import bootstrap
from service.access import LOCAL
from service.minutes import archive as kept
from service.minutes.archive import Archive
from service.minutes.roster import Roster
from service.minutes.sought import MinutesQuestion
from tests.service.minutes.asked import MEETINGS, READER, TODAY, ask, holds, meeting, opened, take, texts

SPRING, SUMMER = list(MEETINGS)[:2]
GONE = "藤椅降价之后生产跟不上。"


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    with opened(tmp_path_factory.mktemp("kept")) as built:
        take(built, meeting(SUMMER, MEETINGS[SUMMER]))
        yield built


def test_no_more_meetings_are_kept_than_may_be(
    parts: bootstrap.Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "KEPT", 2)
    taken = take(parts, *(meeting(f"第{n}次.txt", f"例会{n}\n张总：第{n}次例会说石桌。\n") for n in range(4)))
    ids = [one.record.revision_id or "" for one in taken]
    archive = Archive(parts.meetings, Roster(), lambda: 0)
    assert set(archive.heard([*ids, "absent"])) == set(ids), "what is asked for comes whole"
    assert len(archive._heard) == 2
    for key in ids:
        archive.heard([key])
    assert list(archive._heard) == ids[2:]
    first = archive.heard(ids[2:3])[ids[2]]
    assert archive.heard(ids[2:3])[ids[2]] is first, "kept, and not read again"
    archive.heard(ids[:1])
    assert list(archive._heard) == [ids[2], ids[0]], "the one used longest ago has gone"


def test_of_more_readers_than_may_be_the_latest_is_kept(
    parts: bootstrap.Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "READERS", 1)
    archive = Archive(parts.meetings, Roster(), lambda: 0)
    archive.people(LOCAL)
    read = archive.people(READER)
    assert archive.people(READER) is read and len(archive._people) == 1


def test_persons_follow_what_is_published(parts: bootstrap.Parts) -> None:
    assert "梁山" not in parts.minutes.persons(LOCAL)
    words = "山会\n参会人：梁山\n梁山：石桌搬到山上。\n"
    (taken,) = take(parts, meeting("山会.txt", words))
    assert "梁山" in parts.minutes.persons(READER)
    assert texts(ask(parts, "石桌搬到哪里", "梁山")) == ["石桌搬到山上。"]
    parts.library.delete_document(LOCAL, taken.record.document_id or "")
    assert "梁山" not in parts.minutes.persons(READER)
    assert ask(parts, "石桌搬到哪里", "梁山").refusal is not None


def test_asking_while_a_meeting_comes_and_goes_never_fails_nor_quotes_what_is_gone(tmp_path: Path) -> None:
    """Two threads ask; what a question that begins after a deletion quotes was there then."""
    with opened(tmp_path) as parts:
        take(parts, meeting(SUMMER, MEETINGS[SUMMER]))
        absent, over = Event(), Event()
        absent.set()

        def keep_asking() -> list[bool]:
            """Whether the meeting was quoted while it was surely absent, for each question."""
            quoted = []
            while not over.is_set():
                before = absent.is_set()
                question = MinutesQuestion("藤椅降价生产跟不上", asked_on=TODAY)
                answer = asyncio.run(parts.minutes.ask(READER, question))
                assert "\x00" not in answer.text and answer.quotes
                quoted.append(before and absent.is_set() and GONE in texts(answer))
            return quoted

        with ThreadPoolExecutor(2) as pool:
            asking = [pool.submit(keep_asking) for _ in range(2)]
            try:
                for _ in range(3):
                    absent.clear()
                    (taken,) = take(parts, meeting(SPRING, MEETINGS[SPRING]))
                    assert GONE in texts(ask(parts, GONE))
                    parts.library.delete_document(LOCAL, taken.record.document_id or "")
                    absent.set()
                    answer = ask(parts, GONE)
                    assert GONE not in texts(answer)
                    holds(parts, answer)
            finally:
                over.set()
            found = [one for each in asking for one in each.result(30)]
        assert found and not any(found)
