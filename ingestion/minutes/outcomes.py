"""Decisions 决定 and action items 待办 of a meeting, without a model."""

from ingestion.minutes.outcome import Outcome, OutcomeKind

__all__ = ["Outcome", "OutcomeKind"]
