"""One database for all tests here, emptied before each; on PostgreSQL too, where those of the store are."""

from collections.abc import Iterator

import pytest

from service.store.database import Database
from tests.service.process.kept import Kept, keeping, on
from tests.service.store.conftest import URLS


@pytest.fixture(scope="session", params=URLS)
def record(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    with keeping(tmp_path_factory.mktemp("record"), URLS[request.param]) as opened:
        yield opened


@pytest.fixture
def kept(record: Kept, tmp_path_factory: pytest.TempPathFactory) -> Kept:
    record.empty()
    database: Database = record.database
    return on(database, tmp_path_factory.mktemp("kept"))
