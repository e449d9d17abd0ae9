"""The questions that README and the quick start show get the very answers printed there."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.conftest import REPOSITORY
from tests.running import Running

SUGGESTED = [
    line
    for line in (REPOSITORY / "data" / "terms" / "suggestions.txt").read_text(encoding="utf-8").splitlines()
    if line.strip() and not line.startswith("#")
]
PAGES = ("README.md", "docs/quickstart.md")
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.M | re.S)
ASKED = re.compile(
    r'^\$ zhixing ask "(?P<question>[^"]+)"(?: --as-of (?P<as_of>[\d-]+))?\n(?P<answer>(?:[^$\n].*\n)+)', re.M
)


class Shown(NamedTuple):
    page: str
    question: str
    as_of: str | None
    answer: str


def shown_answers() -> Iterator[Shown]:
    for page in PAGES:
        for block in CONSOLE.findall((REPOSITORY / page).read_text(encoding="utf-8")):
            for match in ASKED.finditer(block):
                yield Shown(page, match["question"], match["as_of"], match["answer"].rstrip("\n"))


@pytest.mark.parametrize("shown", list(shown_answers()), ids=lambda shown: f"{shown.page} {shown.as_of}")
def test_printed_answer_is_what_the_service_says(running: Running, shown: Shown) -> None:
    body = {"message": shown.question, "as_of": shown.as_of, "stream": False}
    with running.client() as client:
        assert client.post("/api/v1/chat", json=body).json()["answer"] == shown.answer


def test_both_pages_show_an_answer() -> None:
    assert {shown.page for shown in shown_answers()} == set(PAGES)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("单价多少钱以上算固定资产？", "2,000元以上"),
        ("加班晚了打车，一次最多能报多少钱？", "80元"),
        ("去香港出差住宿限额多少？", "1,500"),
    ],
)
def test_a_question_offered_to_newcomers_is_answered(running: Running, question: str, told: str) -> None:
    with running.client() as client:
        answer = client.post("/api/v1/chat", json={"message": question, "stream": False}).json()
    assert question in SUGGESTED
    assert told in answer["answer"] and answer["citations"]


def test_every_question_offered_to_newcomers_is_tested() -> None:
    assert len(SUGGESTED) == 3
