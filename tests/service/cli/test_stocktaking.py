"""The inventory of a folder: every file ends in a state, and none is read beyond what an import would."""

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from ingestion.catalog import Sighting
from service.cli.stocktaking import sightings
from service.config import Settings
from service.incoming import Incoming, files_under

TEXT = "# 雨伞借用办法\n\n" + "雨伞在前台借用，三天内归还，逾期须说明原因。" * 5


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    yield tmp_path_factory.mktemp("share")


@pytest.fixture(scope="module")
def seen(folder: Path) -> dict[str, Sighting]:
    (folder / "雨伞.md").write_text(TEXT, encoding="utf-8")
    (folder / "空.docx").write_bytes(b"")
    (folder / "丢了.pdf").write_bytes(b"%PDF-1.4")
    with (folder / "年会录像.mp4").open("wb") as film:
        os.truncate(film.fileno(), 8 * 1024**3)  # takes no room, and would take minutes to read
    items = files_under([folder], Incoming("", ""))
    (folder / "丢了.pdf").unlink()  # between the listing and the look, as on a busy share
    settings = Settings(home=folder / "home", ingest_workers=1, max_upload_mb=1, _env_file=None)
    return {Path(one.path).name: one for one in sightings(items, settings)}


def test_a_file_that_cannot_be_read_is_a_failed_one_and_the_others_are_seen(
    seen: dict[str, Sighting],
) -> None:
    lost = seen["丢了.pdf"]
    assert (lost.state, lost.reason, lost.kind) == ("failed", "corrupt", "pdf")
    assert lost.message.startswith("文件无法读取")
    assert (seen["雨伞.md"].state, len(seen)) == ("parsed", 4)


def test_a_file_above_the_limit_is_not_read(seen: dict[str, Sighting]) -> None:
    film = seen["年会录像.mp4"]
    assert (film.state, film.reason, film.sha256, film.size) == ("failed", "too_large", "", 8 * 1024**3)
    assert "1 MB" in film.message


def test_an_empty_file_is_told_by_its_reason(seen: dict[str, Sighting]) -> None:
    assert (seen["空.docx"].state, seen["空.docx"].reason, seen["空.docx"].kind) == (
        "failed",
        "empty",
        "docx",
    )


def test_of_a_text_its_sketch_is_kept_and_nothing_else(seen: dict[str, Sighting]) -> None:
    note = seen["雨伞.md"]
    assert note.sketch is not None and note.sketch.shingles > 20
    assert note.title == "雨伞借用办法"
    assert note.modified <= datetime.now(UTC)
    assert "前台" not in repr(note)
