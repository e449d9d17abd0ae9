"""docs/settings.md lists every setting with its default, and no setting that does not exist."""

import re

import pytest
from pydantic.fields import FieldInfo

from service.config import Settings
from tests.conftest import REPOSITORY

PAGE = REPOSITORY / "docs" / "settings.md"
ROW = re.compile(r"^\| `ZHIXING_(?P<name>[A-Z0-9_]+)` \| (?P<default>[^|]+) \| (?P<meaning>[^|]+) \|$", re.M)
NAME = re.compile(r"\bZHIXING_(?!TEST_)[A-Z0-9]+(?:_[A-Z0-9]+)*\b")
DOCUMENTED = {row["name"].lower(): row for row in ROW.finditer(PAGE.read_text(encoding="utf-8"))}


def default_as_documented(field: FieldInfo) -> str:
    """How the page writes a default; a computed one is explained in words."""
    if field.default_factory is not None:
        return "平台的用户数据目录"
    if field.default is None:
        return "未设"
    return "空" if field.default == () else f"`{field.default}`"


def test_every_setting_is_documented_and_nothing_else() -> None:
    assert set(DOCUMENTED) == set(Settings.model_fields)


def test_no_setting_is_documented_twice() -> None:
    names = [row["name"] for row in ROW.finditer(PAGE.read_text(encoding="utf-8"))]
    assert sorted(names) == sorted(set(names))


def test_no_section_is_empty() -> None:
    sections = PAGE.read_text(encoding="utf-8").split("\n## ")[1:]
    assert sections
    assert [text.partition("\n")[0] for text in sections if not ROW.search(text)] == []


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_documented_default_is_the_real_one(name: str) -> None:
    assert DOCUMENTED[name]["default"].strip() == default_as_documented(Settings.model_fields[name])


def test_names_elsewhere_in_the_documentation_are_settings() -> None:
    known = {f"ZHIXING_{name.upper()}" for name in Settings.model_fields}
    for page in (REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").rglob("*.md"))):
        used = set(NAME.findall(page.read_text(encoding="utf-8")))
        assert used <= known, f"{page.name} names unknown settings: {sorted(used - known)}"
