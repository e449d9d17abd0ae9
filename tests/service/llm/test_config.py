import os
import subprocess
import sys

import pytest

from service.config import ASSETS
from service.llm.client import LanguageModel
from service.llm.config import LlmConfig
from service.llm.errors import LlmNotConfigured
from service.prompts import ModelSize, PromptLibrary


def test_a_stray_key_without_a_model_configures_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-stray")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    config = LlmConfig()
    assert not config.configured
    with pytest.raises(LlmNotConfigured) as caught:
        LanguageModel(config, PromptLibrary(ASSETS / "prompts"))
    assert caught.value.code == "llm_not_configured"


@pytest.mark.parametrize("config", [LlmConfig(), LlmConfig(model=""), LlmConfig(small_model="small")])
def test_only_the_strong_model_name_configures(config: LlmConfig) -> None:
    assert not config.configured
    assert {config.model_for(size) for size in ModelSize} == {""}


def test_small_model_falls_back_to_the_strong_one() -> None:
    assert LlmConfig(model="strong").model_for(ModelSize.SMALL) == "strong"
    both = LlmConfig(model="strong", small_model="small")
    assert (both.model_for(ModelSize.SMALL), both.model_for(ModelSize.STRONG)) == ("small", "strong")


def test_configuration_and_errors_load_without_the_openai_package() -> None:
    code = "import sys, service.llm.config, service.llm.errors; sys.exit('openai' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ASSETS, env=dict(os.environ), timeout=60)
    assert done.returncode == 0
