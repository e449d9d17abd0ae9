"""What a passage's text says about a question."""

from hypothesis import given
from hypothesis import strategies as st

from ingestion.analyzer import Analyzer
from ingestion.index.keyword import TermStatistics
from ingestion.terms import Synonym, Terms
from service.retrieval.probe import Probe, probe
from service.retrieval.signals import Passage, Signals, longest_common, read_signals

ANALYZER = Analyzer(Terms(synonyms=(Synonym("领电脑", "电子设备申领"),)))
NONE = TermStatistics(100, {})


def asked(question: str) -> Probe:
    return probe(ANALYZER.query(question), NONE)


def signals(question: str, text: str, *headings: str) -> Signals:
    return read_signals(asked(question), Passage.of(headings, text))


def test_a_text_that_repeats_the_question_covers_it_wholly() -> None:
    found = signals("出差住宿费限额", "出差住宿费限额为五百元。")
    assert found.coverage == found.rare == found.sentence == 1.0 and found.missing == 0.0


def test_words_spread_over_sentences_count_less_than_words_in_one() -> None:
    together = signals("住宿费报销限额", "住宿费报销限额如下。另见附件。")
    apart = signals("住宿费报销限额", "住宿费从宽。中间一句。报销从严。另有限额。")
    assert together.sentence > apart.sentence


def test_the_standard_term_stands_for_the_lay_word() -> None:
    assert "电脑" in signals("怎么领电脑", "入职后提出电子设备申领即可。").matched


def test_numbers_meet_in_any_writing() -> None:
    assert (
        signals("超过50,000元谁批", "超过五万元的由总经理批准。").coverage
        == signals("超过五万元谁批", "超过50000元的由总经理批准。").coverage
    )


def test_an_article_in_the_heading_is_that_article_and_in_the_text_a_reference() -> None:
    heading = signals("差旅费管理办法第九条怎么规定", "乘坐高铁的报销二等座。", "差旅费管理办法", "第九条")
    mention = signals("差旅费管理办法第九条怎么规定", "违反第九条的不予报销。", "差旅费管理办法", "第二十条")
    assert heading.exact == 1.0 and 0 < mention.exact < 1


def test_an_article_that_begins_in_the_text_is_that_article() -> None:
    question = "差旅费管理办法第九条怎么规定"
    several = signals(question, "第八条 出差须事先审批。\n第九条 乘坐高铁的报销二等座。", "差旅费管理办法")
    refers = signals(question, "第二十条 违反\n第九条规定的，不予报销。", "差旅费管理办法")
    assert several.exact == 1.0 and several.named
    assert refers.exact < 1 and not refers.named


def test_a_quotation_is_there_only_where_its_words_stand_together() -> None:
    question = "是否仍规定“逾期不报销的视为放弃报销权利”？"
    spread = "逾期的另行通知。不报销餐费。视为出勤的除外。放弃名额须说明。报销权利人是本人。" * 3
    assert signals(question, "前言略。逾期不报销的视为放弃报销权利。后文略。").quoted > 0.9
    assert signals(question, spread).quoted < 0.65


def test_a_number_inside_a_quotation_is_not_asked_for() -> None:
    question = "是否仍规定“违反本办法第九条规定的，不予报销并通报”？"
    assert asked(question).exact == frozenset()
    assert signals(question, "违反本办法第九条规定的，不予报销并通报。").quoted > 0.9


def test_a_document_named_in_the_question_is_recognised_by_its_title() -> None:
    assert signals("《差旅费管理办法》里怎么说", "略。", "某公司差旅费管理办法").title == 1.0
    assert signals("食堂几点开门", "略。", "差旅费管理办法").title == 0.0


def test_words_no_passage_holds_are_unknown() -> None:
    assert asked("量子纠缠").unknown == 1.0


@given(st.text(max_size=30), st.text(max_size=80), st.text(max_size=10))
def test_every_share_is_always_between_zero_and_one(question: str, text: str, heading: str) -> None:
    found = signals(question, text, heading)
    for name in (
        "coverage",
        "rare",
        "pairs",
        "sentence",
        "neighbours",
        "title",
        "exact",
        "missing",
        "quoted",
    ):
        assert 0.0 <= getattr(found, name) <= 1.0 + 1e-9, name


@given(st.text(alphabet="甲乙丙丁", max_size=12), st.text(alphabet="甲乙丙丁", max_size=12))
def test_the_longest_common_string_is_in_both(left: str, right: str) -> None:
    size = longest_common(left, right)
    assert any(left[i : i + size] in right for i in range(len(left) - size + 1))
    assert not any(left[i : i + size + 1] in right for i in range(len(left) - size))
