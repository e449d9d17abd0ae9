"""A language model that talks to the double: short times, no waiting between tries."""

from collections.abc import Callable

import pytest
from pydantic import SecretStr

from service.config import ASSETS
from service.llm.client import LanguageModel
from service.llm.config import LlmConfig
from service.llm.retry import Backoff
from service.prompts import PromptLibrary
from tests.doubles.llm import LlmDouble

MakeModel = Callable[..., LanguageModel]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="session")
def prompts() -> PromptLibrary:
    return PromptLibrary(ASSETS / "prompts")


@pytest.fixture
def waits() -> list[float]:
    """The pauses between tries, in seconds; none of them is really waited."""
    return []


@pytest.fixture
def make_model(llm_double: LlmDouble, prompts: PromptLibrary, waits: list[float]) -> MakeModel:
    """Builds a LanguageModel for the double; keyword arguments are fields of LlmConfig."""

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    def make(**fields: object) -> LanguageModel:
        defaults: dict[str, object] = {
            "model": "strong-double",
            "small_model": "small-double",
            "base_url": llm_double.base_url,
            "api_key": SecretStr("sk-double-secret"),
            "timeout_s": 10.0,
            "first_token_timeout_s": 5.0,
        }
        config = LlmConfig(**(defaults | fields))  # type: ignore[arg-type]
        backoff = Backoff(config.retries, config.backoff_s, config.backoff_limit_s, sleep=sleep)
        return LanguageModel(config, prompts, backoff=backoff)

    return make
