"""Keys are shown once and can be revoked; the audit log keeps who did what."""

from datetime import timedelta

import pytest
from sqlalchemy import select, text

from service.access import Principal, Role
from service.errors import NotFound
from service.store import audit
from service.store.database import Database
from service.store.keys import KeyStore
from service.store.models import ApiKeyRow, now


def test_a_key_names_its_holder_until_it_is_revoked(database: Database) -> None:
    keys = KeyStore(database)
    key_id, key = keys.create("财务机器人", Role.CONTRIBUTOR, "总部/财务部", ("hr",))
    holder = keys.principal(key)
    assert holder == Principal(f"key:{key_id}", "财务机器人", "总部/财务部", ("hr",), Role.CONTRIBUTOR)
    keys.revoke(key_id)
    keys.revoke(key_id)
    assert keys.principal(key) is None
    (listed,) = keys.list()
    assert listed.revoked_at is not None


def test_a_key_is_not_stored(database: Database) -> None:
    _key_id, key = KeyStore(database).create("甲", Role.READER)
    with database.session() as session:
        row = session.execute(select(*ApiKeyRow.__table__.c)).one()
    assert key not in str(row)
    assert len(key) >= 43 + len("zx-")


@pytest.mark.parametrize("wrong", ["", "zx-", "zx-wrong"])
def test_a_wrong_key_is_nobody(database: Database, wrong: str) -> None:
    KeyStore(database).create("甲", Role.READER)
    assert KeyStore(database).principal(wrong) is None


def test_an_unknown_key_cannot_be_revoked(database: Database) -> None:
    with pytest.raises(NotFound):
        KeyStore(database).revoke("absent")


def test_the_audit_log_goes_with_its_transaction(database: Database) -> None:
    start = now() - timedelta(seconds=1)
    with pytest.raises(ZeroDivisionError), database.session() as session:
        audit.record(session, Principal("anna"), "document.publish", "d")
        raise ZeroDivisionError
    with database.session() as session:
        audit.record(session, Principal("anna"), "document.delete", "d", {"revisions": 2})
    with database.session() as session:
        (line,) = audit.since(session, start)
        assert (line.principal_id, line.action, line.subject, line.details) == (
            "anna",
            "document.delete",
            "d",
            {"revisions": 2},
        )
        assert line.at.tzinfo is not None
        assert audit.since(session, now() + timedelta(seconds=5)) == []


def test_times_without_a_zone_are_refused(database: Database) -> None:
    with database.session() as session:
        assert session.scalar(text("SELECT 1")) == 1
    with pytest.raises(Exception, match="naive"), database.session() as session:
        audit.since(session, now().replace(tzinfo=None))
