import json
from pathlib import Path
from typing import Any

import pytest

from tests.widget.conftest import RunJs

CASES = Path(__file__).resolve().parent.parent / "cases" / "widget" / "standing.json"
STANDING: list[dict[str, Any]] = json.loads(CASES.read_text(encoding="utf-8"))
LABEL = "return module.standing(argument.revision, argument.as_of).label;"

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("case", STANDING, ids=lambda case: str(case["name"]))
def test_dates_decide_how_a_revision_stands(run_js: RunJs, case: dict[str, Any]) -> None:
    assert run_js("widget/wording.js", LABEL, case) == case["label"]


def test_today_a_revision_in_force_is_current(run_js: RunJs) -> None:
    revision = {"status": "active", "effective_from": "2020-01-01"}
    assert run_js("widget/wording.js", LABEL, {"revision": revision, "as_of": ""}) == "现行"


@pytest.mark.parametrize(
    ("anchor", "places"),
    [
        ({"page": 3, "paragraph": 2}, ["第 3 页", "第 2 段"]),
        ({"sheet": "国内标准", "cell_range": "A4:D4"}, ["工作表「国内标准」", "A4:D4"]),
        ({"slide": 7}, ["第 7 张幻灯片"]),
        ({"page": None, "char_start": 0, "char_end": 4}, []),
    ],
)
def test_a_place_is_told_as_far_as_it_is_known(
    run_js: RunJs, anchor: dict[str, Any], places: list[str]
) -> None:
    assert run_js("widget/wording.js", "return module.places(argument);", anchor) == places
