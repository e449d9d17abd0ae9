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
    """What one model did since the start. `steps` begun, of which `failed` ended in an error of any kind;
    `calls` are those that were answered. What they cost is in each answer's `Usage`."""

    steps: int = 0
    failed: int = 0
    retries: int = 0
    repairs: int = 0
    calls: int = 0
