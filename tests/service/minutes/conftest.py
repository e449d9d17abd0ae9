"""A line of agents whose model is the double on loopback."""

from collections.abc import Callable

import pytest

from ingestion.minutes.agent import RunLog
from ingestion.minutes.orchestrator import Equipment, Model, OrchestratorAgent
from ingestion.minutes.segmentation import Segmentation
from ingestion.minutes.settings import MinutesSettings
from ingestion.minutes.topics import LexicalTopics
from ingestion.segmenter import Segmenter
from service.config import ASSETS
from service.llm.config import LlmConfig
from service.llm.sync import SyncChat
from service.llm.tokens import count_tokens
from service.prompts import PromptLibrary
from tests.doubles.llm import LlmDouble
from tests.ingestion.minutes.stand_ins import EveryNth

MODEL = "strong-double"
Segment = Callable[..., Segmentation]


@pytest.fixture(scope="session")
def topics() -> LexicalTopics:
    return LexicalTopics(Segmenter())


@pytest.fixture
def segment(llm_double: LlmDouble, topics: LexicalTopics) -> Segment:
    """Runs the line over a text; keyword arguments are fields of MinutesSettings."""

    def run(text: str, base_url: str = "", **knobs: object) -> Segmentation:
        config = LlmConfig(
            model=MODEL, small_model="small-double", base_url=base_url or llm_double.base_url, retries=0
        )
        chosen = MinutesSettings(**knobs)  # type: ignore[arg-type]
        with SyncChat(config, PromptLibrary(ASSETS / "prompts")) as chat:
            equipment = Equipment(EveryNth(5), topics, count_tokens, chosen, Model(MODEL, chat))
            return OrchestratorAgent(RunLog(), equipment).run(text)

    return run
