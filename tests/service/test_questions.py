"""One limit for questions, on every way in."""

import re

import pytest

from service.api.chat import ChatIn
from service.api.pages import WIDGET
from service.api.retrieval import RetrievalIn
from service.errors import BadRequest
from service.questions import MAX_QUESTION, check_question


def test_the_longest_question_is_taken_and_a_longer_one_is_told() -> None:
    check_question("问" * MAX_QUESTION)
    with pytest.raises(BadRequest, match=str(MAX_QUESTION)):
        check_question("问" * (MAX_QUESTION + 1))


@pytest.mark.parametrize("text", ["", " \n\u3000"])
def test_an_empty_question_is_told(text: str) -> None:
    with pytest.raises(BadRequest, match="空的"):
        check_question(text)


def test_every_form_takes_the_same_length() -> None:
    page = (WIDGET / "index.html").read_text(encoding="utf-8")
    field = re.search(r'id="question"[^>]*maxlength="(\d+)"', page)
    assert field is not None and int(field[1]) == MAX_QUESTION
    for schema, name in ((ChatIn, "message"), (RetrievalIn, "query")):
        assert schema.model_json_schema()["properties"][name]["maxLength"] == MAX_QUESTION
