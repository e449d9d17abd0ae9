"""What people asked, for the administrator: what got no answer, what did not help, what is asked often.

Reads what conversations keep of each answer; a question goes from here with its conversation.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from sqlalchemy import Select, func, select

from service.access import LOCAL, Principal, Role
from service.errors import Forbidden
from service.store.database import Database
from service.store.models import ApiKeyRow, FeedbackRow, MessageRow, now

DISLIKE = "dislike"
WINDOW_DAYS = 90  # how far back is looked unless told otherwise
FREQUENT = 2  # times the same is asked, to be worth a line
_BATCH = 1000
_NOT_WORD = re.compile(r"[\W_]+")
_POLITE = re.compile(r"^(?:请问|你好|您好|问一下|请教一下)+")


class Kind(StrEnum):
    """The lists there are."""

    UNANSWERED = "unanswered"
    DISLIKED = "disliked"
    FREQUENT = "frequent"


@dataclass(frozen=True, slots=True)
class Asked:
    """The same question however often it was asked; `question` in the words it was asked in last.

    `refused` of the `times` it got no answer, the last time for `reason`.
    """

    question: str
    times: int
    refused: int
    reason: str | None
    last_asked: datetime


@dataclass(frozen=True, slots=True)
class Disliked:
    """An answer that somebody rated as no help; `by` is their id, `name` empty where it is not known."""

    message_id: str
    question: str
    answer: str
    reason: str | None
    comment: str
    by: str
    name: str
    at: datetime


@dataclass(slots=True)
class _Count:
    question: str
    last_asked: datetime
    times: int = 0
    refused: int = 0
    reason: str | None = None

    def add(self, question: str, reason: str | None, at: datetime) -> None:
        """Rows come in the order they were asked."""
        self.question, self.last_asked = question, at
        self.times += 1
        if reason is not None:
            self.refused += 1
            self.reason = reason

    def done(self) -> Asked:
        return Asked(self.question, self.times, self.refused, self.reason, self.last_asked)


class QuestionLog:
    """For administrators only: every function raises Forbidden for others."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def unanswered(
        self, principal: Principal, page: int, page_size: int, days: int = WINDOW_DAYS
    ) -> tuple[Sequence[Asked], int]:
        """Refused at least once, those refused most often first."""
        found = [one for one in self._asked(principal, days) if one.refused]
        return _page(found, lambda one: (one.refused, one.last_asked), page, page_size)

    def frequent(
        self, principal: Principal, page: int, page_size: int, days: int = WINDOW_DAYS
    ) -> tuple[Sequence[Asked], int]:
        """Asked more than once, the most frequent first."""
        found = [one for one in self._asked(principal, days) if one.times >= FREQUENT]
        return _page(found, lambda one: (one.times, one.last_asked), page, page_size)

    def disliked(
        self, principal: Principal, page: int, page_size: int, days: int = WINDOW_DAYS
    ) -> tuple[Sequence[Disliked], int]:
        """The latest first."""
        _check(principal)
        bad = (FeedbackRow.rating == DISLIKE) & (FeedbackRow.created_at >= _since(days))
        statement = (
            select(MessageRow, FeedbackRow, ApiKeyRow.name)
            .join(FeedbackRow, FeedbackRow.message_id == MessageRow.id)
            .outerjoin(ApiKeyRow, FeedbackRow.principal_id == "key:" + ApiKeyRow.id)
            .where(bad)
            .order_by(FeedbackRow.created_at.desc(), MessageRow.id)
            .offset((page - 1) * page_size)
            .limit(page_size)
        )
        with self._database.session() as session:
            total = session.scalar(select(func.count()).select_from(FeedbackRow).where(bad)) or 0
            items = [
                Disliked(
                    message_id=message.id,
                    question=str(message.body.get("question", "")),
                    answer=message.text,
                    reason=(message.body.get("refusal") or {}).get("reason"),
                    comment=rating.comment,
                    by=rating.principal_id,
                    name=name or (LOCAL.name if rating.principal_id == LOCAL.id else ""),
                    at=rating.created_at,
                )
                for message, rating, name in session.execute(statement)
            ]
        return items, total

    def _asked(self, principal: Principal, days: int) -> list[Asked]:
        _check(principal)
        counts: dict[str, _Count] = {}
        with self._database.session() as session:
            rows = session.execute(_answers(days), execution_options={"yield_per": _BATCH})
            for question, reason, at in rows:
                key = question_key(question)
                counts.setdefault(key, _Count(question, at)).add(question, reason, at)
        return [count.done() for count in counts.values()]


def question_key(question: str) -> str:
    """What questions that differ only in signs, blanks, case and courtesy have in common."""
    folded = unicodedata.normalize("NFKC", question).casefold()
    return _POLITE.sub("", _NOT_WORD.sub("", folded)) or folded.strip()


def _answers(days: int) -> Select[str, str | None, datetime]:
    """(question, reason of the refusal, when) of every answer, in the order they were asked."""
    question = MessageRow.body["question"].as_string()
    reason = MessageRow.body[("refusal", "reason")].as_string()
    return (
        select(question, reason, MessageRow.created_at)
        .where(MessageRow.role == "assistant", MessageRow.created_at >= _since(days), question.is_not(None))
        .order_by(MessageRow.created_at, MessageRow.id)
    )


def _page(
    found: Iterable[Asked], rank: Callable[[Asked], tuple[int, datetime]], page: int, page_size: int
) -> tuple[Sequence[Asked], int]:
    ordered = sorted(found, key=rank, reverse=True)
    start = (page - 1) * page_size
    return ordered[start : start + page_size], len(ordered)


def _since(days: int) -> datetime:
    return now() - timedelta(days=days)


def _check(principal: Principal) -> None:
    if not principal.allows(Role.ADMIN):
        raise Forbidden("提问记录只有管理员能看")
