"""Delimited text in the encodings and delimiters of Chinese offices."""

import csv as writer
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.documents import FailureReason, Parsed
from ingestion.errors import ParseFailure
from ingestion.parsers import csv

SAMPLE = "职务,报销类型,一线城市（元）\n普通员工,住宿费,500\n部门主管,住宿费,600\n"
FIELDS = st.text(alphabet='差旅住宿12, ;"\n\t', max_size=8)


def texts(parsed: Parsed) -> list[str]:
    return [block.text for block in parsed.blocks]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_rows_become_sentences_in_every_encoding(encoding: str) -> None:
    parsed = csv.parse(SAMPLE.encode(encoding))
    assert texts(parsed) == [
        "职务为普通员工，报销类型为住宿费，一线城市为500元。",
        "职务为部门主管，报销类型为住宿费，一线城市为600元。",
    ]
    assert parsed.report.balanced
    assert parsed.report.dropped == ()


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_the_delimiter_is_told_from_the_rows(delimiter: str) -> None:
    text = SAMPLE.replace(",", delimiter)
    assert csv.sniff(text) == delimiter
    assert texts(csv.parse(text.encode()))[0] == "职务为普通员工，报销类型为住宿费，一线城市为500元。"


def test_a_comma_inside_quotes_does_not_part_a_cell() -> None:
    parsed = csv.parse('名称,说明\n"1,2-戊二醇","溶剂，""保湿"""\n甘油,保湿\n'.encode())
    assert texts(parsed)[0] == '名称为1,2-戊二醇，说明为溶剂，"保湿"。'
    assert parsed.report.balanced
    assert parsed.report.dropped == ()


def test_an_unclosed_quote_does_not_swallow_the_rest() -> None:
    parsed = csv.parse('名称,数量\n"五寸屏,1\n七寸屏,2\n'.encode())
    assert texts(parsed)[-1] == "名称为七寸屏，数量为2。"
    assert any("引号" in finding for finding in parsed.report.findings)
    assert parsed.report.balanced


def test_a_long_cell_in_quotes_is_read_whole() -> None:
    long = "溶剂，保湿。" * 30_000
    parsed = csv.parse(f'名称,说明\n甘油,"{long}"\n'.encode())
    assert long in texts(parsed)[-1]
    assert not any("引号" in finding for finding in parsed.report.findings)


def test_invisible_characters_part_no_words_and_are_booked() -> None:
    parsed = csv.parse("名\u200b称,数量\n五\u200b寸屏,１２\n\u200b,\ufeff\n".encode())
    assert texts(parsed) == ["名称为五寸屏，数量为12。"]
    assert parsed.report.balanced
    assert not any("未被读出" in finding for finding in parsed.report.findings)


def test_rows_are_anchored_by_their_cells() -> None:
    assert [block.anchor.cell_range for block in csv.parse(SAMPLE.encode()).blocks] == ["A2:C2", "A3:C3"]


def test_a_blank_file_is_a_named_failure() -> None:
    with pytest.raises(ParseFailure) as failure:
        csv.parse(b" \n\n")
    assert failure.value.reason is FailureReason.EMPTY


@given(st.lists(st.lists(FIELDS, min_size=2, max_size=4), min_size=1, max_size=6))
def test_the_account_always_balances_with_nothing_unread(rows: list[list[str]]) -> None:
    buffer = io.StringIO(newline="")
    writer.writer(buffer).writerows(rows)
    if not buffer.getvalue().strip(' ,"\r\n\t;'):
        return
    parsed = csv.parse(buffer.getvalue().encode())
    assert parsed.report.balanced
    assert not any("读出的字符比" in finding for finding in parsed.report.findings)
