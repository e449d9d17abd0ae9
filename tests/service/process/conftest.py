"""One database for all tests here, emptied before each."""

from collections.abc import Iterator

import pytest

from service.store.database import Database
from tests.service.process.kept import Kept, keeping, on


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    with keeping(tmp_path_factory.mktemp("record")) as opened:
        yield opened


@pytest.fixture
def kept(record: Kept, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    record.empty()
    database: Database = record.database
    return on(database, tmp_path_factory.mktemp("kept"))
