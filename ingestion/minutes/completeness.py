"""核稿员: nothing missing, nothing twice, nothing out of order, not one character more or less."""

from collections import Counter
from collections.abc import Sequence

from ingestion.minutes.agent import Agent
from ingestion.minutes.segmentation import Completeness, Segment
from ingestion.minutes.transcript import Transcript


class CompletenessValidationAgent(Agent):
    """Two locks: the segments' paragraphs are the transcript's as a sequence, and the characters are equal.

    The second is held against the raw file, not the paragraphs: its characters less the counted drops.
    """

    name = "核稿员(CompletenessValidationAgent)"

    def run(self, segments: Sequence[Segment], transcript: Transcript) -> Completeness:
        numbers = [paragraph.number for paragraph in transcript.paragraphs]
        lengths = {paragraph.number: len(paragraph.text) for paragraph in transcript.paragraphs}
        covered, foreign = _covered(segments, len(numbers))
        missing = Counter(numbers) - Counter(covered)
        original = transcript.raw_chars - sum(transcript.drops.values())
        chars = sum(lengths.get(number, 0) for number in covered)
        result = Completeness(
            passed=covered == numbers and not foreign and chars == original,
            total_paragraphs=len(numbers),
            missing_count=missing.total(),
            original_chars=original,
            covered_chars=chars,
            char_diff=chars - original,
        )
        self._tell(result)
        return result

    def _tell(self, result: Completeness) -> None:
        if result.passed:
            self._log(f"通过：{result.total_paragraphs} 个段落，{result.covered_chars} 字符，差值=0")
        else:
            self._log(
                f"未通过：共 {result.total_paragraphs} 个段落，缺 {result.missing_count} 个，"
                f"字符差值={result.char_diff}"
            )


def _covered(segments: Sequence[Segment], last: int) -> tuple[list[int], bool]:
    """The paragraph numbers of all segments in their order, and whether any lies outside 1 to `last`."""
    covered: list[int] = []
    foreign = False
    for segment in segments:
        foreign = foreign or segment.start < 1 or segment.end > last or segment.start > segment.end
        covered.extend(range(max(segment.start, 1), min(segment.end, last) + 1))
    return covered, foreign
