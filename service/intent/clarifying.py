"""A small model settles what the cue words left unclear; what it does wrong leaves the choice to the user."""

import asyncio
from dataclasses import replace
from typing import Literal

from pydantic import BaseModel

from service import logs
from service.intent.reader import Reading
from service.llm.client import LanguageModel
from service.llm.errors import LlmError

STEP = "intent/classify"
PATIENCE = 4.0  # seconds: a question back to the user costs about as long

log = logs.get(__name__)


class Classified(BaseModel):
    """What the model says; `unclear` is an answer too."""

    intent: Literal["knowledge", "process", "minutes", "status", "other", "unclear"]


async def clarify(
    reading: Reading, text: str, model: LanguageModel, *, patience: float = PATIENCE
) -> Reading:
    """The reading settled for one of its two, or as it was: also when the model fails, takes longer than
    `patience` seconds, cannot tell either, or names something that is no choice. A clear reading costs
    no call.
    """
    if not reading.either:
        return reading
    first, second = reading.either
    variables = {"first": first.value, "second": second.value, "message": text}
    try:
        async with asyncio.timeout(patience):
            answered = await model.run(STEP, variables, Classified)
    except (LlmError, TimeoutError) as error:
        log.warning("intent.not_clarified", reason=getattr(error, "code", "too_slow"))
        return reading
    chosen = next((intent for intent in reading.either if intent.value == answered.value.intent), None)
    if chosen is None:
        return reading
    return replace(reading, intent=chosen, either=(), model=answered.model)
