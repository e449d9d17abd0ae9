"""Answers given before, given again: what is kept of one, and the events it is told in."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from pydantic import BaseModel, JsonValue

from ingestion.index.schema import Filter
from service.access import Principal
from service.cache import AnswerCache, Conditions
from service.store.catalogue import Snapshot


class GivenAnswer(BaseModel):
    """An answer as its events told it; `references` and `citations` are their data."""

    text: str
    engine: str
    references: list[JsonValue]
    citations: list[dict[str, JsonValue]]


class Reuse:
    """The answer cache as this path uses it; `snapshot` tells what is published now."""

    def __init__(self, cache: AnswerCache, snapshot: Callable[[], Snapshot]) -> None:
        self._cache = cache
        self._snapshot = snapshot
        self._labels: tuple[Snapshot, frozenset[str]] | None = None

    def conditions(self, principal: Principal, day: date | None, filters: Filter, engine: str) -> Conditions:
        """To be taken before anything is retrieved: what is published later makes another version.

        Readers share answers when they may read the same labels of those that any document carries.
        """
        snapshot = self._snapshot()
        mine, labels = principal.scopes(), self._labels_of(snapshot)
        return Conditions(
            index_version=snapshot.version,
            readable=tuple(sorted(labels if mine is None else labels.intersection(mine))),
            day=day or date.today(),
            day_is_named=day is not None,
            filters=filters,
            engine=engine,
        )

    def find(self, conditions: Conditions, question: str) -> GivenAnswer | None:
        found = self._cache.find(conditions, question)
        return None if found is None else GivenAnswer.model_validate(found)

    def keep(
        self,
        conditions: Conditions,
        question: str,
        *,
        text: str,
        engine: str,
        references: Sequence[JsonValue],
        citations: Sequence[Mapping[str, JsonValue]],
    ) -> None:
        given = GivenAnswer(
            text=text, engine=engine, references=list(references), citations=[dict(c) for c in citations]
        )
        self._cache.keep(conditions, question, given.model_dump(mode="json"))

    def _labels_of(self, snapshot: Snapshot) -> frozenset[str]:
        known = self._labels
        if known is None or known[0] is not snapshot:
            every = (facts.document.labels for facts in snapshot.revisions.values())
            known = snapshot, frozenset(label for labels in every for label in labels)
            self._labels = known
        return known[1]
