"""What goes to an endpoint and what comes back, in our own types; the SDK's end here, checked."""

from dataclasses import dataclass

from openai.types import CompletionUsage
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from service.llm.errors import LlmCutOff, LlmInvalidOutput, LlmUnavailable
from service.llm.outputs import JsonSchema
from service.llm.reasoning import ReasoningFilter
from service.llm.tokens import count_tokens
from service.llm.translation import connection_lost
from service.llm.usage import Usage
from service.prompts import Rendered


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One call: `step` travels as a header, so that a gateway (and a test) can tell the steps apart."""

    step: str
    model: str
    messages: Rendered
    temperature: float
    schema: JsonSchema | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    text: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a streamed answer; the last one has no text and the usage."""

    text: str
    usage: Usage | None = None


class StreamReader:
    """Puts the chunks of one stream together: visible text, reason for the end, usage."""

    def __init__(self, request: ChatRequest) -> None:
        self._request = request
        self._filter = ReasoningFilter()
        self._text: list[str] = []
        self._reported: CompletionUsage | None = None
        self._finish: str | None = None
        self._begun = False

    def read(self, chunk: ChatCompletionChunk) -> str:
        self._reported = chunk.usage or self._reported
        if not chunk.choices:
            return ""
        choice = chunk.choices[0]
        self._finish = choice.finish_reason or self._finish
        written = (choice.delta.content if choice.delta else None) or ""
        self._text.append(written)
        visible = self._filter.feed(written)
        self._begun = self._begun or bool(visible)
        return visible

    def finish(self) -> str:
        """The last visible text. Raises LlmCutOff when the answer did not come to its own end."""
        if self._finish is None:
            raise connection_lost(self.begun)
        _require_complete(self._finish)
        return self._filter.finish()

    @property
    def begun(self) -> bool:
        """Whether any of the answer has arrived; a model's visible reasoning is none of it."""
        return self._begun

    @property
    def usage(self) -> Usage:
        return _usage(self._reported, self._request, "".join(self._text))


def completion_of(answer: object, request: ChatRequest) -> Completion:
    """Check what the SDK does not: servers answer 200 with pages, empty choices and other surprises."""
    if not isinstance(answer, ChatCompletion) or not answer.choices or not answer.choices[0].message:
        raise LlmUnavailable("大模型服务的返回不是 OpenAI 协议")
    choice = answer.choices[0]
    if choice.message.refusal:
        raise LlmInvalidOutput("大模型拒绝回答", output=choice.message.refusal)
    _require_complete(choice.finish_reason)
    text = choice.message.content or ""
    return Completion(text, _usage(answer.usage, request, text))


def _require_complete(finish_reason: str | None) -> None:
    if finish_reason == "length":
        raise LlmCutOff("大模型的回答超过了长度上限，没有写完", reason="length")
    if finish_reason == "content_filter":
        raise LlmCutOff("大模型服务的内容过滤截断了回答", reason="content_filter")


def _usage(reported: CompletionUsage | None, request: ChatRequest, text: str) -> Usage:
    if reported is not None:
        return Usage(reported.prompt_tokens or 0, reported.completion_tokens or 0, calls=1)  # some send null
    return estimated_usage(request, text)


def estimated_usage(request: ChatRequest, text: str) -> Usage:
    """What a call cost, counted by us, when the server did not say."""
    prompt = count_tokens(request.messages.system) + count_tokens(request.messages.user)
    return Usage(prompt, count_tokens(text), calls=1, estimated=True)
