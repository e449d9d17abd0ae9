"""Expressions of time that belong together: 从3月到6月, 八月和十一月, 去年以来, 上个季度，就是八月."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

from service.minutes.period_days import Days
from service.minutes.period_words import Mention, in_year


class Edge(StrEnum):
    """What bounds a stretch that is open to one side."""

    NONE = "none"
    SINCE = "since"  # 以来
    AFTER = "after"  # 之后
    BEFORE = "before"  # 之前
    STARTING = "starting"  # 起: from when something holds
    UNTIL = "until"  # 为止, 截至


@dataclass(frozen=True, slots=True)
class Group:
    """`mention` is the last of its mentions; `parts` and `spans` are in their order."""

    start: int
    end: int
    parts: tuple[Days, ...]
    spans: tuple[tuple[int, int], ...]
    mention: Mention
    edge: Edge = Edge.NONE


_FROM = re.compile(r"(?:从|自从?|由)$")
_TO = re.compile(r" *起?(?:到|至|直到|-|~|—{1,2}|–) *")
_AND = re.compile(r" *(?:和|与|跟|及|以及|、|还有|相比|比|对比) *")
_NAMELY = re.compile(r"[,( ]*(?:也?就是说?|即|具体是?|主要是?|尤其是?)?[, ]*")
_UNTIL_FRONT = re.compile(r"(?:截止到?|截至|不晚于|到)$")
_EDGES: tuple[tuple[Edge, re.Pattern[str]], ...] = (
    (Edge.SINCE, re.compile(r" *(?:以来|至今|到现在|到今天)")),
    (Edge.BEFORE, re.compile(r" *(?:及|或)?(?:之前|以前|前(?![台往面期来天去年几两一三者]))")),
    (Edge.AFTER, re.compile(r" *(?:及|或)?(?:之后|以后|后(?![勤来面台续天年半期]))")),
    (Edge.STARTING, re.compile(r" *(?:起(?![草来码诉价点])|开始)")),
    (Edge.UNTIL, re.compile(r" *(?:为止|止(?!损))")),
)


def groups(text: str, found: Sequence[Mention], today: date) -> list[Group]:
    """Of `plain` text, in order."""
    made: list[Group] = []
    left = list(found)
    while left:
        group = _alone(text, left.pop(0), made)
        if left:
            reached = _reaching(text, group, left[0], today)
            if reached is not None:
                group = reached
                left.pop(0)
        group = _bounded(text, group)
        joined = _joined(text, made[-1], group) if made else None
        if joined is None:
            made.append(group)
        else:
            made[-1] = joined
    return made


def _alone(text: str, mention: Mention, before: Sequence[Group]) -> Group:
    """去年八月和十一月: a month beside one whose year is said is of that year."""
    if mention.floating and before and not before[-1].mention.floating and before[-1].mention.days.first:
        between = text[before[-1].end : mention.start]
        if _AND.fullmatch(between) or (_NAMELY.fullmatch(between) and before[-1].mention.whole_year):
            mention = in_year(mention, before[-1].mention.days.first.year) or mention
    span = (mention.start, mention.end)
    return Group(*span, (mention.days,), (span,), mention)


def _reaching(text: str, group: Group, second: Mention, today: date) -> Group | None:
    """从2025年3月到6月, 五月到七月: all between; None when they are no two ends."""
    first = group.mention
    if not _TO.fullmatch(text[first.end : second.start]) or not first.days.first:
        return None
    ends = _ends(first, second, today)
    if ends is None:
        return None
    front = _FROM.search(text, 0, first.start)
    span = (front.start() if front else first.start, second.end)
    mention = replace(second, days=ends, whole_year=False, one_day=False)
    return Group(*span, (ends,), (span,), mention)


def _ends(first: Mention, second: Mention, today: date) -> Days | None:
    """A year that is said at one end holds for both; where none is, the last time that has begun."""
    if first.floating and not second.floating and second.days.first:
        first = in_year(first, second.days.first.year) or first
    low = first.days.first
    if low is None:
        return None
    if second.floating:
        same = in_year(second, low.year)
        if same and same.days.last and same.days.last < low and first.floating and low.year < today.year:
            same = in_year(second, low.year + 1)
        elif same and same.days.last and same.days.last < low and first.floating:
            low, same = low.replace(year=low.year - 1, day=1), in_year(second, low.year)
        second = same or second
    last = second.days.last
    return Days(low, last) if last and low < last else None


def _bounded(text: str, group: Group) -> Group:
    days = group.parts[-1]
    for edge, pattern in _EDGES:
        match = pattern.match(text, group.end)
        if match and days.first and days.last:
            front = _FROM.search(text, 0, group.start)
            start = front.start() if front else group.start
            spans = ((start, match.end()),)
            return replace(
                group, start=start, end=match.end(), spans=spans, parts=(_open(days, edge),), edge=edge
            )
    if _UNTIL_FRONT.search(text, 0, group.start) and days.last:
        return replace(group, parts=(Days(None, days.last),), edge=Edge.UNTIL)
    return group


def _open(days: Days, edge: Edge) -> Days:
    first, last = days.first, days.last
    if edge is Edge.AFTER:
        return Days(last + timedelta(days=1), None) if last and last < date.max else Days(last, None)
    if edge is Edge.BEFORE:
        return Days(None, first - timedelta(days=1)) if first and first > date.min else Days(None, first)
    return Days(None, last) if edge is Edge.UNTIL else Days(first, None)


def _joined(text: str, first: Group, second: Group) -> Group | None:
    """Two that are compared, or one that says the other more exactly; None when neither."""
    if first.edge is not Edge.NONE or second.edge not in (Edge.NONE, Edge.STARTING):
        return None
    between = text[first.end : second.start]
    spans = (*first.spans, *second.spans)
    if _NAMELY.fullmatch(between) and second.parts[0].within(first.parts[-1]):
        return replace(second, start=first.start, spans=spans)
    if _AND.fullmatch(between) and second.edge is Edge.NONE:
        return replace(second, start=first.start, spans=spans, parts=(*first.parts, *second.parts))
    return None
