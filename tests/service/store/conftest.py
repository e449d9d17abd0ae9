"""One library and one database for all tests here, emptied before each: an index takes a while to create.

With ZHIXING_TEST_POSTGRES_URL (an empty database of its own) all of them run on PostgreSQL as well.
"""

import os
from collections.abc import Iterator

import pytest

from service.store.database import Database
from tests.service.store.library_parts import LibraryParts, quick_folder

POSTGRES_URL = os.environ.get("ZHIXING_TEST_POSTGRES_URL", "")
URLS = {"sqlite": ""} | ({"postgres": POSTGRES_URL} if POSTGRES_URL else {})


@pytest.fixture(scope="session", params=URLS)
def shared_parts(request: pytest.FixtureRequest) -> Iterator[LibraryParts]:
    with quick_folder() as folder:
        opened = LibraryParts(folder, url=URLS[request.param])
        yield opened
        opened.close()


@pytest.fixture
def parts(shared_parts: LibraryParts) -> LibraryParts:
    shared_parts.empty()
    return shared_parts


@pytest.fixture
def database(parts: LibraryParts) -> Database:
    return parts.database
