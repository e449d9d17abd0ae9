"""One opener per index adapter."""

import os
import shutil
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from ingestion.index.edge import EdgeIndex
from ingestion.index.schema import Index
from ingestion.index.server import ServerIndex, connect
from tests.ingestion.index.points import DIMENSIONS, EMBEDDING

SERVER_URL = os.environ.get("ZHIXING_TEST_QDRANT_URL", "")
SERVER_KEY = os.environ.get("ZHIXING_TEST_QDRANT_API_KEY")
ADAPTERS = ["edge", "local", *(["server"] if SERVER_URL else [])]


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A folder in memory where there is room: one shard has 180 files, each synced many times over."""
    memory = Path("/dev/shm")
    roomy = memory.is_dir() and shutil.disk_usage(memory).free > 1_000_000_000
    with TemporaryDirectory(prefix="zhixing-index-", dir=memory if roomy else None) as name:
        yield Path(name)


@pytest.fixture
def folder() -> Iterator[Path]:
    """Where an index may be created."""
    with quick_folder() as path:
        yield path / "index"


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
def open_index(request: pytest.FixtureRequest, folder: Path) -> Iterator[Callable[[], Index]]:
    with opener(request.param, folder) as open_one:
        yield open_one


@pytest.fixture(params=ADAPTERS, scope="module")
def shared_index(request: pytest.FixtureRequest) -> Iterator[Index]:
    with quick_folder() as path, opener(request.param, path / "index") as open_one:
        yield open_one()


@pytest.fixture
def index(shared_index: Index) -> Index:
    """An open index without points. Creating one costs a second on a slow disk, so tests share it."""
    shared_index.delete_points(sorted(shared_index.ids()))
    return shared_index
