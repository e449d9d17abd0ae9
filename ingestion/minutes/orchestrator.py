"""总编辑: runs the line from a transcript's text to its segments.

Pre-processing and batching once; then rounds of cutting, grouping, describing and reviewing, each failed
review going back to the cutting with its issues; the best round is kept; the two locks last.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ingestion.minutes.agent import Agent, RunLog
from ingestion.minutes.asking import Asker
from ingestion.minutes.batching import Batch, BatchingAgent, CountTokens
from ingestion.minutes.boundaries import BoundaryDetectionAgent, Cut
from ingestion.minutes.completeness import CompletenessValidationAgent
from ingestion.minutes.grouping import GroupingAgent
from ingestion.minutes.lines import Layout
from ingestion.minutes.metadata import Group, MetadataAgent, Title, TopicFinder
from ingestion.minutes.preprocess import PreprocessAgent
from ingestion.minutes.segmentation import (
    OFFLINE,
    BoundaryDetector,
    Completeness,
    Review,
    ReviewState,
    Segment,
    Segmentation,
)
from ingestion.minutes.semantics import SemanticValidationAgent
from ingestion.minutes.settings import MinutesSettings
from ingestion.minutes.transcript import Transcript
from ingestion.protocols import Chat

_REVIEWED = {
    ReviewState.PASSED: "通过",
    ReviewState.FAILED: "未通过",
    ReviewState.NOT_REVIEWED: "未审",
    ReviewState.SKIPPED: "已跳过",
}


@dataclass(frozen=True, slots=True)
class Model:
    """`name` is the engine that results report."""

    name: str
    chat: Chat


@dataclass(frozen=True, slots=True)
class Equipment:
    """What all runs of a process share. Without a `model`, the detector and the finder do its work."""

    detector: BoundaryDetector
    topics: TopicFinder
    count_tokens: CountTokens
    settings: MinutesSettings = MinutesSettings()
    model: Model | None = None


@dataclass(frozen=True, slots=True)
class _Round:
    number: int
    cuts: tuple[Cut, ...]
    titles: tuple[Title, ...]
    segments: tuple[Segment, ...]
    review: Review

    @property
    def rank(self) -> tuple[bool, int]:
        """Less is better. What nobody reviewed may have any number of faults."""
        return self.review.state is ReviewState.NOT_REVIEWED, len(self.review.issues)

    @property
    def sound_titles(self) -> dict[tuple[int, int], Title]:
        """By the paragraphs they stand for: titles of segments that no issue is about."""
        faulty = {issue.segment for issue in self.review.issues}
        return {
            (segment.start, segment.end): title
            for segment, title in zip(self.segments, self.titles, strict=True)
            if segment.index not in faulty and not title.described.flagged
        }


class OrchestratorAgent(Agent):
    """Of one run: the asker forgets a dead model only with it."""

    name = "总编辑(OrchestratorAgent)"

    def __init__(self, run_log: RunLog, equipment: Equipment) -> None:
        super().__init__(run_log)
        settings, count = equipment.settings, equipment.count_tokens
        asker = Asker(equipment.model.chat if equipment.model else None, settings.retry)
        limit, overlap = settings.max_tokens_per_batch, settings.overlap
        self._settings = settings
        self._model = equipment.model
        self._asker = asker
        self._preprocess = PreprocessAgent(run_log)
        self._batching = BatchingAgent(run_log, count, limit)
        self._boundaries = BoundaryDetectionAgent(run_log, equipment.detector, asker, overlap)
        self._grouping = GroupingAgent(run_log)
        self._metadata = MetadataAgent(
            run_log, equipment.topics, asker, count, settings.metadata_batch_size, limit
        )
        self._semantics = SemanticValidationAgent(run_log, asker, count, limit, overlap)
        self._completeness = CompletenessValidationAgent(run_log)

    def run(self, text: str, name: str = "", layout: Layout = Layout.TEXT) -> Segmentation:
        """`text` is a file's decoded text, `name` the file's. Raises ValueError as `PreprocessAgent.run`."""
        return self.cut(self.read(text, name, layout))

    def read(self, text: str, name: str = "", layout: Layout = Layout.TEXT) -> Transcript:
        """The first step alone, for who looks at the record before a model does. Raises as `run`."""
        return self._preprocess.run(text, name, layout)

    def cut(self, transcript: Transcript) -> Segmentation:
        """All steps behind `read`."""
        batches = self._batching.run(transcript.paragraphs)
        kept, rounds = self._best_round(transcript, batches)
        completeness = self._completeness.run(kept.segments, transcript)
        self._tell(kept, rounds, completeness)
        return Segmentation(
            transcript=transcript,
            segments=kept.segments,
            completeness=completeness,
            review=kept.review,
            rounds=rounds,
            kept_round=kept.number,
            engine=self._engine(kept),
            run_log=tuple(self._run_log.lines),
        )

    def _best_round(self, transcript: Transcript, batches: Sequence[Batch]) -> tuple[_Round, int]:
        """The round that passes, or the one with the fewest issues, and how many there were."""
        best = last = self._round(1, transcript, batches, None)
        while last.review.issues and last.number < self._settings.max_iterations and self._asker.alive:
            self._log(f"第 {last.number} 轮有 {len(last.review.issues)} 处问题，带意见重新划分")
            last = self._round(last.number + 1, transcript, batches, last)
            best = min(last, best, key=lambda each: each.rank)
        if last.number > 1 and last.review.state is not ReviewState.PASSED:
            left = len(best.review.issues)
            self._log(f"{last.number} 轮后仍未通过，保留问题最少的第 {best.number} 轮（{left} 处）")
        return best, last.number

    def _round(
        self, number: int, transcript: Transcript, batches: Sequence[Batch], before: _Round | None
    ) -> _Round:
        self._log(f"第 {number}/{self._settings.max_iterations} 轮")
        if before is None:
            cuts = self._boundaries.run(batches)
        else:
            cuts = self._boundaries.run(batches, before.cuts, before.review)
        starts = [start for cut in cuts for start in cut.starts]
        groups = tuple(self._grouping.run(transcript.paragraphs, starts))
        known = before.sound_titles if before else {}
        spans = [(group[0].number, group[-1].number) for group in groups]
        titles = self._metadata.run(
            groups, {at: known[span] for at, span in enumerate(spans) if span in known}
        )
        segments = tuple(
            Segment(index, start, end, title.described)
            for index, ((start, end), title) in enumerate(zip(spans, titles, strict=True), 1)
        )
        return _Round(number, cuts, titles, segments, self._reviewed(segments, groups))

    def _reviewed(self, segments: Sequence[Segment], groups: Sequence[Group]) -> Review:
        if self._settings.skip_semantic_validate:
            self._log("按设置跳过审稿")
            return Review(ReviewState.SKIPPED)
        return self._semantics.run(segments, groups)

    def _engine(self, kept: _Round) -> str:
        by_model = any(cut.by_model for cut in kept.cuts) or any(title.by_model for title in kept.titles)
        offline = any(not cut.by_model for cut in kept.cuts) or any(title.offline for title in kept.titles)
        if self._model is None or not by_model:
            return OFFLINE
        return f"{self._model.name}+{OFFLINE}" if offline else self._model.name

    def _tell(self, kept: _Round, rounds: int, completeness: Completeness) -> None:
        locks = "通过" if completeness.passed else "未通过"
        self._log(
            f"处理完成：{len(kept.segments)} 个议题段，{rounds} 轮，引擎 {self._engine(kept)}，"
            f"完整性{locks}，审稿：{_REVIEWED[kept.review.state]}"
        )
