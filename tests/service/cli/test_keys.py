"""`zhixing keys` on a fresh machine."""

import json
import stat
from pathlib import Path

from typer.testing import CliRunner

from service.cli.main import app


def run(home: Path, *arguments: str) -> str:
    done = CliRunner().invoke(app, ["keys", *arguments], env={"ZHIXING_HOME": str(home)})
    assert done.exit_code == 0, done.output
    return done.stdout


def test_the_first_key_leaves_a_home_only_its_owner_can_enter(tmp_path: Path) -> None:
    run(tmp_path / "home", "create", "门户")
    assert stat.S_IMODE((tmp_path / "home").stat().st_mode) == 0o700


def test_a_revocation_can_be_read_by_a_program(tmp_path: Path) -> None:
    made = json.loads(run(tmp_path, "create", "门户", "--json"))
    assert json.loads(run(tmp_path, "revoke", made["id"], "--json")) == {"id": made["id"], "revoked": True}
    assert json.loads(run(tmp_path, "list", "--json"))[0]["revoked_at"] is not None
