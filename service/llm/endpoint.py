"""The adapter around the `openai` package: one chat completion, whole or streamed. No retry, no prompts."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import TypeVar

import openai
from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam

from service.llm.answers import ChatRequest, Completion, Piece, StreamReader, completion_of
from service.llm.config import OPENAI_BASE_URL, LlmConfig
from service.llm.dialect import Dialect
from service.llm.errors import LlmRejected, LlmTimeout
from service.llm.translation import translating
from service.prompts import Rendered

STEP_HEADER = "X-Zhixing-Step"
_CONNECT_TIMEOUT_S = 5.0
_NO_KEY = "none"  # servers in the house often need no key; the SDK insists on one

Result = TypeVar("Result")


class Endpoint:
    """One base URL and key. Belongs to the event loop it is first used on; close it there."""

    def __init__(self, config: LlmConfig) -> None:
        self._key = config.api_key.get_secret_value() if config.api_key else ""
        self._silence_s = config.first_token_timeout_s
        # Key and address are always given, so that the SDK never takes them from the environment.
        self._client = openai.AsyncOpenAI(
            api_key=self._key or _NO_KEY,
            base_url=config.base_url or OPENAI_BASE_URL,
            timeout=openai.Timeout(config.timeout_s, connect=min(_CONNECT_TIMEOUT_S, config.timeout_s)),
            max_retries=0,
        )
        self._dialects: dict[str, Dialect] = {}

    async def complete(self, request: ChatRequest, deadline: float) -> Completion:
        """The whole answer. `deadline` is a time of the running loop's clock. Raises LlmError."""

        async def send(dialect: Dialect) -> Completion:
            with translating(self._key):
                answer = await self._client.chat.completions.create(
                    model=request.model,
                    messages=_messages(request.messages),
                    extra_headers={STEP_HEADER: request.step},
                    extra_body=dialect.parameters(request.temperature, request.schema, streaming=False),
                )
                return completion_of(answer, request)

        return await self._within(deadline, self._negotiated(request, send, streaming=False))

    async def stream(self, request: ChatRequest, deadline: float) -> AsyncGenerator[Piece, None]:
        """The answer as it is written. Closing the generator closes the connection. Raises LlmError."""

        async def send(dialect: Dialect) -> openai.AsyncStream[ChatCompletionChunk]:
            with translating(self._key):
                return await self._client.chat.completions.create(
                    model=request.model,
                    messages=_messages(request.messages),
                    stream=True,
                    extra_headers={STEP_HEADER: request.step},
                    extra_body=dialect.parameters(request.temperature, request.schema, streaming=True),
                )

        opening = self._negotiated(request, send, streaming=True)
        stream = await self._within(self._silence_ends(deadline), opening)
        try:
            reader = StreamReader(request)
            while (chunk := await self._next(stream, deadline, reader.begun)) is not None:
                if text := reader.read(chunk):
                    yield Piece(text)
            if rest := reader.finish():
                yield Piece(rest)
            yield Piece("", reader.usage)
        finally:
            await stream.close()

    async def close(self) -> None:
        await self._client.close()

    async def _negotiated(
        self, request: ChatRequest, send: Callable[[Dialect], Awaitable[Result]], streaming: bool
    ) -> Result:
        """Send with the richest dialect the server takes, and remember it once it was taken."""
        dialect = self._dialects.get(request.model, Dialect())
        while True:
            try:
                result = await send(dialect)
            except LlmRejected as refusal:
                modest = dialect.after(refusal, request.schema is not None, streaming)
                if modest is None:
                    raise
                dialect = modest
            else:
                self._dialects[request.model] = dialect
                return result

    async def _next(
        self, stream: openai.AsyncStream[ChatCompletionChunk], deadline: float, begun: bool
    ) -> ChatCompletionChunk | None:
        async def read() -> ChatCompletionChunk | None:
            with translating(self._key, begun):
                try:
                    return await stream.__anext__()
                except StopAsyncIteration:
                    return None

        return await self._within(self._silence_ends(deadline), read())

    def _silence_ends(self, deadline: float) -> float:
        return min(deadline, asyncio.get_running_loop().time() + self._silence_s)

    @staticmethod
    async def _within(deadline: float, work: Awaitable[Result]) -> Result:
        try:
            async with asyncio.timeout_at(deadline):
                return await work
        except TimeoutError as error:
            raise LlmTimeout("大模型没有在时限内回答") from error


def _messages(rendered: Rendered) -> list[ChatCompletionMessageParam]:
    user: list[ChatCompletionMessageParam] = [{"role": "user", "content": rendered.user}]
    if not rendered.system:
        return user
    return [{"role": "system", "content": rendered.system}, *user]
