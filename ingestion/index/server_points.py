"""Our schema in the words of qdrant-client: points, filters and what comes back."""

import numpy as np
from qdrant_client import models

from ingestion.errors import IndexUnavailable
from ingestion.index import layout
from ingestion.index.schema import Hit, Point, SparseVector
from ingestion.protocols import Vectors


def stored_point(point: Point) -> models.PointStruct:
    return models.PointStruct(
        id=point.id,
        vector={layout.DENSE: point.dense.tolist(), layout.KEYWORD: sparse(point.keyword)},
        payload=layout.stored_point(point),
    )


def sparse(vector: SparseVector) -> models.SparseVector:
    return models.SparseVector(indices=list(vector.indices), values=list(vector.values))


def _condition(condition: layout.Condition) -> models.FieldCondition:
    match condition:
        case layout.AnyOf(field, values):
            return models.FieldCondition(key=field, match=models.MatchAny(any=list(values)))
        case layout.Within(field, at_least, at_most):
            return models.FieldCondition(key=field, range=models.Range(gte=at_least, lte=at_most))


def filter_of(conditions: tuple[layout.Condition, ...]) -> models.Filter:
    return models.Filter(must=[_condition(condition) for condition in conditions])


def of_revision(revision_id: str) -> models.Filter:
    condition = models.FieldCondition(key="revision_id", match=models.MatchValue(value=revision_id))
    return models.Filter(must=[condition])


def hit(point: models.ScoredPoint) -> Hit:
    payload = point.payload or {}
    return Hit(str(point.id), point.score, str(payload["revision_id"]), str(payload["document_id"]))


def dense_vector(record: models.Record) -> Vectors:
    if not isinstance(record.vector, dict):
        raise IndexUnavailable(f"索引中的点 {record.id} 缺少向量，请运行 zhixing rebuild 重建索引。")
    return np.asarray(record.vector[layout.DENSE], dtype=np.float32)
