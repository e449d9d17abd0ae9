"""策划编辑: where each topic begins. The model names first paragraphs only; grouping is done by code."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from pydantic import BaseModel, Field, StrictInt

from ingestion.minutes.agent import Agent, RunLog
from ingestion.minutes.asking import Asker
from ingestion.minutes.batching import Batch, numbered, numbered_context
from ingestion.minutes.segmentation import BoundaryDetector, Issue, Review

STEP = "minutes/boundary"
_NUMBERS_NAMED = 5  # in the words about a wrong answer
_LONGEST_REMARK = 300  # characters of one issue or suggestion that go into a prompt


class TopicStarts(BaseModel):
    """A model's answer."""

    starts: list[StrictInt] = Field(description="每个新议题第一段的编号，升序；本批没有新议题时为空")


@dataclass(frozen=True, slots=True)
class Cut:
    """One batch and the paragraphs in it that begin a topic, ascending."""

    batch: Batch
    starts: tuple[int, ...]
    by_model: bool


class BoundaryDetectionAgent(Agent):
    """Of one run: the detector reads the whole meeting once, when the first batch falls to it."""

    name = "策划编辑(BoundaryDetectionAgent)"

    def __init__(self, run_log: RunLog, detector: BoundaryDetector, asker: Asker, overlap: int) -> None:
        """`overlap` paragraphs at the end of a batch are shown as context before the next one."""
        super().__init__(run_log)
        self._detector = detector
        self._asker = asker
        self._overlap = overlap
        self._detected: frozenset[int] | None = None

    def run(
        self, batches: Sequence[Batch], previous: Sequence[Cut] = (), review: Review | None = None
    ) -> tuple[Cut, ...]:
        """A cut of every batch; after a `review`, only the batches that its issues touch are cut again.

        The first paragraph of all is always a start. That of a later batch is one only when it is named.
        """
        cuts: list[Cut] = []
        for position, batch in enumerate(batches):
            issues = _touching(batch, review.issues) if review else ()
            if previous and not issues:
                cuts.append(previous[position])
                continue
            feedback = _feedback(previous[position], issues, review.suggestion) if review and issues else ""
            cuts.append(self._cut(batches, position, feedback, len(issues)))
        self._log(f"完成：{len(batches)} 批共 {sum(len(cut.starts) for cut in cuts)} 个起点")
        return tuple(cuts)

    def _cut(self, batches: Sequence[Batch], position: int, feedback: str, issues: int) -> Cut:
        batch = batches[position]
        starts = self._by_model(batches, position, feedback, issues) if self._asker.alive else None
        by_model = starts is not None
        if starts is None:
            starts = self._by_detector(batches, batch)
            self._log(f"{_place(batches, position)}由离线检测划分")
        forced = {batch[0].number} if position == 0 else set()
        return Cut(batch, tuple(sorted(starts | forced)), by_model)

    def _by_model(
        self, batches: Sequence[Batch], position: int, feedback: str, issues: int
    ) -> set[int] | None:
        batch = batches[position]
        context = batches[position - 1][-self._overlap :] if position and self._overlap else ()
        remarks = f"，带审稿意见 {issues} 条" if feedback else ""
        shown = "、".join(str(paragraph.number) for paragraph in context) or "无"
        self._log(f"{_place(batches, position)}交给模型，参考段落：{shown}{remarks}")
        lines = [*map(numbered_context, context), *map(numbered, batch)]
        variables = {
            "feedback": feedback,
            "paragraphs": "\n".join(lines),
            "first": batch[0].number,
            "last": batch[-1].number,
        }
        numbers = {paragraph.number for paragraph in batch}
        asked = self._asker.ask(
            STEP, variables, TopicStarts, lambda answer: _fault(answer, numbers), self._log
        )
        return None if asked.usable is None else set(asked.usable.starts)

    def _by_detector(self, batches: Sequence[Batch], batch: Batch) -> set[int]:
        """Its cut of the whole meeting, as far as it lies in this batch: a seam is no start by itself."""
        if self._detected is None:
            self._detected = frozenset(self._detector.starts(list(chain.from_iterable(batches))))
        return {paragraph.number for paragraph in batch if paragraph.number in self._detected}


def _place(batches: Sequence[Batch], position: int) -> str:
    batch = batches[position]
    return f"第 {position + 1}/{len(batches)} 批（段落 {batch[0].number}—{batch[-1].number}）"


def _fault(answer: TopicStarts, numbers: set[int]) -> str:
    """Order and repeats carry no meaning and are put right; a number outside the batch, context included,
    shows that the answer cannot be relied on.
    """
    foreign = [number for number in answer.starts if number not in numbers]
    if not foreign:
        return ""
    named = "、".join(str(number) for number in foreign[:_NUMBERS_NAMED])
    return f"起点不在本批段落之内：{named}"


def _touching(batch: Batch, issues: Sequence[Issue]) -> tuple[Issue, ...]:
    first, last = batch[0].number, batch[-1].number
    return tuple(issue for issue in issues if issue.start <= last and issue.end >= first)


def _feedback(cut: Cut, issues: Sequence[Issue], suggestion: str) -> str:
    before = "、".join(str(number) for number in cut.starts) or "无"
    lines = [f"上一轮本批的起点：{before}"]
    lines += [
        f"段落 {issue.start}—{issue.end}（上一轮的第 {issue.segment} 组）：{issue.issue[:_LONGEST_REMARK]}"
        for issue in issues
    ]
    if suggestion:
        lines.append(f"整体建议：{suggestion[:_LONGEST_REMARK]}")
    return "\n".join(lines)
