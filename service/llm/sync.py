"""`SyncChat`: the language model as `ingestion.protocols.Chat`, for code in a worker thread or process.

One background thread holds the event loop and its LanguageModel; calls from several threads run side by side.
"""

import asyncio
import threading
from collections.abc import Mapping
from typing import Self, TypeVar

from pydantic import BaseModel

from ingestion.errors import ModelFailure
from service.llm.breaker import Circuit
from service.llm.client import Answered, LanguageModel
from service.llm.config import LlmConfig
from service.llm.errors import LlmError, LlmRejected, LlmUnavailable
from service.llm.usage import ModelCounters
from service.prompts import PromptLibrary

Output = TypeVar("Output", bound=BaseModel)


class SyncChat:
    """Close it, or use `with`: the thread ends with it. Never call it from an event loop's own thread."""

    def __init__(self, config: LlmConfig, prompts: PromptLibrary) -> None:
        """Raises LlmNotConfigured without a model name."""
        self._model = LanguageModel(config, prompts)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="llm", daemon=True)
        self._thread.start()

    def run(self, step: str, variables: Mapping[str, object], output_type: type[Output]) -> Output:
        """As `LanguageModel.run`, the value alone. Raises ModelFailure from the LlmError."""
        try:
            return self.answer(step, variables, output_type).value
        except LlmError as error:
            raise ModelFailure(error.message, lasting=_lasting(error)) from error

    def answer(
        self, step: str, variables: Mapping[str, object], output_type: type[Output]
    ) -> Answered[Output]:
        """As `LanguageModel.run`, with model and usage."""
        running = asyncio.run_coroutine_threadsafe(self._model.run(step, variables, output_type), self._loop)
        try:
            return running.result()
        finally:
            running.cancel()  # when the waiting thread is interrupted, the call ends with it

    def model_for(self, step: str) -> str:
        return self._model.model_for(step)

    def counters(self) -> dict[str, ModelCounters]:
        return self._model.counters()

    def circuits(self) -> dict[str, Circuit]:
        return self._model.circuits()

    def close(self) -> None:
        if self._loop.is_closed():
            return
        asyncio.run_coroutine_threadsafe(self._model.close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _lasting(error: LlmError) -> bool:
    """Down, silent, overloaded after all retries, or refusing the key: not this request's fault."""
    refused = isinstance(error, LlmRejected) and error.misconfigured
    return refused or isinstance(error, LlmUnavailable)
