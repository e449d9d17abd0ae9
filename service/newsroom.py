"""The newsroom 编辑部 of minutes as a process builds it: detector, topics, outcomes, language model.

Apart from `assembly`, so that the processes that read files load nothing of what serves.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ingestion.minutes.boundaries import STEP as BOUNDARY
from ingestion.minutes.detector import load_detector
from ingestion.minutes.meeting import Newsroom
from ingestion.minutes.orchestrator import Equipment, Model
from ingestion.minutes.outcomes import load_outcomes
from ingestion.minutes.topics import LexicalTopics
from ingestion.segmenter import Segmenter
from ingestion.terms import Terms
from service.config import ASSETS, Settings
from service.llm.config import LlmConfig
from service.llm.tokens import count_tokens
from service.prompts import PromptLibrary

if TYPE_CHECKING:
    from service.llm.sync import SyncChat  # loads the SDK, which the offline engine never needs

MINUTES_MODEL = ASSETS / "data" / "minutes_model"


def llm_config(settings: Settings) -> LlmConfig:
    return LlmConfig(
        model=settings.llm_model,
        small_model=settings.llm_small_model,
        base_url=settings.llm_base_url,
        api_key=settings.llm_api_key,
        timeout_s=settings.llm_timeout_s,
        first_token_timeout_s=settings.llm_first_token_timeout_s,
        retries=settings.llm_retries,
    )


def newsroom(settings: Settings, terms: Terms, model: Model | None) -> Newsroom:
    """Raises DetectorDamaged, OutcomesDamaged."""
    segmenter = Segmenter(terms.dictionary, settings.home / "cache")
    detector = load_detector(MINUTES_MODEL, segmenter)
    equipment = Equipment(detector, LexicalTopics(segmenter, terms.stopwords), count_tokens, model=model)
    return Newsroom(equipment, load_outcomes(MINUTES_MODEL))


def worker_newsroom(settings: Settings, terms: Terms) -> Newsroom:
    """For a process that works until it is ended: its client of the model is never closed by itself.

    Raises DetectorDamaged, OutcomesDamaged.
    """
    chat = _chat(settings)
    return newsroom(settings, terms, _named(chat) if chat else None)


@contextmanager
def minutes_model(settings: Settings) -> Iterator[Model | None]:
    """The language model for code that waits for its answers; None without a model's name."""
    chat = _chat(settings)
    if chat is None:
        yield None
        return
    with chat:
        yield _named(chat)


def _named(chat: "SyncChat") -> Model:
    return Model(chat.model_for(BOUNDARY), chat)


def _chat(settings: Settings) -> "SyncChat | None":
    config = llm_config(settings)
    if not config.configured:
        return None
    from service.llm.sync import SyncChat

    return SyncChat(config, PromptLibrary(ASSETS / "prompts"))
