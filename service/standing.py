"""How a revision stands on a day, in the words a reader is shown. Dates decide; the status alone does not."""

from datetime import date
from enum import StrEnum

from ingestion.documents import NEVER_IN_FORCE, Revision


class Standing(StrEnum):
    """Every revision is exactly one of these on a given day."""

    IN_FORCE = "in_force"
    FUTURE = "future"  # its first day is still to come
    ENDED = "ended"  # replaced by a later revision, or its term is over
    WITHDRAWN = "withdrawn"
    ARCHIVED = "archived"
    DRAFT = "draft"


def standing_of(revision: Revision, day: date) -> Standing:
    """A revision whose successor waits for its first day is superseded by status and still in force."""
    if revision.status in NEVER_IN_FORCE:
        return Standing(revision.status.value)
    if revision.in_force(day):
        return Standing.IN_FORCE
    if revision.effective_to is not None and revision.effective_to <= day:
        return Standing.ENDED
    return Standing.FUTURE
