"""Tokens of one answer, and the running totals of each model that telemetry reads."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one step, all its calls together. `estimated`: the server told none, we counted."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    calls: int = 0
    estimated: bool = False

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.calls + other.calls,
            self.estimated or other.estimated,
        )


@dataclass(slots=True)
class ModelCounters:
    """What one model did since the start. `steps` begun, of which `failed` ended in an error of any kind."""

    steps: int = 0
    failed: int = 0
    retries: int = 0
    repairs: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def add(self, usage: Usage) -> None:
        self.calls += usage.calls
        self.prompt_tokens += usage.prompt_tokens
        self.completion_tokens += usage.completion_tokens
