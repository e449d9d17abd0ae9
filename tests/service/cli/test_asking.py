"""`zhixing ask` and `zhixing retrieve` as a person reads them, against the service with the samples."""

import pytest
from typer.testing import CliRunner

from service.cli import printing
from service.cli.main import app
from tests.running import Running

WIDE = 400  # columns: a table that is cut to the terminal's width says less


@pytest.fixture(scope="module")
def home(running: Running) -> str:
    return str(running.home)


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """The console asks for the terminal's width once, whoever imports it first."""
    monkeypatch.setattr(printing.out, "_width", WIDE)


def run(home: str, *arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments), env={"ZHIXING_HOME": home})
    assert done.exit_code == 0, done.output
    return done.stdout


def test_an_answer_names_revision_day_and_place_of_each_source(home: str) -> None:
    said = run(home, "ask", "单价多少钱以上算固定资产？")
    sources = said[said.index("参考来源") :]
    assert "[1] 资产管理办法" in sources
    assert "起施行" in sources and "第三条" in sources


def test_a_page_is_named_where_the_file_has_pages(home: str) -> None:
    said = run(home, "ask", "会议一体机怎么投屏？")
    sources = said[said.index("参考来源") :].splitlines()
    places = [line for line in sources if line.startswith("[")]
    assert places == ["[1] YS-M200会议一体机操作手册  V2.1  第 4 页  4 投屏"]
    assert sum(line.startswith("    「") for line in sources) > 1


def test_a_refusal_lists_what_was_nearest(home: str) -> None:
    said = run(home, "ask", "公司的股票期权怎么行权？")
    assert "参考来源" not in said
    assert "最接近的资料（没有采用）" in said and "[1] " in said


def test_an_explanation_shows_the_words_that_matched_and_each_fate(home: str) -> None:
    said = run(home, "retrieve", "年休假 天数", "--explain", "--top-k", "1")
    assert "切词：" in said and "命中" in said
    assert "取用 1 条" in said and "超出取用条数" in said
    first = next(line for line in said.splitlines() if line.strip().startswith("1 "))
    assert "年休假" in first and first.rstrip().endswith("取用")
    assert "top_k" not in said and "threshold" not in said


def test_a_question_below_the_threshold_says_so_and_how_to_see_more(home: str) -> None:
    said = run(home, "retrieve", "公司的股票期权怎么行权？")
    assert "不作答：找到的资料不足以作答" in said
    assert "--explain" in said
