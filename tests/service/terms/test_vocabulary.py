"""Changing the vocabulary of a service: in force for the next question, found while chunks are cut anew."""

import time
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ingestion.index.keyword import token_id
from ingestion.index.schema import Filter, SparseVector
from ingestion.protocols import Vectors
from service import bootstrap
from service.access import LOCAL, Principal, Role
from service.app import create_app
from service.errors import BadRequest, Conflict, Forbidden, Unavailable
from service.lanes import Job
from service.retrieval.calibration import Mode
from service.retrieval.protocols import Question
from service.store import audit
from service.store.models import now
from service.terms.lists import TermList
from tests.service.api.keyed import keyed_parts, upload

SCREENS = "# 云桌面终端管理规定\n\n云桌面终端每人一台，由信息部统一配发。\n"
WORD = "云桌面终端"
BOX = "铁疙瘩"


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    with keyed_parts(tmp_path_factory.mktemp("vocabulary") / "home") as built:
        yield built


@pytest.fixture(scope="module")
def client(parts: bootstrap.Parts) -> Iterator[TestClient]:
    """The service runs as long as this is open; every test brings its own words."""
    with client_of(parts) as opened:
        upload(opened, "终端.md", SCREENS)
        yield opened


def client_of(parts: bootstrap.Parts) -> TestClient:
    key = parts.keys.create("管理员", Role.ADMIN)[1]
    app = create_app(parts, with_console=False)
    return TestClient(app, headers={"Authorization": f"Bearer {key}"})


def found(parts: bootstrap.Parts, query: str, mode: Mode = Mode.HYBRID) -> float:
    """The confidence of the best passage for a question; 0 when none may answer."""
    result = parts.retriever.retrieve(Question(query), None, day=date.today(), mode=mode)
    return result.evidence[0].score if result.evidence else 0.0


def holding(parts: bootstrap.Parts, word: str = WORD) -> int:
    """Chunks of the index that are cut into this word."""
    return len(parts.index.search_keyword(SparseVector((token_id(word),), (1.0,)), Filter(), 100))


def done(parts: bootstrap.Parts) -> None:
    deadline = time.monotonic() + 30
    while parts.vocabulary.task(LOCAL) is not None:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_lay_word_that_found_nothing_finds_with_the_next_question(
    parts: bootstrap.Parts, client: TestClient
) -> None:
    asked = {"message": f"{BOX}由谁配发？", "stream": False}
    assert found(parts, BOX) == 0.0
    version = parts.catalogue.snapshot().version
    parts.vocabulary.add(LOCAL, TermList.SYNONYMS, (BOX, WORD))
    assert found(parts, BOX) > 0.55
    assert parts.catalogue.snapshot().version > version
    answer = client.post("/api/v1/chat", json=asked).json()
    assert "信息部" in answer["answer"]
    parts.vocabulary.remove(LOCAL, TermList.SYNONYMS, (BOX, WORD))
    assert found(parts, BOX) == 0.0
    assert client.post("/api/v1/chat", json=asked).json()["answer"] != answer["answer"]
    assert parts.vocabulary.task(LOCAL) is None


@pytest.mark.usefixtures("client")
def test_a_new_word_is_found_before_while_and_after_chunks_are_cut_anew(
    parts: bootstrap.Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = found(parts, WORD, Mode.KEYWORD)
    waiting: list[tuple[str, Job]] = []
    with monkeypatch.context() as patched:
        patched.setattr(parts.lanes, "submit", lambda lane, job: waiting.append((lane, job)))
        rows = [*parts.vocabulary.rows(LOCAL, TermList.DICTIONARY), (WORD,)]
        parts.vocabulary.replace(LOCAL, TermList.DICTIONARY, rows)
    assert holding(parts) == 0
    task = parts.vocabulary.task(LOCAL)
    assert task is not None and task.state == "running"
    assert found(parts, WORD, Mode.KEYWORD) == pytest.approx(before, abs=0.1)
    for lane, job in waiting:
        parts.lanes.submit(lane, job)
    done(parts)
    assert holding(parts) == 1
    assert found(parts, WORD, Mode.KEYWORD) == pytest.approx(before, abs=0.1)
    assert parts.tasks.get(LOCAL, task.id).message == "已按新的词表重新切词，改了 1 个切片"


@pytest.mark.usefixtures("client")
def test_changes_on_top_of_each_other_end_with_the_last(parts: bootstrap.Parts) -> None:
    parts.vocabulary.add(LOCAL, TermList.DICTIONARY, ("统一配发",))
    parts.vocabulary.add(LOCAL, TermList.STOPWORDS, ("每人",))
    done(parts)
    assert (holding(parts, "统一配发"), holding(parts, "每人")) == (1, 0)
    parts.vocabulary.remove(LOCAL, TermList.STOPWORDS, ("每人",))
    parts.vocabulary.remove(LOCAL, TermList.DICTIONARY, ("统一配发",))
    done(parts)
    assert (holding(parts, "统一配发"), holding(parts, "每人")) == (0, 1)


def test_files_that_come_afterwards_are_cut_by_the_new_words(
    parts: bootstrap.Parts, client: TestClient
) -> None:
    parts.vocabulary.add(LOCAL, TermList.DICTIONARY, ("晨会纪律",))
    done(parts)
    upload(client, "晨会.md", "# 晨会\n\n晨会纪律由班组长维持。\n")
    assert holding(parts, "晨会纪律") == 1


def test_a_file_that_was_read_before_and_is_published_after_is_cut_anew(
    parts: bootstrap.Parts, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    embed = parts.embedder.embed_passages

    def meanwhile(texts: Sequence[str]) -> Vectors:
        parts.vocabulary.add(LOCAL, TermList.DICTIONARY, ("夜班津贴",))
        done(parts)
        return embed(texts)

    monkeypatch.setattr(parts.embedder, "embed_passages", meanwhile)
    upload(client, "夜班.md", "# 夜班\n\n夜班津贴每晚五十元。\n")
    assert holding(parts, "夜班津贴") == 1


def test_what_was_cut_short_is_done_at_the_next_start(tmp_path: Path) -> None:
    with keyed_parts(tmp_path / "home") as parts:
        with client_of(parts) as client:
            upload(client, "终端.md", SCREENS)
        before = found(parts, WORD, Mode.KEYWORD)
        parts.vocabulary.add(LOCAL, TermList.DICTIONARY, (WORD,))  # the lanes have stopped with the client
        task = parts.vocabulary.task(LOCAL)
        assert task is not None and holding(parts) == 0
    with keyed_parts(tmp_path / "home") as parts:
        assert holding(parts) == 0
        assert found(parts, WORD, Mode.KEYWORD) == pytest.approx(before, abs=0.1)
        with client_of(parts):
            done(parts)
        assert holding(parts) == 1
        assert parts.tasks.get(LOCAL, task.id).state == "done"


def test_faults_are_told_by_line_and_change_nothing(parts: bootstrap.Parts) -> None:
    before = parts.vocabulary.rows(LOCAL, TermList.SYNONYMS)
    with pytest.raises(BadRequest) as caught:
        parts.vocabulary.replace(LOCAL, TermList.SYNONYMS, [("好", "标准"), ("坏", ""), ("好", "标准")])
    assert "第 2 条" in caught.value.message and "第 3 条" in caught.value.message
    problems = caught.value.details["problems"]
    assert isinstance(problems, list) and [one["line"] for one in problems] == [2, 3]
    assert parts.vocabulary.rows(LOCAL, TermList.SYNONYMS) == before


def test_only_administrators_see_and_change_it(parts: bootstrap.Parts) -> None:
    for role in (Role.READER, Role.CONTRIBUTOR, Role.PROCESS_ADMIN):
        other = Principal(id="other", role=role)
        with pytest.raises(Forbidden):
            parts.vocabulary.rows(other, TermList.SYNONYMS)
        with pytest.raises(Forbidden):
            parts.vocabulary.replace(other, TermList.SYNONYMS, [])


def test_the_audit_has_counts_and_no_words(parts: bootstrap.Parts) -> None:
    parts.vocabulary.add(LOCAL, TermList.SYNONYMS, ("铁匣", WORD))
    with parts.database.session() as session:
        line = audit.since(session, now().replace(year=2000))[0]
    assert (line.action, line.subject) == ("terms.replace", "synonyms")
    assert (line.details["added"], line.details["removed"]) == (1, 0)
    assert "铁匣" not in str(line.details)


def test_what_another_has_removed_cannot_be_removed_again(parts: bootstrap.Parts) -> None:
    with pytest.raises(Conflict):
        parts.vocabulary.remove(LOCAL, TermList.SYNONYMS, (BOX, WORD))


def test_a_folder_that_cannot_be_written_changes_nothing(parts: bootstrap.Parts) -> None:
    own = parts.settings.own_terms
    part = own / "dictionary.txt.part"
    part.mkdir(parents=True)
    words = parts.encoder.analyzer
    with pytest.raises(Unavailable, match="无法写入"):
        parts.vocabulary.add(LOCAL, TermList.DICTIONARY, ("写不下",))
    part.rmdir()
    assert parts.encoder.analyzer is words
    assert parts.vocabulary.task(LOCAL) is None
    assert ("写不下",) not in parts.vocabulary.rows(LOCAL, TermList.DICTIONARY)
