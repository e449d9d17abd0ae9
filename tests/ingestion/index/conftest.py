"""One opener per index adapter."""

import os
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ingestion.index.edge import EdgeIndex
from ingestion.index.schema import Index
from ingestion.index.server import ServerIndex, connect
from tests.ingestion.index.points import DIMENSIONS, EMBEDDING

SERVER_URL = os.environ.get("ZHIXING_TEST_QDRANT_URL", "")
SERVER_KEY = os.environ.get("ZHIXING_TEST_QDRANT_API_KEY")
ADAPTERS = ["edge", "local", *(["server"] if SERVER_URL else [])]


@contextmanager
def opener(adapter: str, folder: Path) -> Iterator[Callable[[], Index]]:
    """A function that opens the same index each time; what is still open at the end is closed."""
    collection = f"test-{uuid.uuid4().hex}"
    opened: list[Index] = []

    def open_one() -> Index:
        index: Index
        if adapter == "edge":
            index = EdgeIndex(folder, EMBEDDING, DIMENSIONS)
        else:
            client = connect(str(folder) if adapter == "local" else SERVER_URL, SERVER_KEY)
            index = ServerIndex(client, EMBEDDING, DIMENSIONS, collection=collection)
        opened.append(index)
        return index

    yield open_one
    for index in opened:
        index.close()
    if adapter == "server":
        connect(SERVER_URL, SERVER_KEY).delete_collection(collection)


@pytest.fixture(params=ADAPTERS)
def open_index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Index]]:
    with opener(request.param, tmp_path / "index") as open_one:
        yield open_one


@pytest.fixture(params=ADAPTERS, scope="module")
def shared_index(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    with opener(request.param, tmp_path_factory.mktemp("index") / "index") as open_one:
        yield open_one()


@pytest.fixture
def index(shared_index: Index) -> Index:
    """An open index without points. Creating one costs a second on a slow disk, so tests share it."""
    shared_index.delete_points(sorted(shared_index.ids()))
    return shared_index
