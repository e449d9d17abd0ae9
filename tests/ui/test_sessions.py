"""Sessions of the console: new with each sign-in, over after a day's work, gone with their key."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.access import Role
from service.store.database import Database
from service.store.keys import KeyStore
from service.ui.sessions import LIFETIME_S, Sessions


@pytest.fixture
def keys(tmp_path: Path) -> Iterator[KeyStore]:
    database = Database(f"sqlite:///{tmp_path / 'keys.db'}")
    database.migrate()
    yield KeyStore(database)
    database.close()


def test_every_sign_in_gets_a_token_of_its_own(keys: KeyStore) -> None:
    _id, key = keys.create("甲", Role.ADMIN)
    sessions = Sessions(keys)
    one, other = sessions.open(key), sessions.open(key)
    assert one and other and one != other
    sessions.close(one)
    assert sessions.principal(one) is None
    found = sessions.principal(other)
    assert found is not None and found.name == "甲"


def test_an_unknown_key_or_token_is_nobody(keys: KeyStore) -> None:
    sessions = Sessions(keys)
    assert sessions.open("zx-unknown") is None
    assert sessions.principal("") is None


def test_a_session_ends_with_its_time(keys: KeyStore) -> None:
    _id, key = keys.create("甲", Role.ADMIN)
    now = [0.0]
    sessions = Sessions(keys, lambda: now[0])
    token = sessions.open(key)
    assert token is not None
    now[0] = LIFETIME_S - 1
    assert sessions.principal(token) is not None
    now[0] = LIFETIME_S
    assert sessions.principal(token) is None


def test_a_revoked_key_ends_its_sessions_at_once(keys: KeyStore) -> None:
    key_id, key = keys.create("甲", Role.ADMIN)
    sessions = Sessions(keys)
    token = sessions.open(key)
    assert token is not None
    keys.revoke(key_id)
    assert sessions.principal(token) is None
