"""Outcomes: what is said or written down as decided or to be done, and nothing that only sounds like it."""

import json
from datetime import date
from pathlib import Path
from time import perf_counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion.minutes.agent import RunLog
from ingestion.minutes.formats import read
from ingestion.minutes.lines import Layout
from ingestion.minutes.outcomes import OUTCOMES, Outcome, OutcomeKind, OutcomesDamaged, load_outcomes
from ingestion.minutes.preprocess import PreprocessAgent
from ingestion.minutes.transcript import Paragraph, Transcript
from tests.conftest import REPOSITORY

MODEL = REPOSITORY / "data" / "minutes_model"
CASES = REPOSITORY / "tests" / "cases" / "minutes"
SAMPLES = REPOSITORY / "data" / "minutes"
FINDER = load_outcomes(MODEL)
DAY = date(2026, 3, 5)
PRESENT = ("周总", "方静", "老林", "杜工", "吴总")
LINES = st.one_of(
    st.text(max_size=40),
    st.sampled_from(["会议结论：", "遗留问题：1、补图", "1、同意。", "无", "**结论**", "责任人：方静"]),
    st.sampled_from(["| 事项 | 负责人 |", "| 画图 | 方静 |", "议题2、采购", "<br>1）同意<br>", "12/31前"]),
    st.sampled_from(["方静：我来改，月底前发。", "决定：搬家。"]),
)


def rows(name: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


def transcript(*lines: tuple[str, str], attendees: tuple[str, ...] = PRESENT) -> Transcript:
    paragraphs = [
        Paragraph(number, f"{speaker}：{text}" if speaker else text, speaker)
        for number, (speaker, text) in enumerate(lines, 1)
    ]
    size = sum(len(paragraph.text) for paragraph in paragraphs)
    return Transcript("会议", DAY, attendees, tuple(paragraphs), {}, size)


def of_markdown(raw: str) -> Transcript:
    return PreprocessAgent(RunLog()).run(raw, "2026-03-05.md", Layout.MARKDOWN)


def fields(outcome: Outcome) -> tuple[str, str, str, str]:
    day = outcome.due_day.isoformat() if outcome.due_day else ""
    return outcome.kind.value, outcome.owner, outcome.due, day


def test_utterances_give_what_they_say_and_nothing_else() -> None:
    failures = []
    for case in rows("outcomes.jsonl"):
        found = [fields(each) for each in FINDER.find(transcript((str(case["speaker"]), str(case["text"]))))]
        said = tuple(str(case.get(name, "")) for name in ("kind", "owner", "due", "due_day"))
        if found != ([said] if case["kind"] else []):
            failures.append(f"{case['text']}: {said} expected, {found} found")
    assert not failures, "\n".join(failures)


def test_more_utterances_are_of_the_kind_they_are() -> None:
    failures = []
    for case in rows("outcome_kinds.jsonl"):
        record = transcript(("周总", str(case["text"])), attendees=("小周", "林工", "李经理"))
        kinds = [str(each.kind) for each in FINDER.find(record)]
        if kinds != ([case["kind"]] if case["kind"] else []):
            failures.append(f"{case['text']}: {case['kind'] or 'nothing'} expected, {kinds} found")
    assert not failures, "\n".join(failures)


@pytest.mark.parametrize("case", rows("outcome_records.jsonl"), ids=lambda case: str(case["name"]))
def test_records_give_their_decisions_and_their_items_with_owner_and_due(case: dict[str, object]) -> None:
    found = FINDER.find(of_markdown(str(case["raw"])))
    actions = case["actions"]
    assert isinstance(actions, list)
    assert [each.quote for each in found if each.kind is OutcomeKind.DECISION] == case["decisions"]
    assert [(each.quote, each.owner, each.due) for each in found if each.kind is OutcomeKind.ACTION] == [
        (action["text"], action.get("owner", ""), action.get("due", "")) for action in actions
    ]


def test_a_decision_behind_a_label_in_talk_is_one_sentence() -> None:
    [decision] = FINDER.find(transcript(("周总", "决定：展厅搬到二楼。大家回去准备。"), ("方静", "好。")))
    assert (decision.kind, decision.quote, decision.speaker) == ("decision", "展厅搬到二楼。", "周总")


def test_what_follows_an_announcement_is_the_decision() -> None:
    [decision] = FINDER.find(transcript(("周总", "我来拍板。展厅搬到二楼。")))
    assert (decision.kind, decision.quote) == ("decision", "展厅搬到二楼。")


def test_actions_of_one_sentence_are_told_apart() -> None:
    found = FINDER.find(transcript(("周总", "老林三月底前交台账；方静四月十号之前发清单。")))
    assert [(each.quote, each.owner) for each in found] == [
        ("老林三月底前交台账；", "老林"),
        ("方静四月十号之前发清单。", "方静"),
    ]


def test_the_words_of_somebody_quoted_are_not_the_speakers() -> None:
    assert FINDER.find(transcript(("方静", "他的原话是“我来改，月底前发”。"))) == ()


@given(st.lists(st.tuples(st.sampled_from(["", "方静", "老林"]), LINES), max_size=25))
@settings(max_examples=80)
def test_a_quote_is_always_the_text_at_its_offsets(lines: list[tuple[str, str]]) -> None:
    record = transcript(*lines)
    found = FINDER.find(record)
    texts = {paragraph.number: paragraph for paragraph in record.paragraphs}
    for outcome in found:
        paragraph = texts[outcome.paragraph]
        assert paragraph.text[outcome.start : outcome.end] == outcome.quote != ""
        assert outcome.speaker == paragraph.speaker
    places = [(outcome.paragraph, outcome.start, outcome.end) for outcome in found]
    assert places == sorted(places)
    assert all(a[0] < b[0] or a[2] <= b[1] for a, b in zip(places, places[1:], strict=False))


@given(st.lists(LINES, max_size=25))
@settings(max_examples=60)
def test_so_it_is_in_any_markdown(lines: list[str]) -> None:
    record = of_markdown("\n".join(lines))
    for outcome in FINDER.find(record):
        text = record.paragraphs[outcome.paragraph - 1].text
        assert text[outcome.start : outcome.end] == outcome.quote


def test_the_sample_meetings_are_read_within_their_time() -> None:
    """A second for 18,000 characters, every meeting's own preparation included."""
    files = sorted(path for path in SAMPLES.iterdir() if path.name[:2] == "20")
    seconds, chars, found = 0.0, 0, 0
    for path in files:
        raw = read(path.name, path.read_bytes())
        record = PreprocessAgent(RunLog()).run(raw.text, raw.name, raw.layout)
        began = perf_counter()
        found += len(FINDER.find(record))
        seconds += perf_counter() - began
        chars += record.kept_chars
    assert found > len(files)
    assert seconds / len(files) < 1 and chars / len(files) < 18_000


@pytest.mark.parametrize(
    "line",
    [
        "结论：" + "同意" * 50_000,
        "—" * 100_000,
        "“" * 50_000,
        "（张三、" * 20_000,
        "|<br>" * 5_000,
        "待办：请跟进 @" + "和" * 5_000,
        "待办：" + "张和李和王和" * 1_000 + "。好",
    ],
)
def test_a_huge_line_is_read_in_time(line: str) -> None:
    began = perf_counter()
    FINDER.find(transcript(("", line), ("方静", line)))
    assert perf_counter() - began < 5


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (None, OUTCOMES),
        ("use,kind", "第 1 行"),
        ("use,kind,pattern\nlabel,decision,(", "第 2 行"),
        ("use,kind,pattern\nlabel,decision", "第 2 行"),
        ("use,kind,pattern\nlabel,wish,结论", "第 2 行"),
        ("use,kind,pattern\nsaid,,定了", "第 2 行"),
        ("use,kind,pattern\nlabel,decision,结论", "缺少"),
    ],
)
def test_a_damaged_data_file_is_refused_with_its_line(tmp_path: Path, line: str | None, said: str) -> None:
    if line is not None:
        (tmp_path / OUTCOMES).write_text(line + "\n", encoding="utf-8")
    with pytest.raises(OutcomesDamaged, match=said):
        load_outcomes(tmp_path)
