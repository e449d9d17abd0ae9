"""What a failure leaves behind in the embedded index: nothing that grows, nothing that stays held."""

from pathlib import Path

import pytest

from ingestion.errors import IndexUnavailable
from ingestion.index import edge as edge_module
from ingestion.index import edge_shard
from ingestion.index.edge import EdgeIndex
from tests.ingestion.index.points import DIMENSIONS, EMBEDDING, point, point_id


def test_writes_after_a_failed_optimisation_are_not_kept_for_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bool:
        raise IndexUnavailable("索引优化失败")

    index = EdgeIndex(folder, EMBEDDING, DIMENSIONS)
    try:
        monkeypatch.setattr(edge_module, "optimise_apart", fail)
        with pytest.raises(IndexUnavailable, match="优化失败"):
            index.optimise()
        index.upsert([point("a")])
        assert index._journal is None
        monkeypatch.undo()
        index.optimise()
        assert index.ids() == {point_id("a")}
    finally:
        index.close()


def test_an_index_whose_last_flush_fails_is_given_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise IndexUnavailable("磁盘已满")

    index = EdgeIndex(folder, EMBEDDING, DIMENSIONS)
    index.upsert([point("a")])
    monkeypatch.setattr(edge_shard, "flush", fail)
    with pytest.raises(IndexUnavailable, match="磁盘已满"):
        index.close()
    monkeypatch.undo()
    with pytest.raises(IndexUnavailable, match="已关闭"):
        index.ids()
    again = EdgeIndex(folder, EMBEDDING, DIMENSIONS)
    assert again.ids() == {point_id("a")}
    again.close()
