"""Alembic's entry: the engine comes from `Database`, or from the settings on alembic's own command."""

from typing import Any, Literal

from alembic import context
from sqlalchemy import Engine, create_engine

from service.config import Settings
from service.store.models import Base, Text, UtcDateTime


def _engine() -> Engine:
    engine = context.config.attributes.get("engine")
    return engine if isinstance(engine, Engine) else create_engine(Settings().sql_url)


def _render(kind: str, item: Any, _autogen: Any) -> str | Literal[False]:
    """Migrations stand alone: they name plain SQL types, never classes of the models."""
    if kind == "type" and isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    return "sa.Text()" if kind == "type" and isinstance(item, Text) else False


with _engine().connect() as connection:
    context.configure(
        connection=connection, target_metadata=Base.metadata, render_as_batch=True, render_item=_render
    )
    with context.begin_transaction():
        context.run_migrations()
    connection.commit()
