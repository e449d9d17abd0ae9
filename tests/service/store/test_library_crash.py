"""The process is killed after each step of the protocol, for real; then the library is opened again."""

import multiprocessing
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from random import Random

import pytest

from ingestion.documents import RevisionStatus
from service.access import LOCAL
from service.library import Recovery
from service.store.publishing import Repealed
from tests.service.store.library_parts import LibraryParts, Paper, key, quick_folder
from tests.soaking import times

OLDEST = Paper(text="住宿 标准 二百", starts=date(2018, 1, 1))
OLD = Paper(text="住宿 标准 三百\n交通 标准 二等", starts=date(2020, 1, 1))
NEW = Paper(
    text="住宿 标准 五百\n交通 标准 一等",
    starts=date(2023, 1, 1),
    title="差旅费管理办法（2023年修订）",
    repeals=(Repealed("出差补助规定"),),
)
OTHER = Paper(document="请假制度", text="年假 五天\n病假 十天")
REPEALED = Paper(document="出差补助规定", text="补助 五十", starts=date(2015, 1, 1))
STAYING = {OTHER.id}
PUBLISHING_SECONDS = 0.1  # about as long as it takes here; a later kill finds it done


@pytest.fixture(scope="module")
def loaded() -> Iterator[Path]:
    """A library with two revisions of one document, and two other documents."""
    with quick_folder() as folder:
        parts = LibraryParts(folder)
        parts.publish(OLDEST, OLD, OTHER, REPEALED)
        parts.close()
        yield folder


@pytest.fixture
def folder(loaded: Path) -> Iterator[Path]:
    with quick_folder() as copy:
        shutil.copytree(loaded, copy, dirs_exist_ok=True)
        yield copy


def publish_new(parts: LibraryParts) -> None:
    parts.publish(NEW)


def delete_document(parts: LibraryParts) -> None:
    parts.library.delete_document(LOCAL, key(OLD.document))


def delete_newest(parts: LibraryParts) -> None:
    parts.library.delete_revision(LOCAL, OLD.id)


def withdraw_newest(parts: LibraryParts) -> None:
    parts.library.set_status(LOCAL, OLD.id, RevisionStatus.WITHDRAWN)


ACTS = {act.__name__: act for act in (publish_new, delete_document, delete_newest, withdraw_newest)}


def run_and_die(folder: Path, act: str, step: str, occurrence: int) -> None:
    """What the child does. It ends by SIGKILL, or normally when the step is never reached."""
    left = occurrence

    def reached(name: str) -> None:
        nonlocal left
        if name == step:
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    ACTS[act](LibraryParts(folder, reached))
    os._exit(0)


def run_until(folder: Path, seconds: float) -> None:
    """What the child does that is killed in the middle of anything: no step is waited for."""
    parts = LibraryParts(folder)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    publish_new(parts)
    os._exit(0)


def kill_at(folder: Path, act: str, step: str, occurrence: int = 1) -> None:
    assert exit_code(run_and_die, folder, act, step, occurrence) == -signal.SIGKILL, f"{act}: no {step}"


def exit_code(job: Callable[..., None], *arguments: object) -> int | None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, "tests.service.store.library_parts"])
    child = context.Process(target=job, args=arguments)
    child.start()
    child.join(60)
    return child.exitcode


def check_before_and_after_recovery(folder: Path, expected: set[str]) -> Recovery:
    """Both the crashed state and the recovered one answer from exactly these revisions."""
    parts = LibraryParts(folder)
    try:
        assert parts.answering() == expected | STAYING
        recovery = parts.library.recover()
        assert parts.answering() == expected | STAYING
        parts.check()
        assert parts.library.recover() == Recovery(0, 0, 0)
        return recovery
    finally:
        parts.close()


@pytest.mark.parametrize("step", ["publishing", "original", "staged"])
def test_killed_before_the_switch_the_old_revision_answers(folder: Path, step: str) -> None:
    kill_at(folder, "publish_new", step)
    recovery = check_before_and_after_recovery(folder, {OLD.id, REPEALED.id})
    assert recovery.rolled_back == 1
    parts = LibraryParts(folder)
    assert parts.documents.get(LOCAL, key(OLD.document)).document.title == OLD.document
    parts.publish(NEW)  # and it can be published after all
    assert parts.answering() == {NEW.id} | STAYING
    parts.close()


@pytest.mark.parametrize("step", ["published", "told"])
def test_killed_after_the_switch_the_new_revision_answers(folder: Path, step: str) -> None:
    kill_at(folder, "publish_new", step)
    recovery = check_before_and_after_recovery(folder, {NEW.id})
    assert recovery.rolled_back == 0
    assert (recovery.told_index > 0) == (step == "published")


@pytest.mark.parametrize(
    ("step", "occurrence"),
    [("deleting", 1), ("erased", 1), ("removed", 1), ("erased", 2), ("removed", 2)],
)
def test_killed_while_deleting_a_document_nothing_of_it_answers(
    folder: Path, step: str, occurrence: int
) -> None:
    kill_at(folder, "delete_document", step, occurrence)
    recovery = check_before_and_after_recovery(folder, {REPEALED.id})
    assert recovery.deleted == 3 - occurrence
    parts = LibraryParts(folder)
    assert not parts.index.ids() & (OLD.chunk_ids | OLDEST.chunk_ids)
    parts.close()


@pytest.mark.parametrize("step", ["deleting", "erased", "removed"])
def test_killed_while_deleting_the_newest_revision_the_older_answers(folder: Path, step: str) -> None:
    kill_at(folder, "delete_newest", step)
    assert check_before_and_after_recovery(folder, {OLDEST.id, REPEALED.id}).deleted == 1


def test_killed_between_a_withdrawal_and_the_index_the_older_answers(folder: Path) -> None:
    kill_at(folder, "withdraw_newest", "status")
    check_before_and_after_recovery(folder, {OLDEST.id, REPEALED.id})


@pytest.mark.parametrize("round_", range(times(4, 260)))
def test_killed_at_any_moment_either_the_old_or_the_new_revision_answers(folder: Path, round_: int) -> None:
    code = exit_code(run_until, folder, Random(round_).uniform(0.001, PUBLISHING_SECONDS))
    parts = LibraryParts(folder)
    answering = parts.answering() - STAYING
    parts.close()
    assert code in (-signal.SIGALRM, 0)
    assert answering in ({OLD.id, REPEALED.id}, {NEW.id})
    assert code != 0 or answering == {NEW.id}
    check_before_and_after_recovery(folder, answering)


def test_a_killed_recovery_is_finished_by_the_next(folder: Path) -> None:
    kill_at(folder, "delete_document", "deleting")
    parts = LibraryParts(folder, reached=_interrupt)
    with pytest.raises(KeyboardInterrupt):
        parts.library.recover()
    parts.close()
    check_before_and_after_recovery(folder, {REPEALED.id})


def _interrupt(step: str) -> None:
    if step == "removed":
        raise KeyboardInterrupt
