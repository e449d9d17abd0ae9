"""The tables of the process path: published workbooks, drafts, followed files, decisions."""

from datetime import date, datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from service.store.models import Base, String, Text, now


class ProcessVersionRow(Base):
    """One workbook that is or was published. `digest` is that of `rules.table.Process`.

    `ordinal` is the number of the change that published it last.
    `templates` are {name, digest, size}; `findings` those it was published with.
    """

    __tablename__ = "process_versions"

    process_id: Mapped[str] = mapped_column(String(64), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    version: Mapped[str] = mapped_column(Text, default="")
    effective_from: Mapped[date | None]
    effective_to: Mapped[date | None]
    state: Mapped[str] = mapped_column(String(16))
    ordinal: Mapped[int] = mapped_column(BigInteger)
    file_name: Mapped[str] = mapped_column(Text)
    workbook: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    templates: Mapped[list[Any]] = mapped_column(default=list)
    findings: Mapped[list[Any]] = mapped_column(default=list)
    published_at: Mapped[datetime]
    published_by: Mapped[str] = mapped_column(Text)
    withdrawn_at: Mapped[datetime | None]
    withdrawn_by: Mapped[str] = mapped_column(Text, default="")


class ProcessDraftRow(Base):
    """A workbook that is not published; a file that is followed has at most one, its `source` says which."""

    __tablename__ = "process_drafts"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    process_id: Mapped[str] = mapped_column(String(64), index=True)
    name: Mapped[str] = mapped_column(Text)
    version: Mapped[str] = mapped_column(Text, default="")
    digest: Mapped[str] = mapped_column(String(64))
    source: Mapped[str] = mapped_column(Text, index=True)
    file_name: Mapped[str] = mapped_column(Text)
    workbook: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    templates: Mapped[list[Any]] = mapped_column(default=list)
    findings: Mapped[list[Any]] = mapped_column(default=list)
    created_at: Mapped[datetime] = mapped_column(default=now)
    created_by: Mapped[str] = mapped_column(Text)


class ProcessSourceRow(Base):
    """A followed file as it was when it was last dealt with, so that a restart does not take it for new.

    `process_id` is that of the process it last held, so that what is wrong with it is told there.
    """

    __tablename__ = "process_sources"

    source: Mapped[str] = mapped_column(Text, primary_key=True)
    fingerprint: Mapped[str] = mapped_column(String(64))
    process_id: Mapped[str] = mapped_column(String(64))


class ProcessDecisionRow(Base):
    """What a process told someone: `inputs` are values by the field's code, `matched` {table, rules}."""

    __tablename__ = "process_decisions"
    __table_args__ = (Index("ix_process_decisions_process_at", "process_id", "at"),)

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    at: Mapped[datetime] = mapped_column(default=now)
    process_id: Mapped[str] = mapped_column(String(64))
    digest: Mapped[str] = mapped_column(String(64))
    version: Mapped[str] = mapped_column(Text, default="")
    principal_id: Mapped[str] = mapped_column(Text)
    origin: Mapped[str] = mapped_column(String(16))
    action: Mapped[str] = mapped_column(String(16))
    engine: Mapped[str] = mapped_column(Text)
    inputs: Mapped[dict[str, Any]] = mapped_column(default=dict)
    matched: Mapped[list[Any]] = mapped_column(default=list)
    request_id: Mapped[str] = mapped_column(String(64), default="")


class ProcessDeskRow(Base):
    """What lies open in a conversation, as JSON of `service.process.case`; goes with its conversation."""

    __tablename__ = "process_desks"

    conversation_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True
    )
    desk: Mapped[str] = mapped_column(Text)
    turns: Mapped[int] = mapped_column(BigInteger, default=0)
    updated_at: Mapped[datetime] = mapped_column(default=now)


class ProcessTurnRow(Base):
    """One message of a case with what was found in it, so that the case can be replayed."""

    __tablename__ = "process_turns"
    __table_args__ = (
        Index("ix_process_turns_conversation_number", "conversation_id", "number", unique=True),
    )

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    conversation_id: Mapped[str] = mapped_column(
        String(36), ForeignKey("conversations.id", ondelete="CASCADE")
    )
    number: Mapped[int] = mapped_column(BigInteger)
    message: Mapped[str] = mapped_column(Text)
    pieces: Mapped[list[Any]] = mapped_column(default=list)
    action: Mapped[str] = mapped_column(String(16))
    engine: Mapped[str] = mapped_column(Text)
    desk: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(default=now)
