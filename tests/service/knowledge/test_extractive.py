"""The offline engine quotes the sentences that answer, verbatim, briefly, and cites each."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion.documents import Chunk, Document, Revision
from service.knowledge.extractive import CHARACTERS, LIST_CHARACTERS, SENTENCES, Extract, compose
from service.retrieval.results import Evidence

CASES = Path(__file__).parents[2] / "cases" / "knowledge" / "extracts.jsonl"
EXTRACTS = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def passage(
    text: str, *path: str, rank: int = 1, title: str = "差旅费管理办法", context: str = ""
) -> Evidence:
    chunk = Chunk(f"c{rank}", "r", rank, path, text, 0, len(text), context=context)
    return Evidence(chunk, Document("d", "", title), Revision("r", "d", ""), 0.9, 0.5, 0.5, rank)


def quoted(extract: Extract, *evidence: Evidence) -> list[str]:
    by_rank = {item.rank: item.chunk.text for item in evidence}
    return [by_rank[q.n][q.span.start : q.span.end] for q in extract.quotes]


HOTEL = passage(
    "本章适用于全体员工。一线城市住宿费每人每晚不超过五百元。乘坐飞机须经批准。遗失发票的不予报销。",
    "第二章 住宿",
)
PAPERS = passage("报销须附下列材料：\n（一）出差审批单；\n（二）住宿发票；\n（三）会议通知。\n逾期不予受理。")


@pytest.mark.parametrize("case", EXTRACTS, ids=[case["name"] for case in EXTRACTS])
def test_the_sentences_that_answer_are_quoted_and_no_others(case: dict[str, Any]) -> None:
    evidence = [
        passage(one["text"], *one["path"], rank=rank, title=one["title"], context=one["context"])
        for rank, one in enumerate(case["passages"], 1)
    ]
    assert quoted(compose(case["question"], evidence), *evidence) == case["quotes"]


def test_the_standard_word_for_a_lay_one_counts_as_shared() -> None:
    item = passage("办公无线网络为甲网。访客无线网络为乙网。", title="上网须知")
    searched = ("客户", "wifi", "访客", "无线", "网络")
    assert quoted(compose("客户连哪个wifi", [item], searched), item) == ["访客无线网络为乙网。"]


def test_the_sentence_that_answers_is_quoted_with_its_source_and_number() -> None:
    extract = compose("一线城市住宿一晚最多多少钱", [HOTEL])
    assert quoted(extract, HOTEL) == ["一线城市住宿费每人每晚不超过五百元。"]
    assert extract.text == "据《差旅费管理办法》「第二章 住宿」：\n一线城市住宿费每人每晚不超过五百元。[1]"


def test_a_list_that_is_asked_for_is_given_whole() -> None:
    extract = compose("报销需要哪些材料", [PAPERS])
    assert (
        "".join(quoted(extract, PAPERS))
        == "报销须附下列材料：（一）出差审批单；（二）住宿发票；（三）会议通知。"
    )


def test_an_article_asked_by_number_is_given_from_its_beginning() -> None:
    article = passage("乘坐高铁报销二等座。\n乘坐飞机须经批准。", "第三章", "第九条")
    assert quoted(compose("第九条怎么规定", [article]), article) == [
        "乘坐高铁报销二等座。",
        "乘坐飞机须经批准。",
    ]


ARTICLES = passage(
    "第二章 交通\n第八条 出差须事先审批。\n第九条 交通工具按下列标准：\n（一）高铁二等座；\n"
    "（二）飞机经济舱。\n超出标准的，自行承担。\n第十条 违反第九条规定的，差额不予报销。",
    "第二章 交通",
)


def test_an_article_among_others_is_given_whole_and_alone() -> None:
    assert quoted(compose("《差旅费管理办法》第九条怎么规定", [ARTICLES]), ARTICLES) == [
        "第九条 交通工具按下列标准：",
        "（一）高铁二等座；",
        "（二）飞机经济舱。",
        "超出标准的，自行承担。",
    ]


def test_what_follows_from_an_article_is_not_answered_by_its_wording() -> None:
    extract = compose("违反第九条的差额报销吗", [ARTICLES])
    assert quoted(extract, ARTICLES)[0] == "第十条 违反第九条规定的，差额不予报销。"


def test_the_sentence_a_question_quotes_with_a_blank_is_the_answer() -> None:
    item = passage(
        "情节较轻的，处一万元以上三万元以下罚款。情节严重的，处五万元以上十万元以下罚款。"
        "情节严重的，可以处三万元以上八万元以下罚款。"
    )
    extract = compose("“情节严重的，处____以上十万元以下罚款”的空处应为多少？", [item])
    assert quoted(extract, item) == ["情节严重的，处五万元以上十万元以下罚款。"]


def test_a_reason_is_preferred_when_a_reason_is_asked() -> None:
    item = passage("病假期间工资按比例发放。因为工资当月结算，请假单须当月交齐。请假单在人事部领取。")
    assert quoted(compose("请假单为什么要当月交", [item]), item)[0].startswith("因为工资当月结算")


def test_passages_that_share_nothing_with_the_question_give_no_answer() -> None:
    assert compose("量子纠缠", [HOTEL]) == Extract("", ())
    assert compose("", [HOTEL]) == Extract("", ())
    assert compose("住宿费", []) == Extract("", ())


def test_a_second_passage_is_announced_and_comes_after_the_first() -> None:
    second = passage("住宿费超过限额的部分由个人承担。", rank=2, title="报销问答")
    first = passage("住宿费超过限额的由部门经理批准。")
    extract = compose("住宿费超过限额谁批准，谁承担", [first, second])
    assert [q.n for q in extract.quotes] == [1, 2]
    assert "\n另据《报销问答》：\n" in extract.text


def test_a_sentence_too_long_for_an_answer_is_cut_at_its_clauses() -> None:
    text = "，".join(["前言部分说明来历"] * 30 + ["住宿费限额为五百元"] + ["其余事项另行通知"] * 30) + "。"
    item = passage(text)
    (only,) = quoted(compose("住宿费限额是多少", [item]), item)
    assert "住宿费限额为五百元" in only and len(only) <= CHARACTERS


TEXT = st.text(alphabet="住宿费限额报销多少钱元五百。，；：\n（一）1. 第九条因为", max_size=400)


@settings(deadline=None)
@given(TEXT, st.lists(TEXT, max_size=4))
def test_quotes_are_always_verbatim_short_and_marked(question: str, texts: list[str]) -> None:
    evidence = [passage(text, rank=rank) for rank, text in enumerate(texts, 1)]
    extract = compose(question, evidence)
    pieces = quoted(extract, *evidence)
    assert all(
        piece and f"{piece}[{q.n}]" in extract.text for piece, q in zip(pieces, extract.quotes, strict=True)
    )
    assert len(re.findall(r"\[\d+\]\n|\[\d+\]$", extract.text)) == len(pieces)
    listing = len(pieces) > SENTENCES or sum(map(len, pieces)) > CHARACTERS
    assert sum(map(len, pieces)) <= (LIST_CHARACTERS if listing else CHARACTERS)


@settings(deadline=None)
@given(TEXT, TEXT)
def test_a_title_or_the_question_of_an_faq_is_never_quoted(question: str, text: str) -> None:
    item = passage(f"差旅费管理办法\n住宿费报销多少？\n{text}", "住宿费报销")
    assert not {"差旅费管理办法", "住宿费报销多少？"} & set(quoted(compose(question, [item]), item))


def test_a_lead_in_to_nothing_gives_no_answer() -> None:
    item = passage("住宿费限额如下：\n详见另表")
    assert quoted(compose("住宿费限额多少", [item]), item) == []


@pytest.mark.parametrize("question", ["住宿费", "一线城市多少", "飞机要批准吗"])
def test_without_a_list_at_most_three_sentences(question: str) -> None:
    assert len(compose(question, [HOTEL]).quotes) <= SENTENCES
