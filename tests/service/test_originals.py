"""Originals are stored once, whole or not at all, and go without a trace."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.errors import NotFound, Unavailable
from service.originals import Originals, sha256


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(data=st.binary(max_size=200))
def test_what_is_put_is_read(tmp_path: Path, data: bytes) -> None:
    originals = Originals(tmp_path)
    assert originals.put(data) == originals.put(data) == sha256(data)
    assert originals.read(sha256(data)) == data
    originals.remove(sha256(data))
    originals.remove(sha256(data))
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_removing_takes_what_a_killed_writer_left(tmp_path: Path) -> None:
    originals = Originals(tmp_path)
    digest = originals.put(b"one")
    part = originals.path(digest).with_name(f"{digest[2:]}.1.ab.part")
    part.write_bytes(b"o")
    originals.remove(digest)
    assert not part.exists()


def test_an_absent_original_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound) as raised:
        Originals(tmp_path).read("0" * 64)
    assert raised.value.code == "original_missing"


def test_a_full_or_read_only_disk_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "originals").write_text("a file where a folder should be")
    with pytest.raises(Unavailable) as raised:
        Originals(tmp_path / "originals").put(b"one")
    assert raised.value.code == "storage_full"
