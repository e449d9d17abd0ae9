"""Words of refused questions that no passage holds, with the library's own terms beside them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from ingestion.analyzer import Analyzer
from service import bootstrap
from service.access import LOCAL, Principal
from service.errors import Forbidden
from service.terms.candidates import Candidate, words_of
from service.terms.lists import TermList
from tests.service.api.keyed import keyed_parts, upload
from tests.service.terms.test_vocabulary import client_of

RULES = "# 考勤管理规定\n\n## 第一章 上下班考勤\n\n员工应当按时上下班，迟到三次以上的扣除当月绩效。\n"


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    folder: Path = tmp_path_factory.mktemp("candidates") / "home"
    with keyed_parts(folder) as built:
        yield built


@pytest.fixture(scope="module")
def client(parts: bootstrap.Parts) -> Iterator[TestClient]:
    with client_of(parts) as opened:
        upload(opened, "考勤.md", RULES)
        for question in ("火星基地摸鱼怎么办", "月球基地摸鱼找谁", "火星基地在哪", "绩效怎么扣火锅"):
            opened.post("/api/v1/chat", json={"message": question, "stream": False})
        yield opened


def found(parts: bootstrap.Parts, *known: str) -> dict[str, Candidate]:
    return {one.word: one for one in parts.candidates.find(LOCAL, known)}


@pytest.mark.usefixtures("client")
def test_what_is_asked_repeatedly_and_stands_nowhere_is_offered(parts: bootstrap.Parts) -> None:
    candidates = found(parts)
    assert {"摸鱼", "基地"} <= set(candidates)
    assert candidates["基地"].times == 3
    assert candidates["摸鱼"].question in ("火星基地摸鱼怎么办", "月球基地摸鱼找谁")
    assert "火锅" not in candidates  # asked once
    assert "绩效" not in candidates  # a passage holds it


@pytest.mark.usefixtures("client")
def test_the_nearest_terms_come_from_the_library_in_their_order(parts: bootstrap.Parts) -> None:
    nearest = found(parts)["摸鱼"].nearest
    assert nearest
    assert all(one.term in RULES for one in nearest)
    scores = [one.nearness for one in nearest]
    assert scores == sorted(scores, reverse=True) and all(0 <= score <= 1 for score in scores)


@pytest.mark.usefixtures("client")
def test_what_a_list_knows_is_not_offered(parts: bootstrap.Parts) -> None:
    assert "摸鱼" not in found(parts, "摸鱼")
    assert "基地" in found(parts, "摸鱼")


@pytest.mark.usefixtures("client")
def test_an_accepted_candidate_is_a_synonym_and_no_candidate(parts: bootstrap.Parts) -> None:
    parts.vocabulary.add(LOCAL, TermList.SYNONYMS, ("摸鱼", "迟到"))
    assert "摸鱼" not in found(parts, *parts.vocabulary.known_words(LOCAL))


def test_others_than_administrators_see_none(parts: bootstrap.Parts) -> None:
    with pytest.raises(Forbidden):
        parts.candidates.find(Principal(id="other"), [])


def test_words_are_whole_and_characters_without_a_word_are_taken_together() -> None:
    analyzer = Analyzer()
    assert words_of(analyzer, "笔电丢了怎么办") >= {"笔电"}
    assert "笔电" in words_of(analyzer, "笔电可以带走吗")
    assert words_of(analyzer, "固定资产是什么") == {"固定资产"}
    assert words_of(analyzer, "第十二条是什么") == set()
    assert words_of(analyzer, "") == set()
