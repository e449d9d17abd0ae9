"""Encodings: what offices write is read back exactly, and nothing makes decoding fail."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.parsers.encoding import common_hanzi, declared_charset, decode

SIMPLIFIED = (
    "关于调整工作时间的通知",
    "自2024年5月6日起施行，由财务部负责解释。",
    "值班电话：0571-00000000\n李喆",
)
TRADITIONAL = ("關於調整工作時間的通知", "申請人應檢附下列文件：", "您好，請問辦理護照需要哪些文件？")


@pytest.mark.parametrize("text", SIMPLIFIED)
@pytest.mark.parametrize(
    "encoding", ["gbk", "gb18030", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"]
)
def test_simplified_text_is_read_back_in_every_office_encoding(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert decoded.text == text
    assert decoded.confidence > 0.5
    assert decoded.replaced == 0


@pytest.mark.parametrize("text", TRADITIONAL)
@pytest.mark.parametrize("encoding", ["big5", "gbk", "utf-8", "utf-16-le", "utf-16-be"])
def test_traditional_text_is_read_back(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding)).text == text


def test_four_byte_characters_of_gb18030_survive() -> None:
    text = "姓名：䶮某，𠮷某，㛃某、鿏某"
    assert decode(text.encode("gb18030")).text == text


def test_accented_latin_is_no_chinese() -> None:
    assert decode("caf\xe9 fran\xe7ais d\xe9j\xe0 vu".encode("cp1252")).text == "café français déjà vu"


def test_one_broken_byte_does_not_turn_utf8_into_gibberish() -> None:
    decoded = decode("本办法自发布之日起施行。".encode() * 20 + b"\xe4\xb8")
    assert decoded.encoding == "utf-8"
    assert decoded.replaced == 1


def test_a_gb2312_label_stands_for_its_superset() -> None:
    data = '<meta charset="gb2312">朱镕、李喆'.encode("gbk")
    assert declared_charset(data) == "gb2312"
    assert decode(data, declared_charset(data)).text.endswith("朱镕、李喆")


def test_a_wrong_label_never_beats_the_bytes() -> None:
    text = "关于调整工作时间的通知，请各部门遵照执行。"
    assert decode(text.encode(), "gb2312").text == text
    assert decode(text.encode("gbk"), "big5").text == text


def test_common_characters_hold_both_scripts_of_level_one() -> None:
    assert {"的", "关", "關", "办", "辦"} <= common_hanzi()
    assert "䶮" not in common_hanzi()


@given(
    st.binary(max_size=300), st.sampled_from([None, "gb2312", "utf-16", "rot13", "no such", "idna", "base64"])
)
def test_any_bytes_decode_to_text_with_a_confidence(data: bytes, label: str | None) -> None:
    decoded = decode(data, label)
    assert 0.0 <= decoded.confidence <= 1.0
    assert decoded.replaced == decoded.text.count("\ufffd")


@given(
    st.text(
        alphabet=st.sampled_from("的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会"),
        min_size=8,
    )
)
def test_common_chinese_in_gbk_is_always_read_back(text: str) -> None:
    assert decode(text.encode("gbk")).text == text
