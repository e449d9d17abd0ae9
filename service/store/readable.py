"""Which rows a principal may read, as a condition of the query: counted and cut where the rows are.

Labels are JSON, and few sets of them occur however many rows there are. The sets are read, the readable ones
kept, and the rows held against these. Works the same on SQLite and PostgreSQL.
"""

import json
from typing import Any

from sqlalchemy import Select, SQLColumnExpression, Text, cast
from sqlalchemy.orm import Session

from service.access import Principal


def narrowed(
    session: Session, principal: Principal, statement: Select[str], labels: SQLColumnExpression[list[Any]]
) -> Select[str]:
    """`statement` without the rows whose `labels` the principal may not read."""
    if principal.scopes() is None:
        return statement
    written = cast(labels, Text)
    sets = session.scalars(statement.with_only_columns(written).distinct())
    readable = [labels_of for labels_of in sets if principal.may_read(tuple(json.loads(labels_of)))]
    return statement.where(written.in_(readable))
