"""Alembic's entry: run by `Database`, which gives the engine."""

from typing import Any, Literal

from alembic import context

from service.store import process_models  # noqa: F401  (its tables join the others' metadata)
from service.store.models import Base, Text, UtcDateTime


def _render(kind: str, item: Any, _autogen: Any) -> str | Literal[False]:
    """Migrations stand alone: they name plain SQL types, never classes of the models."""
    if kind == "type" and isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    return "sa.Text()" if kind == "type" and isinstance(item, Text) else False


with context.config.attributes["engine"].connect() as connection:
    context.configure(
        connection=connection, target_metadata=Base.metadata, render_as_batch=True, render_item=_render
    )
    sqlite = connection.dialect.name == "sqlite"
    if sqlite:
        # A table that loses a column is made anew; to drop the former one would delete all that refers to it.
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")  # has no effect once a transaction has begun
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # its driver begins none before a change of the schema
    try:
        with context.begin_transaction():
            context.run_migrations()
        connection.commit()
    finally:
        if sqlite:
            connection.rollback()  # of what failed; nothing is left of it otherwise
            connection.exec_driver_sql("PRAGMA foreign_keys=ON")
