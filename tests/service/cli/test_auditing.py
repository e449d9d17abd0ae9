"""`zhixing audit`: what was done, for a person and for a program."""

import json
from pathlib import Path

from typer.testing import CliRunner

from service.access import LOCAL
from service.cli.main import app
from service.store import audit
from service.store.database import Database


def run(home: Path, *arguments: str) -> str:
    done = CliRunner().invoke(app, ["audit", *arguments], env={"ZHIXING_HOME": str(home), "COLUMNS": "200"})
    assert done.exit_code == 0, done.output
    return done.stdout


def test_what_was_done_is_listed_with_the_latest_first(tmp_path: Path) -> None:
    assert json.loads(run(tmp_path, "--json")) == []
    database = Database(f"sqlite:///{tmp_path / 'zhixing.db'}")
    for number in range(3):
        with database.session() as session:
            audit.record(session, LOCAL, "document.delete", f"d{number}", {"revisions": number})
    database.close()
    lines = json.loads(run(tmp_path, "--json", "--limit", "2"))
    assert [line["subject"] for line in lines] == ["d2", "d1"]
    assert lines[0]["details"] == {"revisions": 2}
    shown = run(tmp_path)
    assert "document.delete" in shown and "revisions=2" in shown and "local" in shown
