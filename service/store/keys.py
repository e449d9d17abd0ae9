"""API keys: 256 random bits, shown once, stored as their SHA-256, revocable."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from sqlalchemy import select

from service.access import Principal, Role
from service.errors import NotFound
from service.store.database import Database
from service.store.models import ApiKeyRow, now

PREFIX = "zx-"


@dataclass(frozen=True, slots=True)
class ApiKey:
    id: str
    principal: Principal
    created_at: datetime
    revoked_at: datetime | None


class KeyStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    def create(
        self, name: str, role: Role, department: str = "", groups: tuple[str, ...] = ()
    ) -> tuple[str, str]:
        """(id, key). The key is not kept and cannot be shown again."""
        key = PREFIX + secrets.token_urlsafe(32)
        row = ApiKeyRow(
            id=str(uuid4()),
            key_sha256=_digest(key),
            name=name,
            department=department,
            groups=list(groups),
            role=role.value,
        )
        with self._database.session() as session:
            session.add(row)
        return row.id, key

    def principal(self, key: str) -> Principal | None:
        """Who holds this key; nobody when it is unknown or revoked."""
        statement = select(ApiKeyRow).where(
            ApiKeyRow.key_sha256 == _digest(key), ApiKeyRow.revoked_at.is_(None)
        )
        with self._database.session() as session:
            row = session.scalar(statement)
            return _principal(row) if row else None

    def list(self) -> list[ApiKey]:
        with self._database.session() as session:
            rows = session.scalars(select(ApiKeyRow).order_by(ApiKeyRow.created_at))
            return [ApiKey(row.id, _principal(row), row.created_at, row.revoked_at) for row in rows]

    def revoke(self, key_id: str) -> None:
        with self._database.session() as session:
            row = session.get(ApiKeyRow, key_id)
            if row is None:
                raise NotFound("没有这个密钥")
            row.revoked_at = row.revoked_at or now()


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _principal(row: ApiKeyRow) -> Principal:
    return Principal(
        id=f"key:{row.id}",
        name=row.name,
        department=row.department,
        groups=tuple(row.groups),
        role=Role(row.role),
    )
