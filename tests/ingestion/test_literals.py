"""Literals meet in one normal form however they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.analyzer import fold
from ingestion.literals import LiteralKind, find_literals, opening_ordinals, parse_number


def normals(text: str) -> list[str]:
    return [found.normal for found in find_literals(fold(text))]


@pytest.mark.parametrize(
    ("texts", "normal"),
    [
        (("五万元", "50,000元", "5万元", "伍万圆", "５万块"), "50000元"),
        (("第十二条", "第12条", "第 12 条"), "第12条"),
        (("第一百三十三条之一", "第133条之1"), "第133条之1"),
        (("2023年5月1日", "2023-05-01", "2023/5/1", "二〇二三年五月一日"), "2023年5月1日"),
        (("百分之五", "5%", "5％"), "5%"),
        (("国发〔2023〕5号", "国发[2023]5号", "国发（2023）第5号", "國發〔2023〕5號"), "国发〔2023〕5号"),
        (("三十五个工作日", "35个工作日", "35工作日"), "35工作日"),
        (("3.5万", "35000", "三万五千"), "35000"),
    ],
)
def test_ways_of_writing_one_value_share_a_normal_form(texts: tuple[str, ...], normal: str) -> None:
    assert {text: normals(text) for text in texts} == {text: [normal] for text in texts}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("一万五", 15000),
        ("三千五", 3500),
        ("一百二", 120),
        ("一百零二", 102),
        ("一万零五", 10005),
        ("一百二十", 120),
        ("十五", 15),
        ("3万5千", 35000),
        ("3万5", 35000),
        ("3.5千万", 35_000_000),
        ("一亿二千万", 120_000_000),
        ("三万亿", 3 * 10**12),
        ("二0二四", 2024),
        ("2〇", None),
        ("万一", None),
    ],
)
def test_spoken_and_mixed_numbers_have_their_value(text: str, value: int | None) -> None:
    assert parse_number(text) == value


def test_mixed_amounts_are_one_literal_and_the_next_number_is_another() -> None:
    assert normals("预算3万5千元") == ["35000元"]
    assert normals("二0二四年五月一日") == ["2024年5月1日"]
    assert normals("预算3万2.时间") == ["30000", "2"]


@pytest.mark.parametrize("code", ["GB/T-19001", "ISO9001", "ps-200", "v3.2", "1.1.2", "a@b.com", "010-6655"])
def test_codes_stay_whole(code: str) -> None:
    found = list(find_literals(fold(f"型号{code}的手册")))
    assert [(item.kind, item.normal) for item in found] == [(LiteralKind.CODE, code.lower())]


@pytest.mark.parametrize("text", ["万一出了差错", "千万不要", "十分满意", "一些一般情况", "三国演义", "四川"])
def test_words_with_numerals_in_them_are_not_numbers(text: str) -> None:
    assert normals(text) == []


def test_a_year_that_stands_alone_matches_the_full_date() -> None:
    (found,) = find_literals("2023年5月1日")
    assert found.tokens == ("2023年5月1日", "2023年5月", "2023年")


@given(st.integers(min_value=0, max_value=10**9))
def test_grouped_and_plain_digits_always_agree(value: int) -> None:
    assert parse_number(f"{value:,}") == parse_number(str(value)) == value


@given(st.text(alphabet="第〔〕[]二〇零十百千万亿年月日元%.-/0123456789ab条号之 ", max_size=40))
def test_literals_never_overlap_and_lie_in_the_text(text: str) -> None:
    position = 0
    for found in find_literals(text):
        assert position <= found.start < found.end <= len(text)
        assert found.tokens and all(found.tokens)
        position = found.end


def test_a_line_that_begins_with_an_article_opens_it_and_one_that_refers_to_it_does_not() -> None:
    text = "第八条 须审批。\n第 12 条本法自公布之日起施行。\n第九条规定的，另见\n第十条、第十一条。"
    assert opening_ordinals(fold(text)) == {"第8条", "第12条"}
