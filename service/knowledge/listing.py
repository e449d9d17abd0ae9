"""Lists and steps 清单与步骤: when a question asks for them, everything under the head that leads to them."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.knowledge.lines import QUOTABLE, Line, Role, under
from service.knowledge.row_choice import RowChoice
from service.knowledge.weighing import Weighing

LIST_SENTENCES, LIST_CHARACTERS = 12, 800
_MEMBERS = 0.5  # worth of what only the members say, against what the head says
_ITEMIZED = 1.5  # a numbered list is what a list question asks for
_HEADS = frozenset({Role.LEAD, Role.HEADING, Role.QUESTION})

_LIST = re.compile(r"哪些|哪几|步骤|流程|手续|程序|材料|清单|列出|列举|有何|分别|几种|几类|条件|要求")
_STEPS = re.compile(r"怎么(?!样|算|规定|收费|说)|如何|怎样|步骤|流程|手续|程序")


def asks_list(asked: str) -> bool:
    return bool(_LIST.search(asked)) or asks_steps(asked)


def asks_steps(asked: str) -> bool:
    return bool(_STEPS.search(asked))


@dataclass(frozen=True, slots=True)
class Listing:
    """A list in reading order with its lead-in, cut to the limits; `worth` compares with a sentence's."""

    lines: tuple[Line, ...]
    worth: float


def best_listing(asked: str, lines: Sequence[Line], weighing: Weighing, rows: RowChoice) -> Listing | None:
    """The list whose head speaks most of the question; None when there is none under a head that does."""
    found = (_listing(asked, head, lines, weighing, rows) for head in lines if head.role in _HEADS)
    return max((one for one in found if one is not None), key=lambda one: one.worth, default=None)


def _listing(
    asked: str, head: Line, lines: Sequence[Line], weighing: Weighing, rows: RowChoice
) -> Listing | None:
    own = weighing.held(head.text)
    members = [line for line in _directly_under(head, lines) if not rows.excludes(line)]
    parts = sum(line.role is not Role.PLAIN for line in members)
    if not own or parts < 2 and not (asks_steps(asked) and len(members) > 1):
        return None
    said = weighing.held("\n".join(line.text for line in members))
    added = math.fsum(share for unit, share in said.items() if unit not in own)
    worth = (weighing.share(head) + _MEMBERS * added) * weighing.trust(head)
    if any(line.role is Role.ITEM for line in members):
        worth *= _ITEMIZED
    chosen = [head, *members] if head.role is Role.LEAD else members
    return Listing(tuple(_within_limits(chosen)), worth)


def _directly_under(head: Line, lines: Sequence[Line]) -> Iterator[Line]:
    """What may be quoted under `head` with no nearer head between."""
    nearer = {line.place for line in lines if line.passage == head.passage and line.role in _HEADS}
    for line in under(head, lines):
        if line.role in QUOTABLE and [place for place in line.heads if place in nearer][-1] == head.place:
            yield line


def _within_limits(members: Sequence[Line]) -> list[Line]:
    chosen: list[Line] = []
    used = 0
    for line in members:
        used += line.length
        if chosen and (len(chosen) == LIST_SENTENCES or used > LIST_CHARACTERS):
            break
        chosen.append(line)
    return chosen
