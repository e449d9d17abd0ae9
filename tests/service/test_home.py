"""One process holds a home, says how to reach it, and leaves nothing wrong behind when killed."""

import multiprocessing
import os
import signal
import stat
from pathlib import Path

import pytest

from service.errors import HomeLocked, Unavailable
from service.home import Home, RunningService, make_private, running_service


def _hold(folder: Path, ready: "multiprocessing.synchronize.Event") -> None:
    Home(folder).announce("http://127.0.0.1:1")
    ready.set()
    signal.pause()


def test_a_second_process_is_told_that_the_home_is_held(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    ready = context.Event()
    holder = context.Process(target=_hold, args=(tmp_path / "home", ready))
    holder.start()
    assert ready.wait(60)
    with pytest.raises(HomeLocked):
        Home(tmp_path / "home")
    found = running_service(tmp_path / "home")
    assert found is not None and found.pid == holder.pid
    holder.kill()
    holder.join()
    with Home(tmp_path / "home"):  # the lock went with the process, and so does what it said
        assert running_service(tmp_path / "home") is None


def test_the_announcement_is_for_the_owner_and_goes_with_the_holder(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    with Home(folder) as home:
        home.announce("http://127.0.0.1:8000")
        assert running_service(folder) == RunningService("http://127.0.0.1:8000", home.token, os.getpid())
        assert stat.S_IMODE((folder / "run.json").stat().st_mode) == 0o600
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        home.announce("http://127.0.0.1:9000")
        assert [path.name for path in folder.iterdir() if path.suffix == ".part"] == []
    assert running_service(folder) is None
    home.close()


def test_tokens_are_never_the_same(tmp_path: Path) -> None:
    with Home(tmp_path) as first:
        token = first.token
    with Home(tmp_path) as second:
        assert second.token != token


@pytest.mark.parametrize(
    "content", ["", "{", "[]", "null", '{"url": "x"}', '{"url": 1, "token": 2, "pid": "x"}']
)
def test_half_an_announcement_is_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "run.json").write_text(content)
    assert running_service(tmp_path) is None


@pytest.mark.parametrize(("before", "after"), [(0o755, 0o700), (0o777, 0o700), (0o1777, 0o1777)])
def test_a_folder_open_to_others_is_closed_unless_it_is_shared_on_purpose(
    tmp_path: Path, before: int, after: int
) -> None:
    folder = tmp_path / "home"
    folder.mkdir()
    folder.chmod(before)
    make_private(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == after


def test_a_home_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable) as raised:
        Home(tmp_path / "file" / "home")
    assert raised.value.code == "home_unwritable"
