"""The notation of cues: every sign means what the head of the file says, and a wrong one is told."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from service.intent.wording import (
    GAP,
    MOST_READ,
    OWN_CLASSES,
    CueSyntaxError,
    alternatives,
    normal,
    translated,
)

SIGNS = st.text(st.sampled_from("*^$，(/){}？甲乙a1流程"), max_size=12)


def found(cue: str, text: str) -> bool:
    classes = {**OWN_CLASSES, "选项": alternatives(["打印机", "车"]), "无": alternatives([])}
    return re.search(translated(cue, classes), normal(text)) is not None


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("我想买，急", "，我想买，急，"),
        ("批了吗？我的申请", "，批了吗?我的申请，"),
        ("預算 1.2万元!", "，预算，1.2万元，"),
        ("４，９９９．９９元", "，4,999.99元，"),
        ("单号ZC20261103-07", "，单号zc20261103-07，"),
        ("流程里的“紧急”", "，流程里的紧急，"),
        ("真的？！", "，真的?"),
        ("？？？", "，?"),
        ("", "，，"),
    ],
)
def test_a_message_has_one_form_whatever_its_punctuation(text: str, form: str) -> None:
    assert normal(text) == form


@pytest.mark.parametrize(
    ("cue", "text", "expected"),
    [
        ("要*申请", "要买东西的申请", True),
        ("要*申请", "要，申请", False),  # not across a boundary of clauses
        ("要*申请", f"要{'买' * GAP}申请", True),
        ("要*申请", f"要{'买' * (GAP + 1)}申请", False),
        ("^买", "买车", True),
        ("^买", "想买车", False),
        ("^买", "好，买车", False),
        ("，买", "好，买车", True),
        ("买$", "想买", True),
        ("买$", "想买？", True),
        ("买$", "想买，急", False),
        ("买，", "想买，急", True),
        ("，急，", "买车，急，谢谢", True),
        ("，急，", "买车着急", False),
        ("买，急", "想买，急", True),
        ("？", "批了吗?", True),
        ("？", "批了", False),
        ("(买/租)车", "租车", True),
        ("(买/)车", "车", True),
        ("{选项}", "打印機", True),
        ("{无}", "打印机", False),
        ("VPN", "ｖｐｎ", True),
        ("a.c", "abc", False),  # what is no sign is meant as it stands
    ],
)
def test_each_sign_of_a_cue_means_what_the_file_says(cue: str, text: str, expected: bool) -> None:
    assert found(cue, text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        *(
            (text, True)
            for text in ("八万五", "1万2", "10w", "3.5k", "两千块", "４８００元", "5万美元", "三百")
        ),
        *((text, False) for text in ("三台", "第十一条", "2026年", "15楼", "一下")),
    ],
)
def test_amounts_are_known_by_their_form(text: str, expected: bool) -> None:
    assert found("{金额}", text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("单号ZC20261103-07", True), ("202611030007", True), ("P2级", False), ("2026", False), ("E03", False)],
)
def test_numbers_of_applications_are_known_by_their_form(text: str, expected: bool) -> None:
    assert found("{单号}", text) is expected


@pytest.mark.parametrize(
    ("cue", "problem"),
    [
        ("(买", "成对"),
        ("买)", "成对"),
        ("买/租", "里"),
        ("{买", "成对"),
        ("{什么}", "没有叫"),
        ("买}", "成对"),
    ],
)
def test_a_wrong_cue_is_told(cue: str, problem: str) -> None:
    with pytest.raises(CueSyntaxError, match=problem):
        translated(cue, OWN_CLASSES)


@given(cue=SIGNS)
def test_a_cue_is_always_a_pattern_or_a_told_mistake(cue: str) -> None:
    try:
        pattern = translated(cue, OWN_CLASSES)
    except CueSyntaxError as error:
        assert str(error)
    else:
        assert re.compile(pattern)


@example("0_\U00018cd60")  # two kinds of breaks that touch
@given(text=st.text(max_size=3 * MOST_READ))
def test_every_message_has_a_form_that_is_bounded(text: str) -> None:
    form = normal(text)
    assert form[0] == "，"
    assert form[-1] in "，?"
    assert not re.search("[，?]{2}", form[:-1])
    assert len(form) <= 20 * MOST_READ  # folding can make one character several
