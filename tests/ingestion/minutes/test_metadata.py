"""Descriptions of segments: counted, checked, never blocking."""

from collections.abc import Mapping

import pytest

from ingestion.errors import ModelFailure
from ingestion.minutes.agent import RunLog
from ingestion.minutes.asking import Asker
from ingestion.minutes.metadata import MetadataAgent, Title
from ingestion.minutes.segmentation import Described
from ingestion.minutes.transcript import Paragraph
from tests.ingestion.minutes.stand_ins import FirstWords, ScriptedChat, in_turn

GOOD = {"topic": "返点调整", "keywords": ["返点", "经销商", "华东"], "synonyms": ["折扣", "渠道返利"]}
DESCRIBED = Described("返点调整", ("返点", "经销商", "华东"), ("折扣", "渠道返利"))
EMPTY = Described(flagged=True)


def agent(chat: ScriptedChat | None, log: RunLog | None = None, max_tokens: int = 1000) -> MetadataAgent:
    return MetadataAgent(log or RunLog(), FirstWords(), Asker(chat, 3), len, 5, max_tokens)


def groups(count: int) -> list[tuple[Paragraph, ...]]:
    return [(Paragraph(number, f"第{number}件事"),) for number in range(1, count + 1)]


def good(count: int) -> dict[str, object]:
    return {"groups": [GOOD] * count}


def described(titles: tuple[Title, ...]) -> list[Described]:
    return [title.described for title in titles]


def test_five_groups_go_in_one_call() -> None:
    chat = ScriptedChat(lambda step, variables: good(int(str(variables["count"]))))
    titles = agent(chat).run(groups(12))
    assert described(titles) == [DESCRIBED] * 12
    assert chat.said("count") == ["5", "5", "2"]
    assert "=== 第 6 组 ===\n[6] 第6件事" in chat.said("groups")[1]


def test_a_wrong_count_is_told_and_asked_again() -> None:
    chat = ScriptedChat(in_turn(good(2), good(3)))
    assert described(agent(chat).run(groups(3))) == [DESCRIBED] * 3
    assert chat.said("problem") == ["无", "应有 3 项，实有 2 项"]


def test_a_call_that_never_counts_right_leaves_its_groups_empty_and_flagged() -> None:
    def answer(step: str, variables: Mapping[str, object]) -> Mapping[str, object]:
        return good(9 if "=== 第 1 组 ===" in str(variables["groups"]) else 1)

    chat, log = ScriptedChat(answer), RunLog()
    titles = agent(chat, log).run(groups(6))
    assert described(titles) == [EMPTY] * 5 + [DESCRIBED]
    assert len(chat.calls) == 4 + 1
    assert log.lines[-1] == "[文案编辑(MetadataAgent)] 完成：6 组，其中 5 组没有主题，已标记"


def test_calls_that_fail_leave_their_groups_empty_and_flagged() -> None:
    chat = ScriptedChat(in_turn(*[ModelFailure("不是 JSON")] * 4))
    assert described(agent(chat).run(groups(2))) == [EMPTY] * 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"topic": ""},
        {"topic": "一" * 16},
        {"topic": "会议讨论"},
        {"topic": "其他事项汇报"},
        {"keywords": ["返点", "返点 ", "华东"]},
        {"keywords": ["一", "二", "三", "四", "五", "六"]},
        {"synonyms": ["折扣", " "]},
        {"synonyms": ["一", "二", "三", "四", "五"]},
    ],
)
def test_one_unfit_description_is_flagged_and_the_others_are_kept(wrong: dict[str, object]) -> None:
    chat = ScriptedChat(lambda step, variables: {"groups": [GOOD, GOOD | wrong, GOOD]})
    assert described(agent(chat).run(groups(3))) == [DESCRIBED, EMPTY, DESCRIBED]
    assert len(chat.calls) == 4
    assert "第 2 项" in chat.said("problem")[1]


def test_known_titles_are_not_asked_for_again() -> None:
    chat = ScriptedChat(in_turn(good(1)))
    known = Title(Described("已有主题"), by_model=True)
    titles = agent(chat).run(groups(3), {0: known, 2: known})
    assert described(titles) == [known.described, DESCRIBED, known.described]
    assert "第 2 组" in chat.said("groups")[0]
    assert "第 1 组" not in chat.said("groups")[0]


def test_without_a_model_the_finder_describes() -> None:
    titles = agent(None).run(groups(2))
    assert described(titles) == [Described("第1件事", ("离线",)), Described("第2件事", ("离线",))]
    assert all(title.offline for title in titles)


def test_when_the_model_dies_the_finder_describes_the_rest() -> None:
    chat = ScriptedChat(in_turn(good(5), ModelFailure("连不上", lasting=True)))
    titles = agent(chat).run(groups(11))
    assert [title.by_model for title in titles] == [True] * 5 + [False] * 6
    assert titles[10].described.topic == "第11件"
    assert len(chat.calls) == 2


def test_of_a_long_group_whole_paragraphs_are_shown_and_the_rest_is_counted() -> None:
    long = tuple(Paragraph(number, "一二三四五六七八九十") for number in range(1, 5))
    chat, log = ScriptedChat(in_turn(good(1))), RunLog()
    agent(chat, log, max_tokens=2 * len("[1] 一二三四五六七八九十\n")).run([long])
    assert chat.said("groups") == [
        "=== 第 1 组 ===\n[1] 一二三四五六七八九十\n[2] 一二三四五六七八九十\n（以下略去 2 段）"
    ]
    assert any("略去后 2 段" in line for line in log.lines)


def test_no_groups_are_no_calls() -> None:
    chat = ScriptedChat(in_turn())
    assert agent(chat).run([]) == ()
    assert chat.calls == []
