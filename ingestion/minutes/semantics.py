"""审稿编辑: whether the cut makes sense. Reads every paragraph of every segment; never passes what it did not
read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field, StrictBool, StrictInt

from ingestion.minutes.agent import Agent, RunLog
from ingestion.minutes.asking import Asker
from ingestion.minutes.batching import CountTokens, line_tokens, numbered, numbered_context
from ingestion.minutes.segmentation import Issue, Review, ReviewState, Segment
from ingestion.minutes.transcript import Paragraph

STEP = "minutes/review"


class Objection(BaseModel):
    semantics_index: StrictInt = Field(description="模块编号")
    issue: str = Field(description="具体问题，写明涉及的段落编号")


class Verdict(BaseModel):
    """A model's answer."""

    passed: StrictBool = Field(description="没有任何问题时为 true")
    issues: list[Objection] = Field(description="通过时为空")
    suggestion: str = Field(description="整体改进建议，通过时为 OK")


@dataclass(frozen=True, slots=True)
class _Piece:
    """Consecutive paragraphs of one segment, as they are read in one call."""

    segment: Segment
    paragraphs: tuple[Paragraph, ...]

    @property
    def heading(self) -> str:
        first, last = self.paragraphs[0].number, self.paragraphs[-1].number
        whole = (first, last) == (self.segment.start, self.segment.end)
        part = "" if whole else f"，这里只有其中的 {first}—{last}"
        topic = self.segment.described.topic or "（未拟出）"
        whole_range = f"段落 {self.segment.start}—{self.segment.end}{part}"
        return f"=== 模块 {self.segment.index}｜主题：{topic}｜{whole_range} ==="

    @property
    def lines(self) -> list[str]:
        return [self.heading, *map(numbered, self.paragraphs)]


_Sheet = tuple[_Piece, ...]  # what is read in one call


class SemanticValidationAgent(Agent):
    name = "审稿编辑(SemanticValidationAgent)"

    def __init__(
        self, run_log: RunLog, asker: Asker, count_tokens: CountTokens, max_tokens: int, overlap: int
    ) -> None:
        """`max_tokens` bounds the segments' lines and headings of one call; the last `overlap` paragraphs of
        the call before come along as context, so that the seam between two calls is judged too.
        """
        super().__init__(run_log)
        self._asker = asker
        self._count_tokens = count_tokens
        self._max_tokens = max_tokens
        self._overlap = overlap

    def run(self, segments: Sequence[Segment], groups: Sequence[Sequence[Paragraph]]) -> Review:
        """`groups` are the segments' paragraphs. PASSED only when all calls were answered and none objects.

        NOT_REVIEWED keeps the issues of the calls that were answered.
        """
        if not self._asker.alive or not segments:
            self._log("没有可用的模型，未审稿" if segments else "没有可审的内容")
            return Review(ReviewState.NOT_REVIEWED)
        sheets = list(self._sheets(segments, groups))
        verdicts = [self._verdict(sheets, position) for position in range(len(sheets))]
        read = [verdict for verdict in verdicts if verdict is not None]
        issues = tuple(_issues(read, segments))
        suggestion = "；".join(dict.fromkeys(each.suggestion.strip() for each in read if each.issues))
        state = ReviewState.FAILED if issues else ReviewState.PASSED
        if len(read) < len(sheets):
            self._log(f"{len(sheets)} 份稿件中 {len(sheets) - len(read)} 份没有得到有效意见，不算通过")
            state = ReviewState.NOT_REVIEWED
        self._log(f"发现 {len(issues)} 处问题" if issues or state is not ReviewState.PASSED else "通过")
        return Review(state, issues, suggestion)

    def _sheets(
        self, segments: Sequence[Segment], groups: Sequence[Sequence[Paragraph]]
    ) -> Iterator[_Sheet]:
        """Whole paragraphs up to the bound; a longer paragraph is a sheet of its own."""
        sheet: list[_Piece] = []
        used = 0
        for segment, group in zip(segments, groups, strict=True):
            heading = line_tokens(_Piece(segment, tuple(group[-1:])).heading, self._count_tokens)
            held: list[Paragraph] = []
            for paragraph in group:
                tokens = line_tokens(numbered(paragraph), self._count_tokens)
                needed = tokens if held else tokens + heading
                if (sheet or held) and used + needed > self._max_tokens:
                    yield tuple([*sheet, _Piece(segment, tuple(held))] if held else sheet)
                    sheet, held, used = [], [], 0
                    needed = tokens + heading
                held.append(paragraph)
                used += needed
            sheet.append(_Piece(segment, tuple(held)))
        if sheet:
            yield tuple(sheet)

    def _verdict(self, sheets: Sequence[_Sheet], position: int) -> Verdict | None:
        sheet = sheets[position]
        before = sheets[position - 1][-1].paragraphs if position else ()
        context = before[-self._overlap :] if self._overlap else ()
        lines = [*map(numbered_context, context), *(line for piece in sheet for line in piece.lines)]
        indexes = {piece.segment.index for piece in sheet}
        self._log(f"审阅第 {position + 1}/{len(sheets)} 份：模块 {min(indexes)}—{max(indexes)}")
        variables = {"segments": "\n".join(lines)}
        return self._asker.ask(
            STEP, variables, Verdict, lambda verdict: _fault(verdict, indexes), self._log
        ).usable


def _fault(verdict: Verdict, indexes: set[int]) -> str:
    if verdict.passed == bool(verdict.issues):
        return "passed 与 issues 自相矛盾：有问题才不通过，不通过须写明问题"
    if any(each.semantics_index not in indexes for each in verdict.issues):
        return "issues 里有本次没有的模块编号"
    if not all(each.issue.strip() for each in verdict.issues):
        return "issues 里有没写明的问题"
    return ""


def _issues(verdicts: Sequence[Verdict], segments: Sequence[Segment]) -> Iterator[Issue]:
    """By paragraphs, since after the next cut the indexes mean other segments."""
    by_index = {segment.index: segment for segment in segments}
    for verdict in verdicts:
        for each in verdict.issues:
            segment = by_index[each.semantics_index]
            yield Issue(segment.index, segment.start, segment.end, each.issue.strip())
