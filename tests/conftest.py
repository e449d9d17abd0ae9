"""Fixtures every test package shares."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doubles.llm import LlmDouble
from tests.running import Running, serving

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data sets beside the checkout; tests that need it skip when it is absent."""
    folder = Path(os.environ.get("ZHIXING_TEST_DATA", REPOSITORY.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip("the shared data sets are not beside this checkout")
    return folder


@pytest.fixture
def llm_double() -> Iterator[LlmDouble]:
    """A real OpenAI-compatible server on loopback that misbehaves on command."""
    with LlmDouble() as double:
        yield double


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The service with the sample knowledge, shared by tests that only ask and change no document."""
    with serving(tmp_path_factory.mktemp("service") / "home", samples=True) as service:
        yield service
