"""归档员: whatever the starts are, the groups laid end to end are the paragraphs."""

from hypothesis import given
from hypothesis import strategies as st

from ingestion.minutes.agent import RunLog
from ingestion.minutes.grouping import GroupingAgent
from ingestion.minutes.transcript import Paragraph

TEXTS = st.lists(st.sampled_from(["好的。", "好的。", "先说到这", ""]), max_size=30)
STARTS = st.lists(st.integers(min_value=-3, max_value=40), max_size=20)


def numbered(texts: list[str]) -> list[Paragraph]:
    return [Paragraph(number, text) for number, text in enumerate(texts, 1)]


def grouped(texts: list[str], starts: list[int]) -> list[tuple[Paragraph, ...]]:
    return GroupingAgent(RunLog()).run(numbered(texts), starts)


@given(TEXTS, STARTS)
def test_groups_laid_end_to_end_are_the_paragraphs(texts: list[str], starts: list[int]) -> None:
    assert [paragraph for group in grouped(texts, starts) for paragraph in group] == numbered(texts)


@given(TEXTS, STARTS)
def test_groups_begin_at_the_first_paragraph_and_at_the_starts_there_are(
    texts: list[str], starts: list[int]
) -> None:
    begun = [group[0].number for group in grouped(texts, starts)]
    assert begun == sorted(({1} | set(starts)) & set(range(1, len(texts) + 1)))


def test_nothing_to_group_gives_no_group() -> None:
    assert grouped([], [1, 2]) == []


def test_grouping_is_told_in_the_run_log() -> None:
    run_log = RunLog()
    GroupingAgent(run_log).run(numbered(["一", "二", "三"]), [3])
    assert run_log.lines == ["[归档员(GroupingAgent)] 3 个段落归为 2 组"]
