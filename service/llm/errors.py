"""Why a model step has no result. Each is a reason for the offline engine to take over.

    LlmError
    ├── LlmNotConfigured    no model name is set
    ├── LlmUnavailable      the endpoint is down or answers nonsense; `retry_after` seconds when it says so
    │   ├── LlmTimeout      it did not answer in time
    │   ├── LlmRateLimited  429
    │   └── LlmOpenCircuit  it failed so often that it is left alone for a while
    ├── LlmRejected         it refuses this request: key, model name, size or content
    ├── LlmInvalidOutput    it answered twice with something else than the step's type
    └── LlmCutOff           the answer ends before its end

A prompt that does not fit its variables is our own mistake and no LlmError: `service.prompts.PromptError`.
"""

from typing import ClassVar

from service.errors import ZhixingError


class LlmError(ZhixingError):
    """`retryable`: whether the same request may well succeed a moment later."""

    code = "llm_failed"
    status = 502
    retryable: ClassVar[bool] = False


class LlmNotConfigured(LlmError):
    code = "llm_not_configured"
    status = 503


class LlmUnavailable(LlmError):
    code = "llm_unavailable"
    status = 503
    retryable = True

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class LlmTimeout(LlmUnavailable):
    """Not retried: whoever waits has waited long enough, and a slow server is not helped by a second call."""

    code = "llm_timeout"
    retryable = False


class LlmRateLimited(LlmUnavailable):
    code = "llm_rate_limited"


class LlmOpenCircuit(LlmUnavailable):
    code = "llm_open_circuit"
    retryable = False


class LlmRejected(LlmError):
    """`http_status` and `reason` are the endpoint's own, the key masked."""

    code = "llm_rejected"

    def __init__(self, message: str, *, http_status: int = 0, reason: str = "") -> None:
        super().__init__(message)
        self.http_status = http_status
        self.reason = reason

    @property
    def misconfigured(self) -> bool:
        """The key or the model name is wrong, so every further call would be refused as well."""
        return self.http_status in {401, 403, 404}


class LlmInvalidOutput(LlmError):
    """`output` is the model's last answer: office text, for the caller and not for logs."""

    code = "llm_invalid_output"

    def __init__(self, message: str, *, output: str = "") -> None:
        super().__init__(message)
        self.output = output


class LlmCutOff(LlmError):
    """`reason`: `length` (token limit), `content_filter`, or `connection`."""

    code = "llm_cut_off"

    def __init__(self, message: str, *, reason: str = "connection") -> None:
        super().__init__(message)
        self.reason = reason
