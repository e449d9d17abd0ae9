"""How one value that was read compares with the one it should be."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from pydantic import JsonValue


class Verdict(StrEnum):
    RIGHT = "right"
    REFUSED = "refused"
    DIFFERS = "differs"  # inexact, and not as the source has it
    WRONG = "wrong"  # an exact value that the source does not have
    NOT_AIMED = "not_aimed"  # a form that is not read here: times of day, periods, several at once


@dataclass(frozen=True, slots=True)
class Judged:
    verdict: Verdict
    got: str = ""


Judge: TypeAlias = Callable[[str, JsonValue, JsonValue], Judged]
"""Text, the moment it was said, and the source's value in its own form."""

NOT_AIMED = Judged(Verdict.NOT_AIMED)


def judged(got: object, *, right: bool, exact: bool) -> Judged:
    """`got` None is a refusal."""
    if got is None:
        return Judged(Verdict.REFUSED)
    return Judged(Verdict.RIGHT if right else Verdict.WRONG if exact else Verdict.DIFFERS, str(got))
