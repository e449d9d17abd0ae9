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
    if connection.dialect.name == "sqlite":  # its driver begins none before a change of the schema
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
