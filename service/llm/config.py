"""What the LLM client needs to know; `service.config` maps the application's settings onto it."""

from dataclasses import dataclass

from pydantic import SecretStr

from service.prompts import ModelSize

OPENAI_BASE_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class LlmConfig:
    """An LLM is configured by its model name and by nothing else: a key alone sends no text anywhere.

    Times are seconds. `timeout_s` bounds one whole step, its retries and its repair included;
    `first_token_timeout_s` bounds every silence of a stream, the first one above all. `retries` counts the
    tries after the first; between them the wait doubles from `backoff_s` up to `backoff_limit_s`.
    `breaker_failures` failures in a row stop all calls to that model for `breaker_reset_s`.
    """

    model: str | None = None
    small_model: str | None = None
    base_url: str | None = None
    api_key: SecretStr | None = None
    timeout_s: float = 60.0
    first_token_timeout_s: float = 15.0
    retries: int = 2
    backoff_s: float = 0.5
    backoff_limit_s: float = 8.0
    breaker_failures: int = 5
    breaker_reset_s: float = 30.0

    @property
    def configured(self) -> bool:
        return bool(self.model)

    def model_for(self, size: ModelSize) -> str:
        """The model's name, "" when none is set. Without a small model the strong one does its work."""
        strong = self.model or ""
        return (self.small_model or strong) if strong and size is ModelSize.SMALL else strong
