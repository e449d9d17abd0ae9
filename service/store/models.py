"""Tables. Times are UTC, ids are strings and never positional; JSON columns hold plain lists and objects."""

from datetime import UTC, date, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Dialect,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy import DateTime as SqlDateTime
from sqlalchemy import String as SqlString
from sqlalchemy import Text as SqlText
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from service.storable import storable

NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class UtcDateTime(TypeDecorator[datetime]):
    """Stores UTC and returns aware datetimes, on SQLite (which keeps no zone) as on PostgreSQL."""

    impl = SqlDateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive datetime cannot be stored")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None or value.tzinfo is not None:
            return value
        return value.replace(tzinfo=UTC)


class Storable(TypeDecorator[str]):
    """Makes text storable, also what is only compared with a column, e.g. an id from an address."""

    impl = SqlString
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else storable(value)


class String(Storable):
    """Text of at most so many characters."""

    cache_ok = True


class Text(Storable):
    """Text of any length."""

    impl = SqlText
    cache_ok = True


def now() -> datetime:
    return datetime.now(UTC)


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map = {datetime: UtcDateTime, list[Any]: JSON, dict[str, Any]: JSON}


class DocumentRow(Base):
    """`by_hand` names the facts that a person has corrected: no later revision changes them."""

    __tablename__ = "documents"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    source_uri: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(Text)
    title_key: Mapped[str] = mapped_column(Text, index=True)
    knowledge_base: Mapped[str] = mapped_column(String(64), index=True)
    media_type: Mapped[str] = mapped_column(String(128))
    business_line: Mapped[str] = mapped_column(Text, default="")
    issuer: Mapped[str] = mapped_column(Text, default="")
    owner: Mapped[str] = mapped_column(Text, default="")
    labels: Mapped[list[Any]] = mapped_column(default=list)
    source_updated_at: Mapped[datetime | None]
    kind: Mapped[str] = mapped_column(String(16), default="document", index=True)
    meeting_date: Mapped[date | None]
    by_hand: Mapped[list[Any]] = mapped_column(default=list)
    created_at: Mapped[datetime] = mapped_column(default=now)


class RevisionRow(Base):
    """`phase` is the publish protocol's switch: publishing -> published -> deleting.

    What is known of the revision by itself (`stated_*`, `replaces`) is kept apart from its place among the
    others (`status`, `effective_*`, `supersedes`, `line_evidence`), which is worked out anew on every change.
    `by_hand` names the days that a person has set. `changed_in` is the `index_version` that last changed the
    revision or its document. `index_facts` is a fingerprint of what the index was last told, so that start-up
    can catch up.
    """

    __tablename__ = "revisions"
    __table_args__ = (UniqueConstraint("document_id", "content_sha256"),)

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    document_id: Mapped[str] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)
    content_sha256: Mapped[str] = mapped_column(String(64), index=True)
    file_name: Mapped[str] = mapped_column(Text)
    size: Mapped[int] = mapped_column(BigInteger)
    label: Mapped[str] = mapped_column(Text, default="")
    stated_status: Mapped[str] = mapped_column(String(16))
    stated_from: Mapped[date | None]
    stated_to: Mapped[date | None]
    replaces: Mapped[str | None] = mapped_column(String(36))
    by_hand: Mapped[list[Any]] = mapped_column(default=list)
    evidence_of_version: Mapped[list[Any]] = mapped_column(default=list)
    status: Mapped[str] = mapped_column(String(16))
    effective_from: Mapped[date | None]
    effective_to: Mapped[date | None]
    supersedes: Mapped[str | None] = mapped_column(String(36))
    line_evidence: Mapped[list[Any]] = mapped_column(default=list)
    phase: Mapped[str] = mapped_column(String(16), index=True)
    changed_in: Mapped[int] = mapped_column(BigInteger, default=0, index=True)
    index_facts: Mapped[str] = mapped_column(String(64), default="")
    chunk_count: Mapped[int] = mapped_column(default=0)
    keyword_stats: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    sketch: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    created_at: Mapped[datetime] = mapped_column(default=now)
    published_at: Mapped[datetime | None]


class RepealRow(Base):
    """A revision says that the document of this title is repealed 同时废止, from `effective_on` or else from
    the day on which the revision itself begins."""

    __tablename__ = "repeals"

    revision_id: Mapped[str] = mapped_column(ForeignKey("revisions.id", ondelete="CASCADE"), primary_key=True)
    title_key: Mapped[str] = mapped_column(Text, primary_key=True, index=True)
    effective_on: Mapped[date | None]


class RevisionContentRow(Base):
    """Apart from `revisions` so that listing documents does not read their text."""

    __tablename__ = "revision_contents"

    revision_id: Mapped[str] = mapped_column(ForeignKey("revisions.id", ondelete="CASCADE"), primary_key=True)
    text: Mapped[str] = mapped_column(Text)
    blocks: Mapped[list[Any]]
    state: Mapped[str] = mapped_column(String(16))
    report: Mapped[dict[str, Any]]
    file_metadata: Mapped[dict[str, Any]] = mapped_column(default=dict)


class ChunkRow(Base):
    __tablename__ = "chunks"
    __table_args__ = (Index("ix_chunks_revision_ordinal", "revision_id", "ordinal"),)

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    revision_id: Mapped[str] = mapped_column(ForeignKey("revisions.id", ondelete="CASCADE"))
    ordinal: Mapped[int]
    heading_path: Mapped[list[Any]]
    context: Mapped[str] = mapped_column(Text, default="")
    text: Mapped[str] = mapped_column(Text)
    char_start: Mapped[int]
    char_end: Mapped[int]
    anchors: Mapped[list[Any]]
    speakers: Mapped[list[Any]] = mapped_column(default=list)


class MeetingRow(Base):
    """A meeting's record as it was cut into topics, beside the revision that holds its text. `speakers` are
    the names it uses, for the directory of persons; `record` is a `store.meetings.MeetingRecord`."""

    __tablename__ = "meetings"

    revision_id: Mapped[str] = mapped_column(ForeignKey("revisions.id", ondelete="CASCADE"), primary_key=True)
    speakers: Mapped[list[Any]]
    engine: Mapped[str] = mapped_column(Text)
    paragraphs: Mapped[int]
    segments: Mapped[int]
    record: Mapped[dict[str, Any]] = mapped_column(deferred=True)


class TermStatRow(Base):
    """How many published chunks hold a term (by its 32-bit id); changes in the publish transaction."""

    __tablename__ = "term_stats"

    term: Mapped[int] = mapped_column(BigInteger, primary_key=True, autoincrement=False)
    chunks: Mapped[int]


class StateRow(Base):
    """Single numbers of the whole store: `index_version`, `published_chunks`."""

    __tablename__ = "state"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[int] = mapped_column(BigInteger)


class FileRow(Base):
    """Every file ever offered, with the one state it ended in. `id` is made of (knowledge base, source)."""

    __tablename__ = "files"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    knowledge_base: Mapped[str] = mapped_column(String(64))
    source_uri: Mapped[str] = mapped_column(Text)
    file_name: Mapped[str] = mapped_column(Text)
    content_sha256: Mapped[str] = mapped_column(String(64), index=True)
    size: Mapped[int] = mapped_column(BigInteger)
    modified_at: Mapped[datetime | None]
    state: Mapped[str] = mapped_column(String(16), index=True)
    reason: Mapped[str | None] = mapped_column(String(32))
    message: Mapped[str] = mapped_column(Text, default="")
    report: Mapped[dict[str, Any]] = mapped_column(default=dict)
    document_id: Mapped[str | None] = mapped_column(String(36), index=True)
    revision_id: Mapped[str | None] = mapped_column(String(36), index=True)
    task_id: Mapped[str | None] = mapped_column(String(36), index=True)
    labels: Mapped[list[Any]] = mapped_column(default=list)
    missing_since: Mapped[datetime | None]
    withdrawn: Mapped[list[Any]] = mapped_column(default=list)
    updated_at: Mapped[datetime] = mapped_column(default=now, index=True)


class TaskRow(Base):
    __tablename__ = "tasks"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    kind: Mapped[str] = mapped_column(String(32))
    state: Mapped[str] = mapped_column(String(32), index=True)
    principal_id: Mapped[str] = mapped_column(Text)
    total: Mapped[int] = mapped_column(default=0)
    done: Mapped[int] = mapped_column(default=0)
    failed: Mapped[int] = mapped_column(default=0)
    message: Mapped[str] = mapped_column(Text, default="")
    result: Mapped[dict[str, Any]] = mapped_column(default=dict)
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now)


class ConversationRow(Base):
    __tablename__ = "conversations"
    __table_args__ = (Index("ix_conversations_principal_updated", "principal_id", "updated_at"),)

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    principal_id: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(default=now)
    updated_at: Mapped[datetime] = mapped_column(default=now)


class MessageRow(Base):
    """`body` of an assistant's message holds what was shown with it: citations, references, refusal; and the
    question that it answers."""

    __tablename__ = "messages"
    __table_args__ = (Index("ix_messages_conversation_order", "conversation_id", "created_at"),)

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversations.id", ondelete="CASCADE"))
    role: Mapped[str] = mapped_column(String(16))
    text: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16))
    engine: Mapped[str] = mapped_column(Text, default="")
    body: Mapped[dict[str, Any]] = mapped_column(default=dict)
    created_at: Mapped[datetime] = mapped_column(default=now)


class MessageEventRow(Base):
    """The stream of one message, kept so that a dropped connection can resume."""

    __tablename__ = "message_events"

    message_id: Mapped[str] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    event: Mapped[str] = mapped_column(String(32))
    data: Mapped[dict[str, Any]]


class FeedbackRow(Base):
    """The last rating of a person for a message."""

    __tablename__ = "feedback"

    message_id: Mapped[str] = mapped_column(ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True)
    principal_id: Mapped[str] = mapped_column(Text, primary_key=True)
    rating: Mapped[str] = mapped_column(String(16))
    comment: Mapped[str] = mapped_column(Text, default="")
    created_at: Mapped[datetime] = mapped_column(default=now)


class AuditRow(Base):
    """Who did what to which thing, in which version. Never holds secrets or document text."""

    __tablename__ = "audit"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    at: Mapped[datetime] = mapped_column(default=now, index=True)
    principal_id: Mapped[str] = mapped_column(Text, index=True)
    action: Mapped[str] = mapped_column(String(64), index=True)
    subject: Mapped[str] = mapped_column(Text)
    details: Mapped[dict[str, Any]] = mapped_column(default=dict)
    request_id: Mapped[str] = mapped_column(String(64), default="")


class ApiKeyRow(Base):
    """Keys are shown once and stored as a SHA-256 of 256 random bits."""

    __tablename__ = "api_keys"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    key_sha256: Mapped[str] = mapped_column(String(64), unique=True)
    name: Mapped[str] = mapped_column(Text)
    department: Mapped[str] = mapped_column(Text, default="")
    groups: Mapped[list[Any]] = mapped_column(default=list)
    role: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[datetime] = mapped_column(default=now)
    revoked_at: Mapped[datetime | None]


class CachedAnswerRow(Base):
    """An answer that may be given again. `scope` digests all it was true under but the question."""

    __tablename__ = "cached_answers"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    scope: Mapped[str] = mapped_column(String(64), index=True)
    index_version: Mapped[int] = mapped_column(index=True)
    question: Mapped[str] = mapped_column(Text)
    vector: Mapped[bytes]
    answer: Mapped[dict[str, Any]]
    hits: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(default=now)
