"""What is not settled by the sources is decided in code: no model gets to see it."""

from collections.abc import Iterator

import httpx
import pytest

from tests.asking import ask, put
from tests.doubles.llm import LlmDouble

NOTICE = """# 廉洁从业通知

第一条 收受礼品应当在五个工作日内上交行政部陈晓登记。
"""
QUESTION = "收受礼品应当在几个工作日内上交登记？"


@pytest.fixture
def notice(client: httpx.Client) -> Iterator[None]:
    """A document that contradicts the rules on gifts, for one test."""
    put(client, "廉洁从业通知.md", NOTICE)
    yield
    for item in client.get("/api/v1/documents").json()["items"]:
        if item["title"] == "廉洁从业通知":
            client.delete(f"/api/v1/documents/{item['id']}").raise_for_status()


def test_sources_in_conflict_are_shown_without_asking_the_model(
    client: httpx.Client, llm: LlmDouble, notice: None
) -> None:
    answer = ask(client, QUESTION)
    assert answer["refusal"]["reason"] == "conflicting_sources"
    assert "三个工作日" in answer["answer"] and "五个工作日" in answer["answer"]
    assert answer["engine"] == "offline"
    assert answer["citations"] == []
    assert llm.chats == []
