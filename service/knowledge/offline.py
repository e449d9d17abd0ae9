"""A question without a model, step by step: which day, whether it may be answered, which sentences answer.

`ask` emits what these steps give; the evaluation of answers runs the very same ones, so that it measures what
users get.
"""

from datetime import date

from service.citations import Refusal, RefusalReason
from service.knowledge.extractive import Extract, compose
from service.knowledge.refusing import refuse, unsettled
from service.knowledge.understanding import asked_day
from service.retrieval.results import Retrieval


def day_asked(question: str, as_of: date | None, today: date) -> date | None:
    """The day whose rules are wanted: `as_of` where the caller gives it, else one the words name.

    None for today's rules, without saying so.
    """
    if as_of is not None:
        return as_of
    named = asked_day(question, today)
    return named.day if named else None


def unanswerable(question: str, found: Retrieval, contact: str) -> Refusal | None:
    """Why no engine may answer from what was found: there is no evidence, or it does not decide."""
    if found.reason is not None:
        return refuse(found, found.reason, contact)
    return unsettled(question, found, contact)


def extract(question: str, found: Retrieval, contact: str) -> Extract | Refusal:
    """The sentences of the evidence that answer, or that none of them does."""
    composed = compose(question, found.evidence, found.tokens)
    return composed if composed.quotes else refuse(found, RefusalReason.BELOW_THRESHOLD, contact)


def answer(question: str, found: Retrieval, contact: str = "") -> Extract | Refusal:
    """What a user is told without a model."""
    return unanswerable(question, found, contact) or extract(question, found, contact)
