"""Answers kept to be given again: one row for a question within a scope."""

from collections.abc import Mapping
from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5

import numpy as np
from pydantic import JsonValue
from sqlalchemy import delete, func, select, update

from ingestion.protocols import Vectors
from service.store.database import Database
from service.store.models import CachedAnswerRow, now
from service.store.upserts import upsert

MOST = 20_000  # answers kept; beyond, the oldest go


@dataclass(frozen=True, slots=True)
class Kept:
    """One cached answer; `vector` is the question's."""

    id: str
    question: str
    vector: Vectors
    answer: Mapping[str, JsonValue]


class AnswerStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    def of_scope(self, scope: str) -> list[Kept]:
        with self._database.session() as session:
            rows = session.scalars(select(CachedAnswerRow).where(CachedAnswerRow.scope == scope))
            return [_kept(row) for row in rows]

    def keep(
        self, scope: str, index_version: int, question: str, vector: Vectors, answer: Mapping[str, JsonValue]
    ) -> Kept:
        """Store an answer, and drop those of older versions of the index: what they cite may have changed."""
        key = str(uuid5(NAMESPACE_URL, f"{scope}\n{question}"))
        row = {
            "id": key,
            "scope": scope,
            "index_version": index_version,
            "question": question,
            "vector": np.asarray(vector, dtype=np.float32).tobytes(),
            "answer": dict(answer),
            "hits": 0,
            "created_at": now(),
        }
        with self._database.session() as session:
            session.execute(delete(CachedAnswerRow).where(CachedAnswerRow.index_version < index_version))
            upsert(session, CachedAnswerRow, [row])
            surplus = (
                select(CachedAnswerRow.id)
                .order_by(CachedAnswerRow.created_at.desc(), CachedAnswerRow.id)
                .offset(MOST)
            )
            session.execute(delete(CachedAnswerRow).where(CachedAnswerRow.id.in_(surplus)))
        return Kept(key, question, np.asarray(vector, dtype=np.float32), answer)

    def used(self, key: str) -> bool:
        """Count a use; false when the answer is gone, and must not be given."""
        statement = (
            update(CachedAnswerRow)
            .where(CachedAnswerRow.id == key)
            .values(hits=CachedAnswerRow.hits + 1)
            .returning(CachedAnswerRow.id)
        )
        with self._database.session() as session:
            return session.scalar(statement) is not None

    def forget(self, key: str) -> None:
        with self._database.session() as session:
            session.execute(delete(CachedAnswerRow).where(CachedAnswerRow.id == key))

    def count(self) -> int:
        with self._database.session() as session:
            return session.scalar(select(func.count()).select_from(CachedAnswerRow)) or 0

    def clear(self) -> int:
        """Drop every answer; returns how many there were."""
        with self._database.session() as session:
            return len(session.scalars(delete(CachedAnswerRow).returning(CachedAnswerRow.id)).all())


def _kept(row: CachedAnswerRow) -> Kept:
    return Kept(row.id, row.question, np.frombuffer(row.vector, dtype=np.float32), row.answer)
