"""`zhixing ingest --sample` writes to no place but its own, whatever the environment configures."""

import json
from pathlib import Path

import pytest
from pydantic import SecretStr
from typer.testing import CliRunner

from service.cli.main import app
from service.cli.sampling import apart
from service.config import Settings
from tests.ingestion.parsers.drawn_pdf import draw


def test_a_sample_touches_neither_the_database_nor_the_index_of_the_service(tmp_path: Path) -> None:
    folder, database = tmp_path / "files", tmp_path / "production.db"
    folder.mkdir()
    (folder / "雨伞.md").write_text("# 雨伞借用\n\n雨伞在前台借用，三天内归还。\n", encoding="utf-8")
    sealed = draw(lambda sheet: sheet.text(72, 100, "加密的内容。"), password="Hush-2024")
    (folder / "密件.pdf").write_bytes(sealed)
    environment = {
        "ZHIXING_HOME": str(tmp_path / "home"),
        "ZHIXING_DATABASE_URL": f"sqlite:///{database}",
        "ZHIXING_QDRANT_URL": "http://127.0.0.1:9",  # nobody listens: asking it would fail
        "ZHIXING_INGEST_WORKERS": "1",
    }
    arguments = ["ingest", str(folder), "--sample", "1", "--password", "Hush-2024", "--json"]
    done = CliRunner().invoke(app, arguments, env=environment)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    states = {name: [file["state"] for file in part["files"]] for name, part in found.items()}
    assert states == {"md": ["parsed"], "pdf": ["parsed"]}
    assert not database.exists() and not (tmp_path / "home").exists()


def test_a_sample_reads_with_the_settings_and_words_of_the_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZHIXING_QDRANT_URL", "http://qdrant:6333")
    own = tmp_path / "home" / "terms"
    own.mkdir(parents=True)
    real = Settings(
        home=tmp_path / "home", database_url=SecretStr("postgresql://db/zhixing"), parse_timeout_s=7
    )
    copy = apart(real, tmp_path / "sample")
    assert (copy.terms, copy.parse_timeout_s) == (own, 7)
    assert (copy.sql_url, copy.qdrant_url) == (f"sqlite:///{tmp_path / 'sample' / 'zhixing.db'}", None)
