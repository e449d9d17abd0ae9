"""When the answer stands in a revision that is not in force on the asked day: which one, and why."""

from collections.abc import Iterable, Mapping
from datetime import date

from ingestion.documents import RevisionStatus
from service.citations import RefusalReason
from service.retrieval.protocols import Source
from service.retrieval.ranking import Ranked

# Shares of a quotation's character pairs. An unchanged sentence keeps nearly all of them, a sentence that was
# rewritten keeps under half, and a legal text shares about a third of its pairs with any other.
QUOTED_THERE = 0.8
QUOTED_HERE = 0.65
# How much better an outdated passage must fit than one in force that passes. Two revisions of one text differ
# by a few words and stay far below both; a text that has no counterpart in force exceeds both.
CLOSER = 1.25  # ratio of the order scores
COVERED = 0.15  # difference of the coverages


def outdated_answer(
    in_force: tuple[Ranked, ...], outdated: tuple[Ranked, ...], threshold: float
) -> Ranked | None:
    """The outdated passage the question is about, when no passage in force answers it as well.

    A question about a quoted provision or a numbered article is about that very text: a merely similar
    passage in force does not answer it. Any other question is answered from what is in force if that passes,
    unless the outdated passage is markedly closer to the question. What was withdrawn never held: it is not
    told of.
    """
    outdated = tuple(c for c in outdated if c.source.revision.status is not RevisionStatus.WITHDRAWN)
    best = max(outdated, key=_closeness, default=None)
    if best is None:
        return None
    if best.signals.quoted >= QUOTED_THERE:
        here = max((c.signals.quoted for c in in_force), default=0.0)
        return best if here < QUOTED_HERE else None
    if best.signals.named:
        return None if any(c.signals.named for c in in_force) else best
    top = outdated[0]
    if top.confidence < threshold:
        return None
    if in_force and in_force[0].confidence >= threshold:
        return top if _markedly_closer(top, in_force[0]) else None
    return top


def _markedly_closer(old: Ranked, new: Ranked) -> bool:
    """The outdated text has what is asked for, the one in force is merely about the same matter."""
    covered = old.signals.coverage - new.signals.coverage
    return old.order >= CLOSER * new.order and covered >= COVERED and old.confidence >= new.confidence


def _closeness(candidate: Ranked) -> tuple[float, float, float]:
    signals = candidate.signals
    return signals.quoted, signals.exact * signals.title, candidate.order


def reason_of(source: Source, live: Mapping[str, Source], day: date) -> RefusalReason:
    """Archived by a person, not yet in force, replaced by a later revision of its document, or repealed.

    An archived revision is that, whatever its dates: they say when it was meant to hold, not how it ended.
    """
    revision = source.revision
    if revision.status is RevisionStatus.ARCHIVED:
        return RefusalReason.ARCHIVED
    if revision.effective_from is not None and revision.effective_from > day:
        return RefusalReason.NOT_YET_IN_FORCE
    if _replaced(source, live.values(), day) or revision.status is RevisionStatus.SUPERSEDED:
        return RefusalReason.ONLY_SUPERSEDED
    return RefusalReason.REPEALED


def _replaced(source: Source, live: Iterable[Source], day: date) -> bool:
    return any(
        other.document.id == source.document.id
        and other.revision.id != source.revision.id
        and other.revision.in_force(day)
        for other in live
    )
