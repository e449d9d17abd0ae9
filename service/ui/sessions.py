"""Who has signed in to the console: a random token in a cookie, the key behind it in this process only.

Nothing is written to disk; a restart signs everybody out. The key is looked up again for every action, so
that revoking it closes the pages that are open.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from service.access import LOCAL, Principal, Role
from service.bootstrap import Parts
from service.errors import Forbidden, NotAuthenticated
from service.store.keys import KeyStore
from service.wording import ROLES

COOKIE = "zhixing_console"
LIFETIME_S = 12 * 3600  # a working day; then the key is asked for again


@dataclass(frozen=True, slots=True)
class _Session:
    key: str
    ends: float


class Sessions:
    """Thread-safe. `clock` counts seconds."""

    def __init__(self, keys: KeyStore, clock: Callable[[], float] = time.monotonic) -> None:
        self._keys = keys
        self._clock = clock
        self._lock = Lock()
        self._open: dict[str, _Session] = {}

    def open(self, key: str) -> str | None:
        """A token for the bearer of this key; none when the key is unknown or revoked."""
        if self._keys.principal(key) is None:
            return None
        token, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            self._open = {known: session for known, session in self._open.items() if session.ends > now}
            self._open[token] = _Session(key, now + LIFETIME_S)
        return token

    def principal(self, token: str) -> Principal | None:
        with self._lock:
            session = self._open.get(token)
        if session is None or session.ends <= self._clock():
            return None
        return self._keys.principal(session.key)

    def close(self, token: str) -> None:
        with self._lock:
            self._open.pop(token, None)


@dataclass(frozen=True, slots=True)
class Visitor:
    """One page's visitor. Asked again before every action: the key may be gone since the page was opened."""

    parts: Parts
    sessions: Sessions
    token: str

    @classmethod
    def of(cls, request: Request, parts: Parts, sessions: Sessions) -> "Visitor":
        return cls(parts, sessions, request.cookies.get(COOKIE, ""))

    @property
    def signs_in(self) -> bool:
        """Whether keys are asked for at all."""
        return self.parts.settings.auth != "off"

    async def principal(self, role: Role = Role.CONTRIBUTOR) -> Principal:
        """Raises NotAuthenticated, or Forbidden when the role does not include `role`."""
        found = LOCAL
        if self.signs_in:
            known = await run_in_threadpool(self.sessions.principal, self.token)
            if known is None:
                raise NotAuthenticated("登录已失效，请重新登录")
            found = known
        if not found.allows(role):
            raise Forbidden(f"此页需要「{ROLES[role]}」角色，您的角色是「{ROLES[found.role]}」；请联系管理员")
        return found
