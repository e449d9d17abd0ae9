"""The knobs of the line of agents."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class MinutesSettings:
    """Raises ValueError for a value that no run could work with.

    `retry` counts the tries after the first. `max_iterations` bounds the rounds of cutting and review.
    """

    max_tokens_per_batch: int = 4000
    overlap: int = 5  # paragraphs of the previous batch shown as context
    metadata_batch_size: int = 5  # segments described in one call
    retry: int = 3
    max_iterations: int = 5
    skip_semantic_validate: bool = False

    def __post_init__(self) -> None:
        if min(self.max_tokens_per_batch, self.metadata_batch_size, self.max_iterations) < 1:
            raise ValueError("每批 token 数、每次描述的段数、最多轮次都至少为 1")
        if min(self.overlap, self.retry) < 0:
            raise ValueError("参考段落数与重试次数不能为负")
