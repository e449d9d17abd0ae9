"""Registering a console page: who may see it is settled before anything of it is built."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from urllib.parse import quote

from fastapi import Request, Response
from fastapi.responses import RedirectResponse
from nicegui import ui

from ingestion.errors import IngestionError
from service.access import Principal, Role
from service.bootstrap import Parts
from service.errors import Forbidden, NotAuthenticated, ZhixingError
from service.ui.elements import link, words
from service.ui.frame import ROOMS, frame
from service.ui.sessions import Sessions, Visitor
from service.ui.sign_in import SIGN_IN


@dataclass(frozen=True, slots=True)
class Visit:
    """One opening of a page; its view and everything in it belongs to this visit alone."""

    visitor: Visitor
    principal: Principal
    request: Request

    @property
    def parts(self) -> Parts:
        return self.visitor.parts

    def asked(self, name: str) -> str:
        """A parameter of the address; empty when it is not given."""
        return self.request.path_params.get(name) or self.request.query_params.get(name, "")


LONGEST_S = 30.0  # to build a page; a workbook of thousands of rows on a busy machine takes seconds
Build = Callable[[Visit], Awaitable[None]]


def register(
    path: str, parts: Parts, sessions: Sessions, build: Build, role: Role = Role.CONTRIBUTOR
) -> None:
    """Serve what `build` makes at `path` below /app, to visitors whose role includes `role`."""

    @ui.page(path, response_timeout=LONGEST_S)
    async def page(request: Request) -> Response | None:
        visitor = Visitor.of(request, parts, sessions)
        try:
            principal = await visitor.principal(role)
        except NotAuthenticated:
            return to_sign_in(request)
        except Forbidden as error:
            known = await visitor.principal(Role.READER)
            with frame("无权访问", principal=known, signed_in=visitor.signs_in):
                words("p", error.message)
            ui.context.client.status_code = error.status
            return None
        try:
            await build(Visit(visitor, principal, request))
        except (ZhixingError, IngestionError) as error:
            with frame("打不开这一页", principal=principal, signed_in=visitor.signs_in):
                words("p", error.message)
                home = next(room for room in ROOMS if principal.allows(room.role))
                link(f"回到{home.name}", home.address)
            ui.context.client.status_code = error.status if isinstance(error, ZhixingError) else 503
        return None


def to_sign_in(request: Request) -> Response:
    here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return RedirectResponse(f"{SIGN_IN}?back={quote(here)}", 303)
