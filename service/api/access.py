"""Dependencies of routes: the application's parts, and who is asking."""

from dataclasses import replace
from typing import Annotated

from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool

from service.access import LOCAL, Principal, Role
from service.bootstrap import Parts
from service.errors import Forbidden, NotAuthenticated
from service.home import LOCAL_TOKEN


def parts_of(request: Request) -> Parts:
    parts: Parts = request.app.state.parts
    return parts


async def principal_of(request: Request) -> Principal:
    """The bearer of a key, the owner of the home folder, or the local default when authentication is off.

    Looked up once in a request. Raises NotAuthenticated.
    """
    known: Principal | None = getattr(request.state, "principal", None)
    if known is None:
        known = request.state.principal = await _identified(request)
    return known


async def _identified(request: Request) -> Principal:
    parts = parts_of(request)
    if parts.is_owner(request.headers.get(LOCAL_TOKEN, "")) or parts.settings.auth == "off":
        return replace(LOCAL, department=parts.settings.local_department)
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    key = bearer if scheme.lower() == "bearer" else request.headers.get("x-api-key", "")
    if not key:
        raise NotAuthenticated("需要密钥：请求头 Authorization: Bearer <密钥>")
    principal = await run_in_threadpool(parts.keys.principal, key.strip())
    if principal is None:
        raise NotAuthenticated("密钥无效或已吊销")
    return principal


class Requires:
    """A dependency that lets through only principals whose role includes `role`."""

    def __init__(self, role: Role) -> None:
        self._role = role

    async def __call__(self, principal: "Caller") -> Principal:
        if not principal.allows(self._role):
            raise Forbidden(f"此操作需要 {self._role.value} 角色")
        return principal


Service = Annotated[Parts, Depends(parts_of)]
Caller = Annotated[Principal, Depends(principal_of)]
Contributor = Annotated[Principal, Depends(Requires(Role.CONTRIBUTOR))]
ProcessAdmin = Annotated[Principal, Depends(Requires(Role.PROCESS_ADMIN))]
Administrator = Annotated[Principal, Depends(Requires(Role.ADMIN))]
