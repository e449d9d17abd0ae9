"""文案编辑: what each segment is about. Never blocks: what nobody could describe is empty and flagged."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import BaseModel, Field

from ingestion.minutes.agent import Agent, RunLog
from ingestion.minutes.asking import Asker
from ingestion.minutes.batching import CountTokens, line_tokens, numbered
from ingestion.minutes.segmentation import Described
from ingestion.minutes.transcript import Paragraph

STEP = "minutes/metadata"
LONGEST_TOPIC = 15  # characters
FEWEST_KEYWORDS, MOST_KEYWORDS = 3, 5
FEWEST_SYNONYMS, MOST_SYNONYMS = 2, 4

_SAYS_NOTHING = re.compile(
    r"会议|讨论|交流|沟通|内容|问题|情况|汇报|相关|事项|议题|话题|主题|总结|其他|其它|发言|部分|工作|小结|开场|[\W\d_的与和及等]"
)

Group = Sequence[Paragraph]


class Description(BaseModel):
    topic: str = Field(description="15 字以内，具体到能与其他组区分")
    keywords: list[str] = Field(description="3 至 5 个关键词")
    synonyms: list[str] = Field(description="2 至 4 个同义或换一种说法的词")


class Descriptions(BaseModel):
    """A model's answer."""

    groups: list[Description] = Field(description="按组的顺序，每组一项")


@dataclass(frozen=True, slots=True)
class Title:
    described: Described
    by_model: bool

    @property
    def offline(self) -> bool:
        return not self.by_model and not self.described.flagged


class TopicFinder(Protocol):
    """Describes the groups of one meeting without a model, in words that stand in them."""

    def describe(self, groups: Sequence[Group]) -> list[Described]: ...


class MetadataAgent(Agent):
    name = "文案编辑(MetadataAgent)"

    def __init__(
        self,
        run_log: RunLog,
        finder: TopicFinder,
        asker: Asker,
        count_tokens: CountTokens,
        batch_size: int,
        max_tokens: int,
    ) -> None:
        """`batch_size` groups go in one call, each with at most `max_tokens` of its text (see `_excerpt`)."""
        super().__init__(run_log)
        self._finder = finder
        self._asker = asker
        self._count_tokens = count_tokens
        self._batch_size = batch_size
        self._max_tokens = max_tokens

    def run(self, groups: Sequence[Group], known: Mapping[int, Title] | None = None) -> tuple[Title, ...]:
        """One title a group. `known` ones, by the group's position from 0, are not asked for again."""
        titles = dict(known or {})
        open_positions = [position for position in range(len(groups)) if position not in titles]
        for start in range(0, len(open_positions), self._batch_size):
            if not self._asker.alive:
                break
            titles |= self._described(groups, open_positions[start : start + self._batch_size])
        if len(titles) < len(groups):
            found = self._finder.describe(groups)
            titles |= {at: Title(found[at], by_model=False) for at in open_positions if at not in titles}
        flagged = sum(title.described.flagged for title in titles.values())
        self._log(f"完成：{len(groups)} 组" + (f"，其中 {flagged} 组没有主题，已标记" if flagged else ""))
        return tuple(titles[position] for position in range(len(groups)))

    def _described(self, groups: Sequence[Group], positions: Sequence[int]) -> dict[int, Title]:
        """Of one call; nothing when the model died over it, so that the offline finder takes over."""
        self._log(f"为第 {'、'.join(str(at + 1) for at in positions)} 组拟主题，共 {len(groups)} 组")
        texts = [f"=== 第 {at + 1} 组 ===\n{self._excerpt(at, groups[at])}" for at in positions]
        variables = {"count": len(positions), "groups": "\n\n".join(texts)}
        asked = self._asker.ask(
            STEP, variables, Descriptions, lambda answer: _fault(answer, len(positions)), self._log
        )
        if not self._asker.alive:
            return {}
        answered = asked.value.groups if asked.value else []
        if len(answered) != len(positions):
            return {at: Title(Described(flagged=True), by_model=False) for at in positions}
        return {
            at: Title(_tidied(description), by_model=True)
            for at, description in zip(positions, answered, strict=True)
        }

    def _excerpt(self, position: int, group: Group) -> str:
        """Whole paragraphs from the first on, as many as a batch may hold, and at least one.

        Five long groups in one call would be refused for their length; what a topic is shows early.
        """
        lines: list[str] = []
        used = 0
        for paragraph in group:
            line = numbered(paragraph)
            used += line_tokens(line, self._count_tokens)
            if lines and used > self._max_tokens:
                left = len(group) - len(lines)
                self._log(f"第 {position + 1} 组太长，拟主题时略去后 {left} 段")
                return "\n".join([*lines, f"（以下略去 {left} 段）"])
            lines.append(line)
        return "\n".join(lines)


def _fault(answer: Descriptions, count: int) -> str:
    if len(answer.groups) != count:
        return f"应有 {count} 项，实有 {len(answer.groups)} 项"
    faults = (_description_fault(position, each) for position, each in enumerate(answer.groups, 1))
    return next((fault for fault in faults if fault), "")


def _description_fault(position: int, description: Description) -> str:
    topic = description.topic.strip()
    if not 0 < len(topic) <= LONGEST_TOPIC:
        return f"第 {position} 项的主题应为 1 至 {LONGEST_TOPIC} 个字"
    if not _SAYS_NOTHING.sub("", topic):
        return f"第 {position} 项的主题过于宽泛"
    if not FEWEST_KEYWORDS <= len(_distinct(description.keywords)) <= MOST_KEYWORDS:
        return f"第 {position} 项应有 {FEWEST_KEYWORDS} 至 {MOST_KEYWORDS} 个关键词"
    if not FEWEST_SYNONYMS <= len(_distinct(description.synonyms)) <= MOST_SYNONYMS:
        return f"第 {position} 项应有 {FEWEST_SYNONYMS} 至 {MOST_SYNONYMS} 个同义词"
    return ""


def _tidied(description: Description) -> Described:
    if _description_fault(1, description):
        return Described(flagged=True)
    return Described(
        description.topic.strip(), _distinct(description.keywords), _distinct(description.synonyms)
    )


def _distinct(words: Sequence[str]) -> tuple[str, ...]:
    stripped = (word.strip() for word in words)
    return tuple(dict.fromkeys(word for word in stripped if word))
