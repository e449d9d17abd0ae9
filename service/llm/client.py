"""`LanguageModel`: one call per step of `prompts/`, parsed, validated, repaired once, or a typed error.

`run` for a step with a typed answer, `stream` and `text` for one that writes prose. Each is: prompt ->
endpoint behind retry and circuit breaker -> value with the model that gave it and what it cost.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, aclosing, contextmanager
from dataclasses import dataclass, replace
from typing import Generic, Self, TypeVar

from pydantic import BaseModel

from service.llm.answers import ChatRequest, Completion, Piece, estimated_usage
from service.llm.breaker import Circuit, CircuitBreaker
from service.llm.config import LlmConfig
from service.llm.endpoint import Endpoint
from service.llm.errors import LlmError, LlmInvalidOutput, LlmNotConfigured
from service.llm.outputs import JsonSchema, OutputProblem, parse_output, schema_of
from service.llm.retry import Backoff, retrying
from service.llm.tokens import truncate_to_tokens
from service.llm.usage import ModelCounters, Usage
from service.prompts import ModelSize, OurText, Prompt, PromptLibrary, Rendered

Value = TypeVar("Value")
Output = TypeVar("Output", bound=BaseModel)

_REPAIRED_OUTPUT_TOKENS = 2000  # how much of a wrong answer the repair call is shown


@dataclass(frozen=True, slots=True)
class Answered(Generic[Value]):
    """A step's result. `model` is the engine to report; `repaired`: the first answer was not of its type."""

    value: Value
    model: str
    usage: Usage
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class _Begun:
    """A stream whose first text has come. Leaving `opened` closes it and tells the breaker how it ended."""

    first: Piece
    rest: AsyncGenerator[Piece, None]
    opened: AsyncExitStack


class LanguageModel:
    """Belongs to the event loop it is used on. Close it there, or use `async with`."""

    def __init__(
        self,
        config: LlmConfig,
        prompts: PromptLibrary,
        *,
        backoff: Backoff | None = None,
        breaker: Callable[[], CircuitBreaker] | None = None,
    ) -> None:
        """Opens no connection. Raises LlmNotConfigured without a model name.

        `backoff` and `breaker` (called once per model) replace the configured ones, for tests.
        """
        if not config.configured:
            raise LlmNotConfigured("没有配置大模型（ZHIXING_LLM_MODEL），使用离线引擎")
        self._config = config
        self._prompts = prompts
        self._endpoint = Endpoint(config)
        self._backoff = backoff or Backoff(config.retries, config.backoff_s, config.backoff_limit_s)
        models = {config.model_for(size) for size in ModelSize}
        make = breaker or (lambda: CircuitBreaker(config.breaker_failures, config.breaker_reset_s))
        self._breakers = {model: make() for model in models}
        self._counters = {model: ModelCounters() for model in models}

    async def run(
        self, step: str, variables: Mapping[str, object], output_type: type[Output]
    ) -> Answered[Output]:
        """The step's answer as an `output_type`. Raises LlmError, or PromptError for unfit variables."""
        request = self._request(step, variables, schema_of(output_type))
        deadline = self._deadline()
        with self._counted(request.model):
            first = await self._complete(request, deadline)
            try:
                return Answered(parse_output(first.text, output_type), request.model, first.usage)
            except OutputProblem as problem:
                repair = self._repair(request, first.text, problem)
            self._counters[request.model].repairs += 1
            second = await self._complete(repair, deadline)
            usage = first.usage + second.usage
            try:
                return Answered(parse_output(second.text, output_type), request.model, usage, repaired=True)
            except OutputProblem as problem:
                raise LlmInvalidOutput(
                    f"大模型两次都没有按要求的格式回答：{problem}", output=second.text
                ) from problem

    def stream(self, step: str, variables: Mapping[str, object]) -> "TextStream":
        """The step's prose as it is written. Errors come while reading; an early one is retried unseen."""
        request = self._request(step, variables)
        return TextStream(request, self._pieces(request))

    async def text(self, step: str, variables: Mapping[str, object]) -> Answered[str]:
        """The step's prose, whole."""
        async with self.stream(step, variables) as stream:
            parts = [part async for part in stream]
        return Answered("".join(parts), stream.model, stream.usage)

    def model_for(self, step: str) -> str:
        """The model that answers a step: its prompt says small or strong, the configuration has the names."""
        return self._config.model_for(self._prompts.load(step).model)

    def counters(self) -> dict[str, ModelCounters]:
        """A copy of each model's running totals."""
        return {model: replace(counters) for model, counters in self._counters.items()}

    def circuits(self) -> dict[str, Circuit]:
        """Which models are being called and which left alone for a while."""
        return {model: breaker.state for model, breaker in self._breakers.items()}

    async def close(self) -> None:
        await self._endpoint.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _deadline(self) -> float:
        return asyncio.get_running_loop().time() + self._config.timeout_s

    def _request(
        self, step: str, variables: Mapping[str, object], schema: JsonSchema | None = None
    ) -> ChatRequest:
        prompt = self._prompts.load(step)
        messages = prompt.render(variables)
        if prompt.blocks:
            messages = _joined(messages, self._prompts.load("data_fence").render({}))
        if schema is not None:
            # In words as well, since many servers accept a schema and ignore it.
            messages = _joined(
                messages, self._prompts.load("output_json").render({"schema": OurText(schema.text)})
            )
        return ChatRequest(step, self._model(prompt), messages, prompt.temperature, schema)

    def _model(self, prompt: Prompt) -> str:
        return self._config.model_for(prompt.model)

    def _repair(self, request: ChatRequest, output: str, problem: OutputProblem) -> ChatRequest:
        shown = truncate_to_tokens(output, _REPAIRED_OUTPUT_TOKENS)
        repair = self._prompts.load("repair_json").render({"problem": OurText(str(problem)), "output": shown})
        return replace(request, messages=_joined(request.messages, repair))

    async def _complete(self, request: ChatRequest, deadline: float) -> Completion:
        async def attempt() -> Completion:
            with self._breakers[request.model].attempt():
                return await self._endpoint.complete(request, deadline)

        completion = await retrying(attempt, self._backoff, deadline, self._on_retry(request.model))
        self._counters[request.model].calls += completion.usage.calls
        return completion

    async def _pieces(self, request: ChatRequest) -> AsyncGenerator[Piece, None]:
        """The answer from its first text on: until then a failure is retried, after it the stream ends."""
        deadline = self._deadline()

        async def attempt() -> _Begun:
            async with AsyncExitStack() as opened:
                opened.enter_context(self._breakers[request.model].attempt())
                pieces = await opened.enter_async_context(aclosing(self._endpoint.stream(request, deadline)))
                first = await anext(pieces)
                if first.usage is not None:
                    self._counters[request.model].calls += first.usage.calls
                    raise LlmInvalidOutput("大模型的回答是空的")
                return _Begun(first, pieces, opened.pop_all())

        with self._counted(request.model):
            begun = await retrying(attempt, self._backoff, deadline, self._on_retry(request.model))
            async with begun.opened:
                yield begun.first
                async for piece in begun.rest:
                    if piece.usage is not None:
                        self._counters[request.model].calls += piece.usage.calls
                    yield piece

    def _on_retry(self, model: str) -> Callable[[], None]:
        def count() -> None:
            self._counters[model].retries += 1

        return count

    @contextmanager
    def _counted(self, model: str) -> Iterator[None]:
        self._counters[model].steps += 1
        try:
            yield
        except LlmError:
            self._counters[model].failed += 1
            raise


class TextStream:
    """Iterate for the text, then read `usage`. Closing or cancelling it closes the HTTP connection.

    `usage` is what the server reported; of a stream that ended early, an estimate of what had arrived.
    """

    def __init__(self, request: ChatRequest, pieces: AsyncGenerator[Piece, None]) -> None:
        self.model = request.model
        self._request = request
        self._pieces = pieces
        self._text = ""
        self._reported: Usage | None = None

    @property
    def usage(self) -> Usage:
        if self._reported is None and self._text:
            return estimated_usage(self._request, self._text)
        return self._reported or Usage()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> str:
        piece = await anext(self._pieces)
        if piece.usage is None:
            self._text += piece.text
            return piece.text
        self._reported = piece.usage
        return await self.__anext__()

    async def close(self) -> None:
        await self._pieces.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _joined(first: Rendered, second: Rendered) -> Rendered:
    return Rendered(
        "\n\n".join(part for part in (first.system, second.system) if part),
        "\n\n".join(part for part in (first.user, second.user) if part),
    )
