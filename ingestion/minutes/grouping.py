"""归档员: from the starts to contiguous groups. Every paragraph is in exactly one, by construction."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from ingestion.minutes.agent import Agent
from ingestion.minutes.transcript import Paragraph


class GroupingAgent(Agent):
    """A group reaches from one start to the paragraph before the next one."""

    name = "归档员(GroupingAgent)"

    def run(self, paragraphs: Sequence[Paragraph], starts: Iterable[int]) -> list[tuple[Paragraph, ...]]:
        """`starts` are paragraph numbers in any order. The first paragraph begins a group whether it is named
        or not; a number that no paragraph has begins none. No paragraphs, no groups.
        """
        named = set(starts)
        begins = [i for i, paragraph in enumerate(paragraphs) if i == 0 or paragraph.number in named]
        groups = [tuple(paragraphs[a:b]) for a, b in pairwise([*begins, len(paragraphs)])]
        self._log(f"{len(paragraphs)} 个段落归为 {len(groups)} 组")
        return groups
