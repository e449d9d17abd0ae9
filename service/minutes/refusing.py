"""Refusals of the archive: what was not said, and what was nearest, shown and not used."""

from service.citations import Reference, Refusal, RefusalReason
from service.minutes.answers import Quote
from service.minutes.choosing import nearest
from service.minutes.people import People
from service.minutes.searching import Found
from service.minutes.sought import Sought
from service.minutes.telling import refusal_message
from service.minutes.weighing import Vector

SAID = "meeting"  # status of what was said: no rule, and never out of force


def refuse(
    reason: RefusalReason, sought: Sought, found: Found, order: Vector, people: People, contact: str
) -> Refusal:
    """`nearest` has quotes with who said them, as an answer would have: they are on another matter."""
    close = nearest(found, order, sought, people) if len(order) else []
    return Refusal(
        reason=reason,
        message=refusal_message(reason, sought, contact),
        nearest=tuple(reference(quote) for quote in close),
        contact=contact,
    )


def reference(quote: Quote) -> Reference:
    """A quote as the list of sources shows it: the day and the speaker stand in the heading path. A quote's
    logit is no score of a search, so there is none.
    """
    return Reference(
        n=quote.n,
        document_id=quote.document_id,
        document_name=quote.meeting,
        revision_id=quote.revision_id,
        revision="",
        effective_from=None,
        effective_to=None,
        status=SAID,
        chunk_id=quote.chunk_id,
        heading_path=path_of(quote),
        snippet=quote.text,
        score=0.0,
    )


def path_of(quote: Quote) -> tuple[str, ...]:
    day = quote.day.isoformat() if quote.day else ""
    return tuple(part for part in (day, quote.topic, quote.speaker) if part)
