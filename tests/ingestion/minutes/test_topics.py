"""Topics and keywords that stand in the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.minutes.metadata import LONGEST_TOPIC
from ingestion.minutes.topics import LexicalTopics
from ingestion.minutes.transcript import Paragraph
from ingestion.segmenter import Segmenter


@pytest.fixture(scope="module")
def topics() -> LexicalTopics:
    return LexicalTopics(Segmenter(), frozenset({"报销"}))


def group(*texts: str, speaker: str = "") -> list[Paragraph]:
    return [Paragraph(number, text, speaker) for number, text in enumerate(texts, 1)]


@pytest.mark.parametrize(
    ("line", "topic"),
    [
        ("议题二：仓库搬迁安排", "仓库搬迁安排"),
        ("## 三季度预算调整", "三季度预算调整"),
        ("三、门禁系统更换（行政部）", "门禁系统更换"),
        ("【议程1】食堂承包续签", "食堂承包续签"),
        ("第二项议题：关于华东区经销商返点比例的调整方案", "关于华东区经销商返点比例的调整"),
    ],
)
def test_a_title_line_is_the_topic(topics: LexicalTopics, line: str, topic: str) -> None:
    (described,) = topics.describe([group(line, "王敏：这件事拖了两个月，今天要定。")])
    assert described.topic == topic


def test_a_long_line_that_begins_like_a_title_is_speech(topics: LexicalTopics) -> None:
    speech = "一、仓库搬迁我先说，租约年底到期，新仓库离高速近，搬迁要停两天，少发两天货，仓库那边要排班。"
    (described,) = topics.describe([group(speech)])
    assert set(described.topic.split("、")) >= {"仓库", "搬迁"}


def test_what_is_announced_is_the_topic(topics: LexicalTopics) -> None:
    texts = ("好，下面讨论一下仓库搬迁的问题。", "李四：仓库搬迁要等租约到期。", "张总：搬迁的费用谁出？")
    (described,) = topics.describe([group(*texts)])
    assert described.topic == "仓库搬迁"


def test_segments_are_told_apart_by_what_only_they_speak_of(topics: LexicalTopics) -> None:
    pricing = group("会员定价偏高，竞品定价更低。", "定价要按套餐拆开。公司要看毛利。")
    hiring = group("招聘进度落后，校招名额还有剩余。", "招聘渠道只有两个。公司要看编制。")
    first, second = topics.describe([pricing, hiring])
    assert first.keywords[0] == "定价"
    assert second.keywords[0] == "招聘"
    assert "公司" not in first.keywords + second.keywords


def test_a_word_the_dictionary_lacks_is_put_together_from_its_parts(topics: LexicalTopics) -> None:
    texts = ("区块链还早。", "我看区块链做溯源。", "区块链的账本谁来记？")
    (described,) = topics.describe([group(*texts)])
    assert "区块链" in described.keywords


def test_amounts_days_and_pointing_words_are_no_keywords(topics: LexicalTopics) -> None:
    texts = ("上个月毛利百分之十八，这个月十五号前要到二十万。", "行不行？没三百多万做不了，不动产也算毛利。")
    (described,) = topics.describe([group(*texts)])
    assert described.keywords[0] == "毛利"
    assert set(described.keywords) <= {"毛利", "不动产", "算毛利"}


def test_headings_of_form_are_no_topics(topics: LexicalTopics) -> None:
    (described,) = topics.describe([group("## 参会人员", "## 议题", "## 仓库搬迁", "见 https://example.com/moving")])
    assert described.topic == "仓库搬迁"
    assert described.keywords == ("搬迁", "仓库")


def test_neither_speakers_nor_stop_words_are_keywords(topics: LexicalTopics) -> None:
    texts = ("欧阳建国：报销单据要原件。", "欧阳建国：差旅报销要附行程。")
    (described,) = topics.describe([group(*texts, speaker="欧阳建国")])
    assert "欧阳建国" not in (*described.keywords, described.topic)
    assert "报销" not in described.keywords


def test_where_no_word_says_anything_the_first_words_are_the_topic(topics: LexicalTopics) -> None:
    (described,) = topics.describe([group("对，可以。", "好。")])
    assert (described.topic, described.keywords, described.flagged) == ("对", (), False)


def test_without_one_letter_there_is_no_topic(topics: LexicalTopics) -> None:
    (described,) = topics.describe([group("……", "——")])
    assert (described.topic, described.flagged) == ("", True)


WORDS = st.sampled_from(
    ["区块链", "仓库", "搬迁", "，", "。", "：", "API", "一、", "议题二：", "关于", "a", "的", "\u3000", "😀"]
)
TEXT = st.lists(WORDS | st.text(max_size=3), min_size=1, max_size=12).map("".join)


@given(groups=st.lists(st.lists(TEXT, min_size=1, max_size=4), min_size=1, max_size=4))
def test_topics_and_keywords_always_stand_in_their_own_segment(
    topics: LexicalTopics, groups: list[list[str]]
) -> None:
    for texts, described in zip(groups, topics.describe([group(*texts) for texts in groups]), strict=True):
        text = "\n".join(texts)
        assert len(described.topic) <= LONGEST_TOPIC
        assert described.flagged is (described.topic == "")
        assert len(described.keywords) <= 5
        assert described.synonyms == ()
        assert all(word in text for word in described.keywords)
        assert described.topic in text or all(part in text for part in described.topic.split("、"))
