"""Cutting anew on a real library: index and sums agree with the new vocabulary, whenever the process dies."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.analyzer import Analyzer
from ingestion.index.keyword import KeywordEncoder, token_id
from ingestion.index.schema import Filter, SparseVector
from ingestion.terms import Terms
from service.access import LOCAL
from service.store import term_stats
from service.terms.retokenising import Retokenised, Retokeniser
from tests.service.store.library_parts import LibraryParts, Paper, key, quick_folder

FORMER = Analyzer(Terms())
PRESENT = FORMER.revised(Terms(dictionary=(("云桌面终端", 0),)))
PAPERS = (
    Paper(document="终端", text="云桌面终端每人一台\n用后关机"),
    Paper(document="请假", text="年假五天"),
    Paper(document="桌面", text="桌面应当整洁\n云桌面终端不得外借"),
)
WORD = token_id("云桌面终端")


@pytest.fixture
def folder() -> Iterator[Path]:
    with quick_folder() as name:
        parts = LibraryParts(name)
        parts.publish(*PAPERS)
        cut(parts, FORMER, everything=True)
        parts.close()
        yield name


def cut(parts: LibraryParts, by: Analyzer, *, everything: bool = False, die_at: int = 0) -> Retokenised:
    left = die_at

    def reached(_step: str) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    touched = PRESENT.differences(FORMER).touch
    retokeniser = Retokeniser(parts.database, parts.index, KeywordEncoder(by), reached)
    return retokeniser.run((lambda _text: True) if everything else touched, lambda _done, _total: None)


def holding(parts: LibraryParts, term: int = WORD) -> int:
    return len(parts.index.search_keyword(SparseVector((term,), (1.0,)), Filter(), 100))


def counted(parts: LibraryParts, term: int = WORD) -> int:
    with parts.database.session() as session:
        return term_stats.frequencies(session, [term]).get(term, 0)


def test_touched_chunks_are_cut_anew_and_their_vectors_stay(folder: Path) -> None:
    parts = LibraryParts(folder)
    ids = sorted(parts.index.ids())
    vectors, version = parts.index.vectors(ids), parts.catalogue.snapshot().version
    assert (holding(parts), counted(parts)) == (0, 0)
    assert cut(parts, PRESENT) == Retokenised(chunks=2)
    assert (holding(parts), counted(parts)) == (2, 2)
    after = parts.index.vectors(ids)
    assert all((vectors[one] == after[one]).all() for one in ids)
    assert parts.catalogue.snapshot().version > version
    parts.check()
    parts.close()


def test_a_word_that_goes_goes_from_index_and_sums(folder: Path) -> None:
    parts = LibraryParts(folder)
    cut(parts, PRESENT)
    assert cut(parts, FORMER) == Retokenised(chunks=2)
    assert (holding(parts), counted(parts)) == (0, 0)
    parts.check()
    parts.close()


def run_and_die(folder: Path, step: int) -> None:
    cut(LibraryParts(folder), PRESENT, die_at=step)


@pytest.mark.parametrize("step", [1, 2, 3])
def test_killed_in_the_middle_it_is_done_by_doing_it_again(folder: Path, step: int) -> None:
    child = multiprocessing.get_context("spawn").Process(target=run_and_die, args=(folder, step))
    child.start()
    child.join(60)
    assert child.exitcode == -signal.SIGKILL
    parts = LibraryParts(folder)
    assert 1 <= holding(parts) <= 2
    cut(parts, PRESENT)
    assert (holding(parts), counted(parts)) == (2, 2)
    parts.check()
    parts.close()


def test_a_revision_deleted_meanwhile_stays_deleted(folder: Path) -> None:
    parts = LibraryParts(folder)
    gone: list[str] = []

    def touched(text: str) -> bool:
        if not gone and "云桌面" in text:
            gone.append(key("终端"))
            parts.library.delete_document(LOCAL, key("终端"))
        return "云桌面" in text

    Retokeniser(parts.database, parts.index, KeywordEncoder(PRESENT)).run(touched, lambda _d, _t: None)
    assert gone
    parts.check()
    parts.close()


def test_points_that_are_missing_are_counted(folder: Path) -> None:
    parts = LibraryParts(folder)
    parts.index.delete_points(sorted(PAPERS[0].chunk_ids))
    assert cut(parts, PRESENT) == Retokenised(chunks=1, missing=1)
    parts.close()
