"""What the environment may say, and what is refused."""

import os
from pathlib import Path

import pytest
from pydantic import ValidationError

from service.config import Settings


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith(("ZHIXING_", "OPENAI_")):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


def test_a_stray_openai_key_is_not_used_without_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-stray")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    assert (Settings().llm_api_key, Settings().llm_base_url) == (None, None)


def test_with_a_model_the_openai_variables_count_unless_ours_are_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-theirs")
    monkeypatch.setenv("ZHIXING_LLM_MODEL", "m")
    found = Settings().llm_api_key
    assert found is not None and found.get_secret_value() == "sk-theirs"
    monkeypatch.setenv("ZHIXING_LLM_API_KEY", "sk-ours")
    found = Settings().llm_api_key
    assert found is not None and found.get_secret_value() == "sk-ours"


def test_weights_that_leave_nothing_to_order_by_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for leg in ("KEYWORD", "VECTOR"):
        monkeypatch.setenv(f"ZHIXING_{leg}_WEIGHT", "0")
    with pytest.raises(ValidationError, match="不能都是 0"):
        Settings()


@pytest.mark.parametrize(
    ("given", "weights"), [({}, None), ({"KEYWORD": "0"}, (0.0, 1.0)), ({"VECTOR": "1"}, (0.0, 1.0))]
)
def test_a_weight_left_out_is_the_rest(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], weights: tuple[float, float] | None
) -> None:
    for leg, weight in given.items():
        monkeypatch.setenv(f"ZHIXING_{leg}_WEIGHT", weight)
    assert Settings().weights == weights


def test_an_empty_variable_is_an_unset_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QDRANT_URL", "LLM_MODEL", "DATABASE_URL", "PORT"):
        monkeypatch.setenv(f"ZHIXING_{name}", "")
    settings = Settings()
    assert (settings.qdrant_url, settings.llm_model, settings.port) == (None, None, 8000)
    assert settings.sql_url.startswith("sqlite:///")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.4", "zhixing.example"])
def test_an_open_door_without_authentication_is_refused_with_both_ways_out(host: str) -> None:
    with pytest.raises(ValidationError, match="ZHIXING_AUTH=keys") as raised:
        Settings(host=host)
    assert "ZHIXING_HOST=127.0.0.1" in str(raised.value)
    assert Settings(host=host, auth="keys").host == host


def test_an_error_of_one_setting_does_not_print_the_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZHIXING_LLM_API_KEY", "sk-very-secret")
    with pytest.raises(ValidationError) as raised:
        Settings(host="0.0.0.0")
    assert "sk-very-secret" not in str(raised.value)


def test_paths_of_home_are_expanded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ZHIXING_HOME", "~/zx")
    settings = Settings()
    assert settings.home == tmp_path / "zx"
    assert settings.originals == tmp_path / "zx" / "originals"


def test_levels_of_logging_are_checked_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZHIXING_LOG_LEVEL", "debug")
    assert Settings().log_level == "DEBUG"
    monkeypatch.setenv("ZHIXING_LOG_LEVEL", "LOUD")
    with pytest.raises(ValidationError):
        Settings()


def test_the_administrators_terms_come_before_ours(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    assert (settings.terms / "suggestions.txt").parent.is_dir()
    (tmp_path / "terms").mkdir()
    assert settings.terms == tmp_path / "terms"


def test_sites_that_may_embed_the_widget_are_a_list_of_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZHIXING_WIDGET_FRAME_ANCESTORS", "https://oa.example , https://hr.example,")
    assert Settings().widget_frame_ancestors == ("https://oa.example", "https://hr.example")
