"""Names and times in front of a line are read; a colon in an ordinary sentence is no speaker."""

from dataclasses import dataclass
from functools import lru_cache

import pytest
from hypothesis import given, settings

from ingestion.minutes.agent import RunLog
from ingestion.minutes.names import is_label
from ingestion.minutes.prefixes import candidate, speech
from ingestion.minutes.preprocess import PreprocessAgent
from ingestion.minutes.transcript import Paragraph
from tests.conftest import REPOSITORY
from tests.ingestion.minutes.test_nothing_lost import TEXTS

LEAST_PRECISION, LEAST_RECALL = 0.95, 0.95


@dataclass(frozen=True)
class Case:
    name: str
    speakers: tuple[str, ...]
    text: str


@lru_cache
def cases(file: str = "speakers.txt") -> tuple[Case, ...]:
    written = (REPOSITORY / "tests" / "cases" / "minutes" / file).read_text(encoding="utf-8")
    found = []
    for block in written.split("=== ")[1:]:
        name, *lines = block.splitlines()
        pairs = [line.partition(" | ") for line in lines if line.strip()]
        texts = "\n".join(text for _, _, text in pairs)
        found.append(Case(name, tuple(speaker.strip() for speaker, _, _ in pairs), texts))
    return tuple(found)


def paragraphs(text: str) -> tuple[Paragraph, ...]:
    return PreprocessAgent(RunLog()).run(text).paragraphs


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_each_line_has_the_speaker_a_reader_would_name(case: Case) -> None:
    read = paragraphs(case.text)
    assert [(p.speaker, p.text) for p in read] == [
        (speaker, text.strip()) for speaker, text in zip(case.speakers, case.text.split("\n"), strict=True)
    ]


@pytest.mark.parametrize("file", ["speakers.txt", "speakers_held.txt"])
def test_precision_and_recall_over_all_cases(file: str) -> None:
    pairs = [
        (expected, p.speaker)
        for case in cases(file)
        for expected, p in zip(case.speakers, paragraphs(case.text), strict=True)
    ]
    right = sum(expected == found != "" for expected, found in pairs)
    assert right / sum(found != "" for _, found in pairs) >= LEAST_PRECISION
    assert right / sum(expected != "" for expected, _ in pairs) >= LEAST_RECALL


@pytest.mark.parametrize(
    ("line", "name", "time", "said"),
    [
        ("张总：开始", "张总", "", "开始"),
        ("[00:12:03] 李四: 好", "李四", "00:12:03", "好"),
        ("（00：12）李四：好", "李四", "00：12", "好"),
        ("发言人1 00:12", "发言人1", "00:12", ""),
        ("张三(00:01:02): 好", "张三", "00:01:02", "好"),
        ("发言人1 00:12 大家好", "发言人1", "00:12", "大家好"),
        ("张三 00:01:02 好", "张三", "00:01:02", "好"),
        ("00:01:02 张三", "张三", "00:01:02", ""),
        ("00:01:02 Grace Lee: hello", "Grace Lee", "00:01:02", "hello"),
        ("<v.loud 张三>你好", "张三", "", "你好"),
        ("周婷 2026-03-05 14:02:11", "周婷", "2026-03-05 14:02:11", ""),
        ("王敏（财务）：好", "王敏", "", "好"),
        ("The Chair (Hon. A. Rota (North, Lib.)): Order", "The Chair", "", "Order"),
        ("00:00:12 --> 00:00:15 张三：好", "张三", "00:00:12 --> 00:00:15", "好"),
    ],
)
def test_a_prefix_is_taken_apart(line: str, name: str, time: str, said: str) -> None:
    prefix = candidate(line)
    assert prefix is not None
    assert (prefix.name, prefix.time, line[prefix.end :]) == (name, time, said)


@pytest.mark.parametrize("line", ["https://a.b/c", "会 2026-3-5 9:30 线上", "会议 10:30 开始", "：好"])
def test_a_line_without_a_name_in_front_has_no_prefix(line: str) -> None:
    assert candidate(line) is None


@pytest.mark.parametrize("word", ["注意", "会议时间", "1、背景", "Next steps", "遗留问题", "下次会议地点"])
def test_a_label_is_known(word: str) -> None:
    assert is_label(word)


@pytest.mark.parametrize("word", ["张总", "王有为", "方敏", "Grace Lee", "发言人1", "技术组"])
def test_a_person_is_no_label(word: str) -> None:
    assert not is_label(word)


def test_speech_is_the_line_without_its_own_prefix() -> None:
    read = paragraphs("[00:01] 张总：先说结论：不降价\n[00:02] 李四：好\n[00:05] 李四：注意：还有一项")
    assert [speech(p) for p in read] == ["先说结论：不降价", "好", "注意：还有一项"]


def test_nobody_goes_on_speaking_after_a_label_in_minutes() -> None:
    read = paragraphs("李永强：建议先迁移只读的部分，再切写入。\n按周切换\n结论：同意")
    assert [p.speaker for p in read] == ["李永强", "", ""]


@given(text=TEXTS)
@settings(max_examples=150, deadline=None)
def test_a_speaker_is_always_written_there_and_speech_is_the_end_of_the_line(text: str) -> None:
    so_far = ""
    for paragraph in paragraphs(text):
        so_far += paragraph.text + "\n"
        assert paragraph.speaker in so_far
        assert paragraph.time in so_far
        assert paragraph.text.endswith(speech(paragraph))
