"""docs/processes.md explains every finding and no other."""

import re

from rules.findings import Code
from tests.conftest import REPOSITORY

PAGE = (REPOSITORY / "docs" / "processes.md").read_text(encoding="utf-8")


def test_every_finding_is_explained_and_nothing_else() -> None:
    cells = re.findall(r"^\| ((?:`[a-z_]+` ?)+)\|", PAGE, re.M)
    explained = [code for cell in cells for code in re.findall(r"`([a-z_]+)`", cell)]
    assert sorted(explained) == sorted(code.value for code in Code)
