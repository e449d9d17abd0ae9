"""Which sentences of a model may be shown: by cases anyone can add to, and by what must always hold."""

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.knowledge.verification import NOT_COVERED, Passage, Verdict, verify
from service.retrieval.sentences import sentences

CASES = Path(__file__).resolve().parents[2] / "cases" / "knowledge"
FAIR_AT_LEAST, CAUGHT_AT_LEAST = 0.9, 0.9
"""What the gate must reach on the cases: a stub that accepts all has 1.0 and 0.0."""


@dataclass(frozen=True)
class Case:
    sentence: str
    passages: tuple[str, ...]
    faithful: bool
    kind: str


@cache
def passages() -> dict[str, Passage]:
    lines = (CASES / "passages.jsonl").read_text(encoding="utf-8").splitlines()
    found = map(json.loads, lines)
    return {one["name"]: Passage(one["text"], one["headings"]) for one in found}


def cases() -> list[Case]:
    lines = (CASES / "verification.jsonl").read_text(encoding="utf-8").splitlines()
    found = map(json.loads, lines)
    return [Case(o["sentence"], tuple(o["passages"]), o["faithful"], o["kind"]) for o in found]


def judged(case: Case) -> Verdict:
    return verify(case.sentence, {n: passages()[name] for n, name in enumerate(case.passages, 1)})


def rate(chosen: list[Case], passing: bool) -> float:
    return sum(bool(judged(case).supports) is passing for case in chosen) / len(chosen)


def test_fair_paraphrases_pass() -> None:
    fair = [case for case in cases() if case.faithful]
    assert len(fair) >= 40
    assert rate(fair, passing=True) >= FAIR_AT_LEAST


def test_unfaithful_sentences_are_caught() -> None:
    unfaithful = [case for case in cases() if not case.faithful]
    assert len(unfaithful) >= 40
    assert rate(unfaithful, passing=False) >= CAUGHT_AT_LEAST


@pytest.mark.parametrize(
    "kind",
    [
        "number",
        "date",
        "time",
        "percent",
        "name",
        "negation-dropped",
        "bound",
        "weekday",
        "part-of-day",
        "period",
        "opposite",
        "condition",
    ],
)
def test_of_these_kinds_none_may_pass(kind: str) -> None:
    chosen = [case for case in cases() if case.kind == kind and not case.faithful]
    assert chosen
    assert [case.sentence for case in chosen if judged(case).supports] == []


QUOTES = [(name, span) for name, one in passages().items() for span in sentences(one.text)]


@given(st.sampled_from(QUOTES))
def test_a_quoted_sentence_always_passes_and_is_bound_to_itself(chosen: tuple[str, object]) -> None:
    name, span = chosen
    passage = passages()[name]
    text = passage.text[span.start : span.end]  # type: ignore[attr-defined]
    verdict = verify(f"{text.rstrip('。；')}[1]。", {1: passage})
    assert verdict.problem == ""
    assert text in {passage.text[s.span.start : s.span.end] for s in verdict.supports}


NUMBER = re.compile(
    r"(?<![\d.,:第〔])(?<!第)\d+(?![\d.,:]*\d)(?![、.]\s?\D)|(?<=[^第一二三四五六七八九十])[二三四五六七八九]"
)
COUNTED = [
    (name, span, found.span())
    for name, span in QUOTES
    for found in NUMBER.finditer(passages()[name].text, span.start, span.end)
    if re.match(r"\s?(?:个工作日|[元天日年月人家份倍%台])", passages()[name].text[found.end() :])
]


@given(st.sampled_from(COUNTED), st.integers(2, 9999))
def test_a_quoted_sentence_with_a_changed_number_never_passes(
    chosen: tuple[str, object, tuple[int, int]], number: int
) -> None:
    name, span, (start, end) = chosen
    passage = passages()[name]
    if str(number) in passage.text or number <= 10:
        number += 77_000
    text = passage.text
    changed = text[span.start : start] + str(number) + text[end : span.end]  # type: ignore[attr-defined]
    assert verify(f"{changed.rstrip('。；')}[1]。", {1: passage}).problem


TEXT = (
    "第五条 供应商应当在三个工作日内答复，逾期的不予采纳。采购金额50,000元以上的，须三家以上比价。\n"
    "本办法自二〇二五年七月一日起施行。预付款不得超过合同金额的百分之三十。开放时间为8:30—17:30。\n"
    "验收时间为3至5个工作日。未经批准，任何人不得外借设备。员工可以在每年4月申请一次。联系人为李雯。"
)
RULE = {1: Passage(TEXT, "采购管理细则")}


@pytest.mark.parametrize(
    "sentence",
    [
        "供应商应在3个工作日内答复",
        "采购金额五万元以上的，要有3家以上比价",
        "采购金额5万元以上的，须三家以上比价",
        "本办法从2025年7月1日起施行",
        "本办法自2025-07-01起施行",
        "预付款最多为合同金额的30%",
        "开放时间是8:30—17:30",
        "验收时间为3—5个工作日",
        "验收时间为三到五个工作日",
        "没有经过批准，谁都不能外借设备",
        "经批准后，员工才可以外借设备",
        "逾期的不会被采纳",
        "员工在每年4月可以申请一次",
        "联系人是李雯",
    ],
)
def test_the_same_thing_written_otherwise_passes(sentence: str) -> None:
    assert verify(f"{sentence}[1]。", RULE).problem == ""


@pytest.mark.parametrize(
    ("sentence", "objection"),
    [
        ("供应商应在五个工作日内答复", "五个工作日"),
        ("供应商应在三个月内答复", "三个月"),
        ("采购金额5,000元以上的，须三家以上比价", "5,000元"),
        ("采购金额不满50,000元的，须三家以上比价", "不满50,000元"),
        ("采购金额50,000元以上的，须两家以上比价", "两家"),
        ("本办法自2025年8月1日起施行", "2025年8月1日"),
        ("本办法自2024年7月1日起施行", "2024年7月1日"),
        ("预付款不得超过合同金额的50%", "50%"),
        ("开放时间为9:30—17:30", "9:30"),
        ("验收时间为二至五个工作日", "二"),
        ("未经批准，任何人可以外借设备", "相反"),
        ("逾期的予以采纳", "相反"),
        ("员工不可以在每年4月申请", "相反"),
        ("预付款可以超过合同金额的百分之三十", "百分之三十"),
        ("联系人为王磊", "王磊"),
        ("供应商应当通过WeChat在三个工作日内答复", "wechat"),
        ("供应商应当向法务部在三个工作日内答复", "法务部"),
        ("按《合同管理办法》，供应商应当在三个工作日内答复", "《合同管理办法》".strip("《》")),
        ("供应商答复之后通过抽签得出中标结果和奖励分配方案", "对不上"),
    ],
)
def test_what_the_source_does_not_say_is_objected_to(sentence: str, objection: str) -> None:
    verdict = verify(f"{sentence}[1]。", RULE)
    assert verdict.supports == ()
    assert objection in verdict.problem


def test_a_period_of_the_source_is_no_number() -> None:
    source = {1: Passage("停车每日最高40元，每小时5元。申请应当在3日内提交。")}
    assert "1日" in verify("申请应当在1日内提交[1]。", source).problem
    assert verify("申请应当在3日内提交[1]。", source).problem == ""


def test_a_table_value_takes_its_unit_from_the_header() -> None:
    table = {1: Passage("限额（单位：元）\n职级为经理，限额为600。\n职级为员工，限额为450。", "差旅费标准")}
    assert verify("经理的限额为600元[1]。", table).problem == ""
    assert "600" in verify("员工的限额为600元[1]。", table).problem
    assert "天" in verify("经理的限额为600天[1]。", table).problem


def test_the_title_of_a_document_may_be_named_and_is_not_quoted() -> None:
    verdict = verify("按《采购管理细则》，联系人为李雯[1]。", RULE)
    (support,) = verdict.supports
    assert TEXT[support.span.start : support.span.end] == "联系人为李雯。"


def test_a_joined_sentence_rests_on_each_sentence_it_joins() -> None:
    verdict = verify("供应商在三个工作日内答复，采购金额50,000元以上的须三家以上比价[1]。", RULE)
    quotes = [TEXT[s.span.start : s.span.end] for s in verdict.supports]
    assert quotes == [
        "第五条 供应商应当在三个工作日内答复，逾期的不予采纳。",
        "采购金额50,000元以上的，须三家以上比价。",
    ]


@pytest.mark.parametrize("sentence", ["步骤如下：", "## 比价要求", "**比价要求**", "---", "\n"])
def test_a_lead_in_needs_no_citation(sentence: str) -> None:
    verdict = verify(sentence, RULE)
    assert verdict.lead_in
    assert not verdict.problem


@pytest.mark.parametrize("sentence", ["须在7天内办理，步骤如下：", "供应商应当答复。", "答复" * 30 + "："])
def test_what_says_something_needs_one(sentence: str) -> None:
    assert "没有注明依据" in verify(sentence, RULE).problem


@pytest.mark.parametrize(
    ("sentence", "whole"), [(f"{NOT_COVERED}。", True), (f"关于违约金，{NOT_COVERED}。", False)]
)
def test_not_covered_is_taken_alone_or_with_what_it_is_about(sentence: str, whole: bool) -> None:
    verdict = verify(sentence, RULE)
    assert verdict.not_covered
    assert verdict.lead_in is not whole


@pytest.mark.parametrize(
    "sentence", [f"{NOT_COVERED}，但一般在月底办理。", f"关于3%的违约金，{NOT_COVERED}。"]
)
def test_not_covered_with_something_more_is_a_problem(sentence: str) -> None:
    assert verify(sentence, RULE).problem


@given(st.text("第条三3五5个工作日元%，。；：不得可以未经[]【】1\n 《》“”-—:.", max_size=40))
@settings(max_examples=200)
def test_no_sentence_makes_it_fail(sentence: str) -> None:
    verdict = verify(sentence, RULE)
    assert isinstance(verdict, Verdict)
    assert not (verdict.problem and verdict.supports)
