"""A process that dies while the schema is brought up leaves it as it was: the next start goes on."""

from pathlib import Path

import pytest
from sqlalchemy import event, inspect

from service.store.database import Database


class Died(BaseException):
    """As a kill does, it passes every handler."""


@pytest.mark.parametrize("statement", [3, 8, 15, 25, 40])
def test_a_migration_that_breaks_off_leaves_nothing_by_half(tmp_path: Path, statement: int) -> None:
    url = f"sqlite:///{tmp_path / 'zhixing.db'}"
    dying, seen = Database(url), 0

    def die(*_: object) -> None:
        nonlocal seen
        seen += 1
        if seen == statement:
            raise Died

    event.listen(dying.engine, "before_cursor_execute", die)
    with pytest.raises(Died):
        dying.migrate()
    dying.close()
    again = Database(url)
    assert inspect(again.engine).get_table_names() == []
    again.migrate()
    whole = Database(f"sqlite:///{tmp_path / 'whole.db'}")
    whole.migrate()
    assert inspect(again.engine).get_table_names() == inspect(whole.engine).get_table_names()
    again.close()
    whole.close()
