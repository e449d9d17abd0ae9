"""Places in a message: where its clauses stop, what is taken already, the core of a short answer. No words of
any process."""

import re
from collections.abc import Iterable, Iterator

Span = tuple[int, int]
"""From the first character to the one behind the last."""

MINUS = ("-", "－", "—", "–", "−", "负")
"""Signs that may stand in front of a number; some of them may be a dash as well."""

_CLAUSE = re.compile(r"[，。；！？、,;!?\n]")
_FILLER = re.compile(
    r"^(?:那就?|就|嗯|哦|啊|好的?|是|用|走|挂在|归到|算|按|选|我们?是?|在|写)+"
    r"|(?:的|吧|呢|啊|了|呀|哈|办|就行|就好|也行|都行)+$"
)


def same_clause(message: str, first: int, second: int) -> bool:
    return not _CLAUSE.search(message, first, second)


def stops(message: str) -> list[int]:
    """Where clauses end, that of the message left out."""
    return [match.start() for match in _CLAUSE.finditer(message)]


def clauses(message: str) -> Iterator[Span]:
    """Those that hold anything."""
    start = 0
    for stop in [*stops(message), len(message)]:
        if start < stop:
            yield start, stop
        start = stop + 1


def behind_filler(message: str, start: int, stop: int) -> int:
    """Past the words an answer begins with: 那就挂在行政部."""
    match = _FILLER.match(message[start:stop])
    return start + match.end() if match and match.end() < stop - start else start


def core(message: str) -> Span:
    """The place of an answer without the words around it; (0, 0) when nothing is left."""
    plain = message.strip().strip("。！!,.，")
    start = message.find(plain)
    end = start + len(plain)
    for match in _FILLER.finditer(plain):
        if match.start() == 0:
            start += match.end()
        elif match.end() == len(plain):
            end -= match.end() - match.start()
    return (start, end) if start < end else (0, 0)


def free(span: Span, taken: Iterable[Span]) -> bool:
    """Whether it overlaps with none of them."""
    return not any(span[0] < end and start < span[1] for start, end in taken)


def within(span: Span, others: Iterable[Span]) -> bool:
    """Whether it lies in one of them."""
    return any(first <= span[0] and span[1] <= last for first, last in others)
