"""Asking a model until its answer fits, and never again once it cannot be reached."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from ingestion.errors import ModelFailure
from ingestion.protocols import Chat

Output = TypeVar("Output", bound=BaseModel)

NO_PROBLEM = "无"
UNUSABLE = "上一次的回答不符合格式"
_LONGEST_PROBLEM = 80  # characters: a prompt's inline value may be no longer


@dataclass(frozen=True, slots=True)
class Asked(Generic[Output]):
    """`value` is the last answer of the right type, if any came; `problem` says why it may not be used."""

    value: Output | None
    problem: str = ""

    @property
    def usable(self) -> Output | None:
        return None if self.problem else self.value


class Asker:
    """The model as one run sees it: alive until a call fails for a reason that the next would meet too."""

    def __init__(self, chat: Chat | None, retry: int) -> None:
        self._chat = chat
        self._retry = retry

    @property
    def alive(self) -> bool:
        return self._chat is not None

    def ask(
        self,
        step: str,
        variables: Mapping[str, object],
        output_type: type[Output],
        fault: Callable[[Output], str],
        log: Callable[[str], None],
    ) -> Asked[Output]:
        """One step, tried again while `fault` finds something wrong, which the prompt's `problem` then tells.

        `fault` is empty for a good answer; its words are ours, at most 80 characters of them are sent.
        """
        last: Asked[Output] = Asked(None, "没有可用的模型")
        for attempt in range(1, self._retry + 2):
            if self._chat is None:
                break
            problem = NO_PROBLEM if attempt == 1 else last.problem[:_LONGEST_PROBLEM]
            try:
                value = self._chat.run(step, {**variables, "problem": problem}, output_type)
            except ModelFailure as failure:
                if failure.lasting:
                    self._chat = None
                    log(f"模型不可用，本次不再调用：{_one_line(failure)}")
                    break
                log(f"第 {attempt} 次没有得到可用的回答：{_one_line(failure)}")
                last = Asked(last.value, UNUSABLE)
                continue
            last = Asked(value, fault(value))
            if not last.problem:
                break
            log(f"第 {attempt} 次的回答不能用：{last.problem}")
        return last


def _one_line(failure: ModelFailure) -> str:
    return " ".join(failure.message.split())
