"""What a row may hold: every fault is told with its line, and what has none is read as it was written."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.terms import load_terms
from service.config import ASSETS, Settings
from service.sameness import load_equivalents
from service.terms.folder import TermFolder
from service.terms.lists import MOST_ROWS, Row, TermList, faults, read_rows, written

SHIPPED = ASSETS / "data" / "terms"
WORD = st.text(st.sampled_from('词典表,"#，；a1 \ufeff\u3000'), min_size=1, max_size=5) | st.sampled_from(
    ["lay", "standard", "领电脑", "#", "OA", "oa"]
)
ROWS = st.lists(st.lists(WORD, min_size=1, max_size=3).map(tuple), max_size=8)


_WIDTHS = {TermList.SYNONYMS: 2, TermList.STOPWORDS: 1, TermList.EQUIVALENTS: 3, TermList.SUGGESTIONS: 1}


def without_faults(kind: TermList, rows: list[Row]) -> list[Row]:
    kept: list[Row] = []
    for row in rows:
        if not faults(kind, [*kept, row]):
            kept.append(row)
    return kept


@pytest.mark.parametrize("kind", list(TermList))
@given(rows=ROWS)
def test_rows_without_a_fault_are_read_as_they_were_written(kind: TermList, rows: list[Row]) -> None:
    rows = [(*row[:1], "7") if kind is TermList.DICTIONARY else row[: _WIDTHS[kind]] for row in rows]
    rows = without_faults(kind, rows)
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / kind.file_name).write_bytes(written(kind, rows, SHIPPED / kind.file_name))
        assert read_rows(folder, kind) == rows
        terms = load_terms(folder)
        if kind is TermList.SYNONYMS:
            assert [(one.lay, one.standard) for one in terms.synonyms] == rows
        elif kind is TermList.DICTIONARY:
            assert terms.dictionary == tuple((word, int(given)) for word, given in rows)
        elif kind is TermList.STOPWORDS:
            assert terms.stopwords == {word for (word,) in rows}
        elif kind is TermList.EQUIVALENTS:
            assert len(load_equivalents(folder / kind.file_name)) == sum(len(row) - 1 for row in rows)


@pytest.mark.parametrize(
    ("kind", "row", "problem"),
    [
        (TermList.SYNONYMS, ("领电脑",), "两项"),
        (TermList.SYNONYMS, ("领电脑", ""), "空的词"),
        (TermList.SYNONYMS, ("WiFi", "wifi"), "同一个词"),
        (TermList.SYNONYMS, ("好", "标准"), "与第 1 条重复"),
        (TermList.DICTIONARY, ("云 桌面",), "空格"),
        (TermList.DICTIONARY, ("云桌面", "多"), "整数"),
        (TermList.DICTIONARY, ("云桌面", "²"), "整数"),
        (TermList.DICTIONARY, ("云桌面", "0"), "1 到"),
        (TermList.DICTIONARY, ("云桌面", "9" * 50), "整数"),
        (TermList.STOPWORDS, ("的\n了",), "看不见"),
        (TermList.STOPWORDS, ("#的",), "#"),
        (TermList.STOPWORDS, ("词" * 61,), "太长"),
        (TermList.EQUIVALENTS, ("报销",), "2 到"),
        (TermList.EQUIVALENTS, ("报销", "报销"), "写了两次"),
        (TermList.EQUIVALENTS, ("别的", "OA"), "与第 1 条重复"),
        (TermList.SUGGESTIONS, ("问",) * 2, "一个问题"),
    ],
)
def test_a_fault_is_told_with_its_line(kind: TermList, row: Row, problem: str) -> None:
    good: dict[TermList, Row] = {TermList.SYNONYMS: ("好", "标准"), TermList.EQUIVALENTS: ("办公", "oa")}
    (fault,) = faults(kind, [good.get(kind, ("好",)), row])
    assert fault.line == 2
    assert problem in fault.problem


def test_a_list_that_is_too_long_has_one_fault() -> None:
    (fault,) = faults(TermList.STOPWORDS, [("词",)] * (MOST_ROWS + 1))
    assert fault.line == MOST_ROWS + 1


@pytest.mark.parametrize("kind", list(TermList))
def test_the_lists_we_ship_have_no_fault(kind: TermList) -> None:
    rows = read_rows(SHIPPED, kind)
    assert rows
    assert faults(kind, rows) == []


def test_the_first_change_copies_what_we_ship_and_the_comments_stay(tmp_path: Path) -> None:
    folder = TermFolder(Settings(home=tmp_path, _env_file=None))
    shipped = {kind.file_name: (SHIPPED / kind.file_name).read_bytes() for kind in TermList}
    folder.write(TermList.STOPWORDS, [("的",)])
    assert folder.current == tmp_path / "terms"
    own = {path.name: path.read_bytes() for path in folder.current.iterdir()}
    comment = shipped["stopwords.txt"].decode().splitlines()[0]
    assert own == {**shipped, "stopwords.txt": f"{comment}\n的\n".encode()}
    folder.write(TermList.STOPWORDS, [("了",)])
    assert folder.rows(TermList.STOPWORDS) == [("了",)]
    assert {name: (SHIPPED / name).read_bytes() for name in shipped} == shipped
