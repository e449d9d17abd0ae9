"""Conversations, messages and the events each answer was streamed as; one owner, who alone sees them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import uuid4

from pydantic import JsonValue
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from service.access import Principal
from service.errors import NotFound
from service.store.database import Database
from service.store.models import ConversationRow, FeedbackRow, MessageEventRow, MessageRow, now
from service.store.upserts import upsert

TITLE_LENGTH = 24
Json = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Conversation:
    id: str
    title: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Message:
    """`body` is what was shown beside the text; `state` is `streaming`, `done`, `stopped` or
    `failed`."""

    id: str
    conversation_id: str
    role: str
    text: str
    state: str
    engine: str
    created_at: datetime
    body: Json = field(default_factory=dict)
    feedback: str | None = None


@dataclass(frozen=True, slots=True)
class StoredEvent:
    number: int
    event: str
    data: Json


class ConversationStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    def open(self, principal: Principal, conversation_id: str | None, first_words: str) -> Conversation:
        """The principal's conversation of that id, or a new one titled by its first words."""
        with self._database.session() as session:
            if conversation_id is not None:
                return _conversation(_owned(session, principal, conversation_id))
            row = ConversationRow(
                id=str(uuid4()), principal_id=principal.id, title=" ".join(first_words.split())[:TITLE_LENGTH]
            )
            session.add(row)
            session.flush()
            return _conversation(row)

    def recent(self, principal: Principal, page: int, page_size: int) -> tuple[Sequence[Conversation], int]:
        mine = ConversationRow.principal_id == principal.id
        with self._database.session() as session:
            total = session.scalar(select(func.count()).select_from(ConversationRow).where(mine)) or 0
            rows = session.scalars(
                select(ConversationRow)
                .where(mine)
                .order_by(ConversationRow.updated_at.desc(), ConversationRow.id)
                .offset((page - 1) * page_size)
                .limit(page_size)
            )
            return [_conversation(row) for row in rows], total

    def delete(self, principal: Principal, conversation_id: str) -> None:
        with self._database.session() as session:
            _owned(session, principal, conversation_id)
            session.execute(delete(ConversationRow).where(ConversationRow.id == conversation_id))

    def add(
        self, principal: Principal, conversation_id: str, role: str, text: str, state: str = "done"
    ) -> Message:
        with self._database.session() as session:
            conversation = _owned(session, principal, conversation_id)
            conversation.updated_at = now()
            row = MessageRow(
                id=str(uuid4()), conversation_id=conversation_id, role=role, text=text, state=state
            )
            session.add(row)
            session.flush()
            return _message(row, None)

    def finish(self, message_id: str, text: str, state: str, engine: str, body: Json) -> None:
        with self._database.session() as session:
            session.execute(
                update(MessageRow)
                .where(MessageRow.id == message_id)
                .values(text=text, state=state, engine=engine, body=dict(body))
            )

    def messages(self, principal: Principal, conversation_id: str, limit: int = 500) -> list[Message]:
        """The newest `limit` messages, oldest first."""
        with self._database.session() as session:
            _owned(session, principal, conversation_id)
            rows = session.execute(
                select(MessageRow, FeedbackRow.rating)
                .outerjoin(
                    FeedbackRow,
                    (FeedbackRow.message_id == MessageRow.id) & (FeedbackRow.principal_id == principal.id),
                )
                .where(MessageRow.conversation_id == conversation_id)
                .order_by(MessageRow.created_at.desc(), MessageRow.role)
                .limit(limit)
            ).all()
        return [_message(row, rating) for row, rating in reversed(rows)]

    def message(self, principal: Principal, message_id: str) -> Message:
        """Raises NotFound; one of another person looks the same as an absent one."""
        with self._database.session() as session:
            row = session.get(MessageRow, message_id)
            conversation = session.get(ConversationRow, row.conversation_id) if row else None
            if row is None or conversation is None or conversation.principal_id != principal.id:
                raise NotFound("消息不存在")
            return _message(row, None)

    def save_events(self, message_id: str, events: Sequence[StoredEvent]) -> None:
        """Nothing is kept of a message whose conversation was deleted while it was being answered."""
        with self._database.session() as session:
            if session.get(MessageRow, message_id, with_for_update=True) is None:
                return
            session.add_all(
                MessageEventRow(
                    message_id=message_id, number=item.number, event=item.event, data=dict(item.data)
                )
                for item in events
            )

    def events(self, principal: Principal, message_id: str, after: int) -> list[StoredEvent]:
        self.message(principal, message_id)
        with self._database.session() as session:
            rows = session.scalars(
                select(MessageEventRow)
                .where(MessageEventRow.message_id == message_id, MessageEventRow.number > after)
                .order_by(MessageEventRow.number)
            )
            return [StoredEvent(row.number, row.event, row.data) for row in rows]

    def rate(self, principal: Principal, message_id: str, rating: str, comment: str) -> None:
        """The last rating of a person for a message counts."""
        self.message(principal, message_id)
        with self._database.session() as session:
            upsert(
                session,
                FeedbackRow,
                [
                    {
                        "message_id": message_id,
                        "principal_id": principal.id,
                        "rating": rating,
                        "comment": comment,
                        "created_at": now(),
                    }
                ],
            )

    def abandon_streaming(self) -> int:
        """At start-up: answers a crash cut off are marked, so that no client waits for them."""
        statement = update(MessageRow).where(MessageRow.state == "streaming").returning(MessageRow.id)
        with self._database.session() as session:
            marked = session.scalars(statement.values(state="failed")).all()
        return len(marked)


def _owned(session: Session, principal: Principal, conversation_id: str) -> ConversationRow:
    row = session.get(ConversationRow, conversation_id)
    if row is None or row.principal_id != principal.id:
        raise NotFound("会话不存在")
    return row


def _conversation(row: ConversationRow) -> Conversation:
    return Conversation(row.id, row.title, row.updated_at)


def _message(row: MessageRow, rating: str | None) -> Message:
    return Message(
        id=row.id,
        conversation_id=row.conversation_id,
        role=row.role,
        text=row.text,
        state=row.state,
        engine=row.engine,
        created_at=row.created_at,
        body=row.body,
        feedback=rating,
    )
