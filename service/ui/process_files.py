"""Files of processes to download from the console: workbooks, templates, the workbook to begin with.

The API hands the same files out; a browser that signed in to the console has no key to show there.
"""

from collections.abc import Callable

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse
from nicegui import app as console
from starlette.concurrency import run_in_threadpool

from rules.sheets.starter import starter_workbook
from service.access import Principal, Role
from service.api.downloads import attachment
from service.bootstrap import Parts
from service.errors import NotAuthenticated, NotFound, ZhixingError
from service.process.offered import form_name
from service.store.processes import Draft, Version
from service.ui import pages
from service.ui.elements import link
from service.ui.process_addresses import FILES, template_address
from service.ui.sessions import Sessions, Visitor

STARTER = "新流程"


def register(parts: Parts, sessions: Sessions) -> None:
    async def handed_out(request: Request, make: Callable[[Principal], Response]) -> Response:
        try:
            principal = await Visitor.of(request, parts, sessions).principal(Role.READER)
            return await run_in_threadpool(make, principal)
        except NotAuthenticated:
            return pages.to_sign_in(request)
        except ZhixingError as error:
            return PlainTextResponse(error.message, error.status)

    @console.get(f"{FILES}/starter", include_in_schema=False)
    async def starter(request: Request) -> Response:
        return await handed_out(
            request, lambda principal: attachment(starter_workbook(STARTER), f"{STARTER}.xlsx")
        )

    @console.get(f"{FILES}/workbook", include_in_schema=False)
    async def workbook(request: Request, process: str, version: str = "", draft: str = "") -> Response:
        return await handed_out(
            request, lambda principal: _workbook(parts, principal, process, version, draft)
        )

    @console.get(f"{FILES}/template", include_in_schema=False)
    async def template(
        request: Request, process: str, name: str, version: str = "", draft: str = ""
    ) -> Response:
        return await handed_out(
            request,
            lambda principal: _template(parts, _subject(parts, principal, process, version, draft), name),
        )


def template_link(subject: Version | Draft, name: str, text: str = "下载") -> None:
    link(text, template_address(subject, name), download=name, aria_label=f"下载模板：{name}")


def _subject(parts: Parts, principal: Principal, process: str, version: str, draft: str) -> Version | Draft:
    """Raises NotFound, and Forbidden for a draft."""
    if draft:
        return parts.publishing.tried(principal, process, draft).draft
    return parts.processes.find(process, version)


def _workbook(parts: Parts, principal: Principal, process: str, version: str, draft: str) -> Response:
    if draft:
        tried = parts.publishing.tried(principal, process, draft)
        return attachment(tried.workbook, tried.draft.file_name)
    found = parts.processes.find(process, version)
    return attachment(parts.processes.workbook(found), found.file_name)


def _template(parts: Parts, subject: Version | Draft, name: str) -> Response:
    for template in subject.templates:
        if form_name(template.name) == form_name(name):
            return attachment(parts.originals.read(template.digest), template.name)
    raise NotFound("没有这个模板")
