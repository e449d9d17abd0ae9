"""Insert, or take over what is there: one statement, so that two writers never collide on a key."""

from collections.abc import Mapping, Sequence
from typing import cast

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from service.store.models import Base


def upsert(
    session: Session, model: type[Base], rows: Sequence[Mapping[str, object]], *, adding: str | None = None
) -> None:
    """`rows` have the same columns and distinct primary keys.

    Where the key exists the other columns are replaced; with `adding`, that column is summed up instead.
    Column defaults apply to new rows only.
    """
    if not rows:
        return
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    table = cast(Table, model.__table__)
    keys = [column.name for column in table.primary_key]
    insert = dialect.insert(table)
    offered = insert.excluded
    if adding is not None:
        change = {adding: table.c[adding] + offered[adding]}
    else:
        change = {name: offered[name] for name in rows[0] if name not in keys}
    # One compiled statement run over all rows: building one with thousands of values costs far more.
    statement = insert.on_conflict_do_update(index_elements=keys, set_=change)
    session.connection().execute(statement, [dict(row) for row in rows])
