"""The audit log: who did what to which thing. Never holds secrets or document text."""

from collections.abc import Mapping
from datetime import datetime
from uuid import uuid4

from sqlalchemy import select
from sqlalchemy.orm import Session

from service.access import Principal
from service.logs import request_id
from service.store.models import AuditRow


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
