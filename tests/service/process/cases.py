"""A guide over the sample workbooks, and what is said to it."""

from datetime import date
from functools import cache
from itertools import count

from ingestion.analyzer import Analyzer
from ingestion.terms import load_terms
from rules.table import Process
from service.config import ASSETS
from service.evaluation.process import load_processes
from service.process.acts import Acts, load_acts
from service.process.case import Desk
from service.process.filling import Profile
from service.process.guide import Guide
from service.process.reply import Reply
from tests.conftest import REPOSITORY

TODAY = date(2026, 11, 16)
FOURTH = REPOSITORY / "tests" / "cases" / "process"
BUYER = Profile("总部/信息技术部")


@cache
def acts() -> Acts:
    return load_acts(ASSETS / "data" / "terms" / "acts.csv")


@cache
def analyzer() -> Analyzer:
    return Analyzer(load_terms(ASSETS / "data" / "terms"))


@cache
def processes() -> tuple[Process, ...]:
    return tuple(load_processes(ASSETS / "data" / "processes"))


def guide(
    of: tuple[Process, ...] | None = None, earlier: tuple[Process, ...] = (), day: date = TODAY
) -> Guide:
    """`earlier` are versions that cases may have begun with."""
    ids = count(1)
    known = {(process.id, process.digest): process for process in earlier}
    return Guide(
        processes() if of is None else of,
        acts(),
        analyzer(),
        day,
        lambda: f"case-{next(ids)}",
        lambda id_, digest: known.get((id_, digest)),
    )


def process(id_: str) -> Process:
    return next(each for each in processes() if each.id == id_)


def said_until(*messages: str, profile: Profile = BUYER, by: Guide | None = None) -> Desk:
    """What lies open after messages said one after the other."""
    speaking, desk = by or guide(), Desk()
    for message in messages:
        desk, _ = speaking.turn(desk, message, profile)
    return desk


def talk(*messages: str, profile: Profile = BUYER, by: Guide | None = None) -> list[Reply]:
    """The replies to messages said one after the other."""
    speaking, desk, replies = by or guide(), Desk(), []
    for message in messages:
        desk, reply = speaking.turn(desk, message, profile)
        replies.append(reply)
    return replies
