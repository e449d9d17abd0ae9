"""Documents and questions are cut the same way, with the vocabulary an administrator keeps."""

from pathlib import Path

import jieba
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.analyzer import Analyzer, fold
from ingestion.segmenter import Segmenter, default_cache_folder
from ingestion.terms import Synonym, Terms, load_terms

TERMS = Terms(
    stopwords=frozenset({"的", "了"}),
    dictionary=(("云桌面终端", 0),),
    synonyms=(Synonym("领电脑", "电子设备申领"),),
)
ANALYZER = Analyzer(TERMS)
SEGMENTER = Segmenter()
JIEBA = jieba.Tokenizer()
JIEBA.tmp_dir = str(default_cache_folder())
JIEBA.initialize()
HAN = st.text(alphabet="中国人民共和大学生活动物园林业务必须发报销差旅费管理办法臺北的了一二三", max_size=30)


@given(HAN)
def test_the_cut_equals_jieba_in_search_mode_without_hmm(run: str) -> None:
    assert SEGMENTER.search_words(run) == list(JIEBA.cut_for_search(run, HMM=False))


@given(st.text(max_size=60))
def test_any_text_can_be_cut_and_asked(text: str) -> None:
    query = ANALYZER.query(text)
    assert query.tokens == frozenset(ANALYZER.tokens(text))
    assert "的" not in query.tokens


def test_traditional_full_width_and_kangxi_forms_give_the_same_tokens() -> None:
    assert ANALYZER.tokens("電子設備申領ＡＢＣ") == ANALYZER.tokens("电子设备申领abc")
    assert fold("⼈⺠") == fold("人⺠")


def test_a_dictionary_word_is_kept_whole() -> None:
    assert "云桌面终端" in ANALYZER.tokens("请申请云桌面终端一台")


def test_both_the_lay_word_and_the_standard_term_are_searched() -> None:
    query = ANALYZER.query("怎么领电脑？")
    tokens = {term.token for term in query.terms}
    assert {"电脑", "电子", "设备", "申领"} <= tokens
    assert [expansion.synonym.standard for expansion in query.expansions] == ["电子设备申领"]


def test_question_words_weigh_less_and_are_no_evidence() -> None:
    weights = {term.token: (term.weight, term.content) for term in ANALYZER.query("如何报销").terms}
    assert weights["报销"] == (1.0, True)
    assert weights["如何"][0] < 1 and not weights["如何"][1]


def test_a_question_is_taken_apart() -> None:
    query = ANALYZER.query("《差旅费管理办法》第十二条：2023年5月超过五万元不得报销吗，见国发〔2023〕5号")
    assert query.numbers == {"50000元"}
    assert query.dates == {"2023年5月"}
    assert query.negations == ("不得",)
    assert query.entities == ("差旅费管理办法", "第12条", "国发〔2023〕5号")


@pytest.mark.parametrize("text", ["能不能报销", "不动产登记", "是不是需要"])
def test_words_that_only_contain_a_negation_are_none(text: str) -> None:
    assert ANALYZER.query(text).negations == ()


@pytest.mark.parametrize("text", ["", " ", "？", "人", "a"])
def test_an_empty_or_one_character_question_is_no_error(text: str) -> None:
    assert len(ANALYZER.query(text).terms) <= 1


def test_the_dictionary_cache_lies_in_the_users_home(tmp_path: Path) -> None:
    Segmenter(cache_folder=tmp_path)
    assert (tmp_path / "jieba.cache").is_file()
    assert default_cache_folder().is_relative_to(Path.home())


def test_terms_are_read_from_their_files(tmp_path: Path) -> None:
    (tmp_path / "stopwords.txt").write_text("# 注释\n的\n\n", encoding="utf-8")
    (tmp_path / "dictionary.txt").write_text("云桌面 100\n用印申请\n", encoding="utf-8")
    (tmp_path / "synonyms.csv").write_text("lay,standard\n盖章,用印申请\n", encoding="utf-8-sig")
    terms = load_terms(tmp_path)
    assert terms == Terms(
        frozenset({"的"}), (("云桌面", 100), ("用印申请", 0)), (Synonym("盖章", "用印申请"),)
    )


@pytest.mark.parametrize(
    ("name", "text"), [("dictionary.txt", "云桌面 很多"), ("synonyms.csv", "lay,standard\n盖章")]
)
def test_a_row_that_cannot_be_read_is_named(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=name):
        load_terms(tmp_path)


def test_the_shipped_terms_can_be_loaded() -> None:
    terms = load_terms(Path(__file__).resolve().parents[2] / "data" / "terms")
    assert terms.stopwords and terms.dictionary and terms.synonyms
