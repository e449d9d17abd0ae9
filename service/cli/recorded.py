"""The record of this home as commands read it that need no running service."""

from collections.abc import Iterator
from contextlib import contextmanager

from service.config import Settings
from service.home import make_private
from service.store.database import Database


@contextmanager
def record() -> Iterator[Database]:
    """The database, at its newest schema. Raises Unavailable."""
    settings = Settings()
    make_private(settings.home)
    database = Database(settings.sql_url)
    try:
        database.migrate()
        yield database
    finally:
        database.close()
