"""The connector that the settings name."""

from pathlib import Path

import pytest
from pydantic import SecretStr, ValidationError

from service.config import Settings
from service.process.status.errors import StatusMisconfigured
from service.process.status.file_connector import FileConnector
from service.process.status.http_connector import HttpConnector
from service.process.status.source import build_connector, load_words
from service.process.status.sql_connector import SqlConnector
from tests.service.process.status.status_parts import DATA, WORDS, written

FEISHU = DATA / "examples" / "feishu.toml"
SECRETS = {"app_id": SecretStr("cli_1"), "app_secret": SecretStr("hunter2")}


def test_unset_source_is_no_connector() -> None:
    assert build_connector(None, None, {}, WORDS) is None


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (f"file:{DATA / 'applications.csv'}", FileConnector),
        ("sql:sqlite://", SqlConnector),
        (f"http:{FEISHU}", HttpConnector),
    ],
)
def test_each_form_of_the_setting(source: str, kind: type) -> None:
    connector = build_connector(source, None, SECRETS, WORDS)
    assert isinstance(connector, kind)
    connector.close()


@pytest.mark.parametrize(
    "source", ["", "file:", "csv:x", "http://oa.example/hunter2", "https://oa.example", "x"]
)
def test_any_other_form_is_refused_without_repeating_it(source: str) -> None:
    with pytest.raises(StatusMisconfigured, match="file:路径") as refusal:
        build_connector(source, None, {}, WORDS)
    assert "hunter2" not in refusal.value.message


@pytest.mark.parametrize("url", ["nonsense", "nosuch://user:hunter2@host/db"])
def test_database_address_that_is_none_is_refused_without_its_password(url: str) -> None:
    with pytest.raises(StatusMisconfigured, match="数据库地址") as refusal:
        build_connector(f"sql:{url}", None, {}, WORDS)
    assert "hunter2" not in refusal.value.message


def test_missing_secret_is_named() -> None:
    with pytest.raises(StatusMisconfigured, match="app_secret") as refusal:
        build_connector(f"http:{FEISHU}", None, {"app_id": SecretStr("hunter2")}, WORDS)
    assert "hunter2" not in refusal.value.message


def test_words_that_are_no_status_of_ours_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "words.toml", '[statuses]\n"审批中" = "busy"\n[outcomes]\n')
    with pytest.raises(StatusMisconfigured, match="statuses.审批中"):
        load_words(path)


def test_secrets_of_the_settings_are_json_and_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZHIXING_STATUS_SECRETS", '{"app_secret": "hunter2"}')
    settings = Settings(_env_file=None)
    assert settings.status_secrets == {"app_secret": SecretStr("hunter2")}
    assert "hunter2" not in repr(settings)


@pytest.mark.parametrize("text", ["app_secret=hunter2", '["hunter2"]', '{"a": ["hunter2"]}'])
def test_faulty_secrets_are_refused_and_not_repeated(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZHIXING_STATUS_SECRETS", text)
    with pytest.raises(ValidationError, match="status_secrets") as refusal:
        Settings(_env_file=None)
    assert "hunter2" not in str(refusal.value)
