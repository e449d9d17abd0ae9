"""Every code has its words, and dates decide how a revision is called."""

import dataclasses
import re
import subprocess
import sys
from datetime import date

import pytest

from ingestion.documents import Anchor, FailureReason, FileState, Revision, RevisionStatus
from ingestion.index.schema import Filter
from service import wording
from service.access import Principal, Role
from service.citations import RefusalReason
from service.retrieval.results import Cut
from service.standing import Standing
from tests.conftest import REPOSITORY

DAY = date(2026, 6, 1)


def test_every_code_has_words() -> None:
    for words, codes in (
        (wording.STATES, FileState),
        (wording.READINGS, FileState),
        (wording.FAILURES, FailureReason),
        (wording.STANDINGS, Standing),
        (wording.CUTS, Cut),
        (wording.REFUSALS, RefusalReason),
        (wording.ROLES, Role),
    ):
        assert set(words) == set(codes)


def test_every_condition_of_a_search_has_words() -> None:
    assert set(wording.FILTERS) == {field.name for field in dataclasses.fields(Filter)}


def test_a_candidate_taken_out_by_a_condition_says_which() -> None:
    assert wording.cut_words(Cut.FILTER, "issuers") == "不符合筛选条件：发文单位"
    assert wording.cut_words(Cut.THRESHOLD, "") == "置信度低于门槛"
    assert wording.cut_words(None, "") == "取用"


def test_the_words_cost_commands_no_console() -> None:
    """NiceGUI takes a second to load, and only the console needs it."""
    code = "import sys, service.wording; sys.exit('nicegui' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_reason_for_dropping_text_has_words() -> None:
    page = (REPOSITORY / "docs" / "formats.md").read_text(encoding="utf-8")
    table = page[page.index("| 丢弃原因 |") : page.index("## 各格式怎样读")]
    rows = [row.split("|")[1] for row in table.splitlines() if row.startswith("|")]
    codes = {code for cell in rows for code in re.findall(r"`(\w+)`", cell)}
    assert codes
    assert codes == set(wording.DROP_REASONS)


@pytest.mark.parametrize(
    ("status", "since", "until", "today", "words"),
    [
        ("active", None, None, DAY, "现行"),
        ("active", None, None, date(2026, 7, 1), "当时有效"),
        ("active", date(2027, 1, 1), None, DAY, "尚未生效"),
        ("superseded", None, date(2027, 1, 1), DAY, "现行"),
        ("superseded", None, DAY, DAY, "已被取代"),
        ("active", None, DAY, DAY, "已过有效期"),
        ("withdrawn", None, date(2027, 1, 1), DAY, "已作废"),
        ("draft", None, None, DAY, "草案"),
    ],
)
def test_dates_decide_how_a_revision_is_called(
    status: str, since: date | None, until: date | None, today: date, words: str
) -> None:
    revision = Revision("r", "d", "0", RevisionStatus(status), since, until)
    assert wording.standing_words(revision, DAY, today) == words


@pytest.mark.parametrize(
    ("since", "until", "words"),
    [
        (None, None, ""),
        (date(2024, 1, 5), None, "2024年1月5日起施行"),
        (date(2024, 1, 5), date(2025, 12, 1), "2024年1月5日起施行，2025年12月1日起失效"),
        (None, date(2025, 12, 1), "2025年12月1日起失效"),
    ],
)
def test_a_term_names_both_days(since: date | None, until: date | None, words: str) -> None:
    assert wording.term_words(Revision("r", "d", "0", RevisionStatus.ACTIVE, since, until)) == words


def test_a_place_is_named_in_the_terms_of_its_file() -> None:
    assert wording.place_words(Anchor(page=3, page_label="iii")) == "第 iii 页"
    assert wording.place_words(Anchor(sheet="标准", cell_range="B4:F4")) == "工作表「标准」 B4:F4"
    assert wording.place_words(Anchor(slide=2, paragraph=5)) == "第 2 张幻灯片，第 5 段"
    assert wording.place_words(Anchor()) == ""


def test_a_contributor_is_offered_only_labels_they_read_themselves() -> None:
    principal = Principal("key:1", "小王", "总部/财务部", role=Role.CONTRIBUTOR)
    offered = wording.audiences_of(principal)
    assert list(offered) == ["public", "department:总部/财务部", "user:key:1"]
    assert all(principal.may_read((label,)) for label in offered)


def test_an_engine_is_named_and_a_models_name_stays() -> None:
    assert wording.engine_words("offline") == "离线引擎"
    assert wording.engine_words("qwen+offline") == "qwen + 离线引擎"
