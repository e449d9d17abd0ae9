"""The same question gets the answer given before, as long as nothing it is true under has changed."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from ingestion.documents import Document, Revision
from ingestion.index.schema import Filter
from service.access import EVERYONE, LOCAL, Principal
from service.cache import AnswerCache
from service.knowledge.reuse import Reuse
from service.store.catalogue import RevisionFacts, Snapshot
from tests.asking import put
from tests.running import Running, serving

RULE = "# 雨伞借用办法\n\n第一条 雨伞在前台借用，{days}内归还。\n\n第二条 遗失雨伞的，按照{price}元赔偿。\n"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("reuse") / "home", env={}) as running:
        with running.client() as client:
            put(client, "雨伞借用办法.md", RULE.format(days="三天", price=20))
        yield running


@pytest.fixture
def client(service: Running) -> Iterator[httpx.Client]:
    with service.client() as client:
        yield client


def ask(client: httpx.Client, question: str, **more: object) -> Any:
    response = client.post("/api/v1/chat", json={"message": question, "stream": False, **more})
    assert response.status_code == 200, response.text
    return response.json()


def test_the_same_question_in_other_words_gets_the_same_answer_with_its_citations(
    client: httpx.Client,
) -> None:
    first = ask(client, "遗失雨伞要赔偿多少钱？")
    again = ask(client, "请问遗失雨伞要赔偿多少元呢")
    assert (first["cached"], again["cached"]) == (False, True)
    for kept in ("answer", "citations", "references", "engine"):
        assert again[kept] == first[kept]
    assert again["message_id"] != first["message_id"]
    history = client.get(f"/api/v1/conversations/{again['conversation_id']}/messages").json()
    assert history["items"][-1]["citations"] == first["citations"]


def test_another_question_day_or_filter_gets_an_answer_of_its_own(client: httpx.Client) -> None:
    ask(client, "雨伞借用几天内归还？")
    assert not ask(client, "雨伞借用几天内赔偿？")["cached"]
    assert not ask(client, "雨伞借用几天内归还？", as_of="2030-01-01")["cached"]
    assert not ask(client, "雨伞借用几天内归还？", filters={"knowledge_bases": ["default"]})["cached"]


def test_a_refusal_is_never_kept(client: httpx.Client) -> None:
    ask(client, "火星基地的宠物火箭怎么加油？")
    assert not ask(client, "火星基地的宠物火箭怎么加油？")["cached"]


def test_a_new_revision_ends_every_earlier_answer(client: httpx.Client) -> None:
    ask(client, "雨伞在哪里借用？")
    assert ask(client, "雨伞在哪里借用？")["cached"]
    put(client, "雨伞借用办法.md", RULE.format(days="五天", price=30))
    assert not ask(client, "雨伞在哪里借用？")["cached"]
    assert not ask(client, "雨伞借用几天内归还？")["cached"]


def snapshot(*labels: tuple[str, ...]) -> Snapshot:
    facts = {
        str(n): RevisionFacts(Document(str(n), "", "办法", labels=found), Revision(str(n), str(n), ""))
        for n, found in enumerate(labels)
    }
    return Snapshot(7, 0, facts)


def reader(name: str, department: str) -> Principal:
    return Principal(id=name, department=department)


def test_readers_share_answers_only_when_the_same_documents_are_open_to_them() -> None:
    published = snapshot(("public",), ("department:总部/财务部",))
    reuse = Reuse(AnswerCache.__new__(AnswerCache), lambda: published)

    def conditions(principal: Principal) -> str:
        return reuse.conditions(principal, None, Filter(), "offline").digest

    sales, research = reader("a", "总部/销售部"), reader("b", "总部/研发部")
    finance = reader("c", "总部/财务部")
    assert conditions(sales) == conditions(research) == conditions(EVERYONE)
    assert conditions(finance) == conditions(LOCAL) != conditions(sales)
