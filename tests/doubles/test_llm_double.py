"""The double itself, seen by the official client."""

import openai
import pytest

from tests.doubles.behaviours import Behaviour, say, wrong_language
from tests.doubles.llm import LlmDouble, RecordedRequest, embedding_of


@pytest.fixture
def client(llm_double: LlmDouble) -> openai.OpenAI:
    return openai.OpenAI(api_key="none", base_url=llm_double.base_url, max_retries=0)


def ask(client: openai.OpenAI, text: str) -> str | None:
    messages = [{"role": "user", "content": text}]
    answer = client.chat.completions.create(model="strong-double", messages=messages)  # type: ignore[arg-type]
    return answer.choices[0].message.content


def test_models_are_listed(client: openai.OpenAI) -> None:
    with client:
        assert [model.id for model in client.models.list()] == ["strong-double", "small-double"]


def test_embeddings_are_equal_for_equal_texts_in_both_encodings(client: openai.OpenAI) -> None:
    with client:
        packed = client.embeddings.create(model="e", input=["甲", "乙"])
        plain = client.embeddings.create(model="e", input="甲", encoding_format="float")
    assert packed.data[0].embedding == pytest.approx(embedding_of("甲"), abs=1e-6)
    assert plain.data[0].embedding == pytest.approx(packed.data[0].embedding, abs=1e-6)
    assert packed.data[0].embedding != packed.data[1].embedding


def test_script_goes_before_the_deciding_function(client: openai.OpenAI, llm_double: LlmDouble) -> None:
    def echo(request: RecordedRequest) -> Behaviour:
        return say(f"回声：{request.user}")

    llm_double.script(wrong_language())
    llm_double.answer_with(echo)
    with client:
        assert str(ask(client, "一")).startswith("Please")
        assert ask(client, "二") == "回声：二"
    assert (llm_double.unused, [each.user for each in llm_double.chats]) == (0, ["一", "二"])


def test_request_beyond_the_script_is_noticed(client: openai.OpenAI) -> None:
    with client, pytest.raises(openai.APIStatusError, match="script ran out"):
        ask(client, "多余")
