"""排期员: paragraphs into batches that a model can read at once. No paragraph is ever split."""

from collections.abc import Callable, Sequence

from ingestion.minutes.agent import Agent, RunLog
from ingestion.minutes.transcript import Paragraph

CountTokens = Callable[[str], int]
Batch = tuple[Paragraph, ...]


def numbered(paragraph: Paragraph) -> str:
    """A paragraph as a model reads it."""
    return f"[{paragraph.number}] {paragraph.text}"


def numbered_context(paragraph: Paragraph) -> str:
    """A paragraph that a model reads but does not judge."""
    return f"[{paragraph.number}][context] {paragraph.text}"


def line_tokens(line: str, count_tokens: CountTokens) -> int:
    """What a line costs in a prompt, its line end included."""
    return count_tokens(f"{line}\n")


class BatchingAgent(Agent):
    name = "排期员(BatchingAgent)"

    def __init__(self, run_log: RunLog, count_tokens: CountTokens, max_tokens: int) -> None:
        """`max_tokens` bounds the lines `[n] text` of a batch, counted exactly."""
        super().__init__(run_log)
        self._count_tokens = count_tokens
        self._max_tokens = max_tokens

    def run(self, paragraphs: Sequence[Paragraph]) -> tuple[Batch, ...]:
        """All paragraphs in order. One that is longer than a batch is a batch of its own."""
        batches: list[Batch] = []
        current: list[Paragraph] = []
        used = 0
        for paragraph in paragraphs:
            tokens = line_tokens(numbered(paragraph), self._count_tokens)
            if current and used + tokens > self._max_tokens:
                batches.append(tuple(current))
                current, used = [], 0
            current.append(paragraph)
            used += tokens
        if current:
            batches.append(tuple(current))
        self._log(f"{len(paragraphs)} 段分为 {len(batches)} 批，每批不超过 {self._max_tokens} token")
        return tuple(batches)
