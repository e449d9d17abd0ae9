"""The audit log: who did what to which thing. Never holds secrets or document text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from service.access import Principal
from service.logs import request_id
from service.store.models import AuditRow


@dataclass(frozen=True, slots=True)
class Line:
    """Who did what when; `details` are plain values."""

    at: datetime
    principal_id: str
    action: str
    details: Mapping[str, object]


def record(
    session: Session,
    principal: Principal,
    action: str,
    subject: str,
    details: Mapping[str, str | int | float | bool | None] | None = None,
) -> None:
    """Append one line, inside the transaction of the act itself."""
    session.add(
        AuditRow(
            id=str(uuid4()),
            principal_id=principal.id,
            action=action,
            subject=subject,
            details=dict(details or {}),
            request_id=request_id(),
        )
    )


def since(session: Session, moment: datetime, limit: int = 100) -> list[AuditRow]:
    statement = select(AuditRow).where(AuditRow.at >= moment).order_by(AuditRow.at.desc()).limit(limit)
    return list(session.scalars(statement))


def about(
    session: Session, subject: str, actions: Sequence[str], number: int = 1, page_size: int = 50
) -> tuple[list[Line], int]:
    """What was done to one thing, the latest first, and how much there is."""
    mine = (AuditRow.subject == subject) & AuditRow.action.in_(actions)
    latest = select(AuditRow).where(mine).order_by(AuditRow.at.desc(), AuditRow.id)
    rows = session.scalars(latest.offset((number - 1) * page_size).limit(page_size))
    lines = [Line(row.at, row.principal_id, row.action, dict(row.details)) for row in rows]
    return lines, session.scalar(select(func.count()).select_from(AuditRow).where(mine)) or 0
