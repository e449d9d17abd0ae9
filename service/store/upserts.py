"""Insert, or take over what is there: one statement, so that two writers never collide on a key."""

from collections.abc import Mapping, Sequence

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from service.store.models import Base

_PARAMETERS = 900  # a statement; the smallest limit of any SQLite is 999


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
    keys = [column.name for column in model.__table__.primary_key]
    size = _PARAMETERS // len(rows[0])
    for start in range(0, len(rows), size):
        insert = dialect.insert(model).values(list(rows[start : start + size]))
        offered = insert.excluded
        if adding is not None:
            change = {adding: model.__table__.c[adding] + offered[adding]}
        else:
            change = {name: offered[name] for name in rows[0] if name not in keys}
        session.execute(insert.on_conflict_do_update(index_elements=keys, set_=change))
