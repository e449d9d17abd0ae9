"""Characters repaired, blanks closed, lines joined."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.documents import count_chars
from ingestion.glyphs import close_spaced_han, join_lines, join_surrogates, normalise


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ("⽀持⽂档⼝令", "支持文档口令"),
        ("⻓度⻔户⺠⻚", "长度门户民页"),
        ("２０２４Ａｂ", "2024Ab"),
        ("（全角标点，保留）", "（全角标点，保留）"),
        ("\uf0b7 要点", "• 要点"),
        ("零\u200b宽\ufeff字", "零宽字"),
        ("a\u00a0b\u3000c", "a b c"),
        ("ﬁle ﬂow", "file flow"),
        ("\ud842\udf9f", "\U00020b9f"),
    ],
)
def test_normalise(raw: str, wanted: str) -> None:
    assert normalise(raw) == wanted


def test_every_radical_with_an_ideograph_becomes_one() -> None:
    for code in (*range(0x2F00, 0x2FD6), *range(0x2E81, 0x2EF4)):
        if code in {0x2E9A, 0x2EB6, 0x2EB8}:  # unassigned, and two that have no ideograph
            continue
        assert unicodedata.name(normalise(chr(code))).startswith("CJK UNIFIED IDEOGRAPH"), hex(code)


@given(st.text(max_size=40))
def test_normalising_always_gives_storable_text_and_twice_is_once(text: str) -> None:
    once = normalise(text)
    once.encode("utf-8")
    assert normalise(once) == once


def test_a_lone_surrogate_becomes_the_replacement_character() -> None:
    assert join_surrogates("x\ud835y") == "x\ufffdy"


@pytest.mark.parametrize(
    ("spaced", "closed"),
    [
        ("可 以 从 openeuler 下载", "可以从 openeuler 下载"),
        ("签 名： 日 期：", "签名：日期："),
        ("目 录", "目录"),
        ("张三 李四 王五", "张三 李四 王五"),
        ("使用 Python 语言", "使用 Python 语言"),
    ],
)
def test_blanks_between_single_han_are_closed_and_others_stay(spaced: str, closed: str) -> None:
    assert close_spaced_han(spaced) == closed


@pytest.mark.parametrize(
    ("left", "right", "joined"),
    [
        ("全体员工", "应当遵守", "全体员工应当遵守"),
        ("open the", "door", "open the door"),
        ("使用", "Python", "使用Python"),
        ("docu-", "ments", "documents"),
        ("Llama-2-chat-", "hf", "Llama-2-chat-hf"),
        ("COVID-", "19", "COVID-19"),
        ("docu\u00ad", "ments", "documents"),
        ("", "开始", "开始"),
    ],
)
def test_lines_are_joined(left: str, right: str, joined: str) -> None:
    assert join_lines(left, right) == joined


@given(st.text("甲乙。ab-1 ", max_size=12), st.text("丙丁，cd2 ", max_size=12))
def test_joining_never_loses_more_than_a_hyphen(left: str, right: str) -> None:
    lost = count_chars(left) + count_chars(right) - count_chars(join_lines(left, right))
    assert lost in {0, 1}
    assert lost == 0 or left.rstrip().endswith("-")
