"""`zhixing eval cache`: which pairs of questions would share an answer, beside two plain ways to decide."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from pydantic import JsonValue

from ingestion.analyzer import fold, simplify
from ingestion.protocols import Embedder, Vectors
from service.evaluation.rows import PairRow
from service.sameness import Reader, same

_NEARNESS = 0.95  # the source's figure, as a way to decide by nearness alone
_AT_ONCE = 256


def evaluate_cache(
    pairs: Sequence[PairRow], reader: Reader, embedder: Embedder, similarity: float
) -> dict[str, JsonValue]:
    """DESIGN section 8's figures, by kind, and those of equal text and of nearness alone."""
    first, second = _vectors(embedder, [p.a for p in pairs]), _vectors(embedder, [p.b for p in pairs])
    nearness = np.sum(first * second, axis=1)
    ours = [
        same(reader.read(p.a), reader.read(p.b)) and float(near) >= similarity
        for p, near in zip(pairs, nearness, strict=True)
    ]
    report = _figures(pairs, ours)
    report["by_kind"] = _by_kind(pairs, ours)
    report["equal_text"] = _figures(pairs, [fold(p.a) == fold(p.b) for p in pairs])
    report["nearness_alone"] = _figures(pairs, [float(near) >= _NEARNESS for near in nearness])
    return report


def _vectors(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    plain = [simplify(text) for text in texts]
    rows = [embedder.embed_queries(plain[i : i + _AT_ONCE]) for i in range(0, len(plain), _AT_ONCE)]
    return np.concatenate([np.zeros((0, embedder.dimensions), dtype=np.float32), *rows])


def _figures(pairs: Sequence[PairRow], hits: Sequence[bool]) -> dict[str, JsonValue]:
    right = sum(hit for pair, hit in zip(pairs, hits, strict=True) if pair.label)
    wrong = sum(hit for pair, hit in zip(pairs, hits, strict=True) if not pair.label)
    alike = sum(bool(pair.label) for pair in pairs)
    return {
        "hits_same": round(right / alike, 4) if alike else None,
        "hits_different": round(wrong / (len(pairs) - alike), 4) if len(pairs) > alike else None,
        "precision": round(right / (right + wrong), 4) if right + wrong else None,
        "wrong": wrong,
        "pairs": len(pairs),
    }


def _by_kind(pairs: Sequence[PairRow], hits: Sequence[bool]) -> dict[str, JsonValue]:
    """Per kind and label the hits and the pairs."""
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for pair, hit in zip(pairs, hits, strict=True):
        count = counts[f"{pair.label} {pair.kind}".strip()]
        count[0] += hit
        count[1] += 1
    return {kind: f"{hit}/{total}" for kind, (hit, total) in sorted(counts.items())}
