"""The console under /app: how it is mounted, the policy its pages are served under, its error pages.

Tailwind stays off: it compiles styles in the browser. What console pages look like stands in console.css.
"""

from pathlib import Path

from fastapi import FastAPI, Request, Response
from fastapi.exception_handlers import http_exception_handler
from fastapi.responses import HTMLResponse
from nicegui import app as console
from nicegui import ui
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service import logs
from service.bootstrap import Parts
from service.ui import (
    comparison,
    documents,
    files,
    minutes_archive,
    minutes_page,
    process_files,
    process_page,
    processes,
    questions,
    retrieval,
    sign_in,
    source,
    terms,
)
from service.ui.elements import IN_TURN, PATH, words
from service.ui.frame import frame
from service.ui.sessions import Sessions

log = logs.get(__name__)

STYLES = Path(__file__).resolve().parent / "console.css"

# NiceGUI writes inline scripts and styles, and Vue compiles the components' templates in the browser: without
# 'unsafe-eval' no page comes up. Nothing from elsewhere is let in, and no site may frame the console.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'self'; "
    "form-action 'self'; frame-ancestors 'none'"
)
_MISSING = f"""<!doctype html><html lang="zh-CN"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>没有这一页 · 知行管理台</title>
<link rel="stylesheet" href="{PATH}/console.css">
<main class="page"><h1 class="page-title">没有这一页</h1>
<p><a class="link" href="{PATH}">回到管理台</a></p></main>"""


def mount(app: FastAPI, parts: Parts) -> None:
    """Add the console under /app. Pages are registered once per process."""
    sessions = Sessions(parts.keys)
    for room in (documents, files, source, comparison, retrieval, questions, terms):
        room.register(parts, sessions)
    for room in (processes, process_files, process_page, minutes_archive, minutes_page):
        room.register(parts, sessions)
    sign_in.register(sessions)
    console.add_static_file(local_file=STYLES, url_path="/console.css")
    ui.add_head_html(f'<link rel="stylesheet" href="{PATH}/console.css">', shared=True)
    ui.add_head_html(IN_TURN, shared=True)
    ui.run_with(
        app,
        mount_path=PATH,
        title="知行管理台",
        favicon="知",
        language="zh-CN",
        dark=None,
        tailwind=False,
        reconnect_timeout=10.0,
        show_welcome_message=False,
    )
    console.add_exception_handler(404, _missing)
    console.on_page_exception(_broken)
    app.add_middleware(ConsolePolicy)


async def _missing(request: Request, error: Exception) -> Response:
    """A page for people; NiceGUI's own addresses keep their own answer."""
    assert isinstance(error, HTTPException)
    endpoint = request.scope.get("endpoint")
    if endpoint is not None and endpoint is not console:
        return await http_exception_handler(request, error)
    return HTMLResponse(_MISSING, 404)


def _broken(error: Exception) -> None:
    log.error("console.crashed", exc_info=error)
    with frame("出错了"):
        words("p", "这一页没能打开，原因已记入日志。请稍后重试，仍不行请联系管理员。")


class ConsolePolicy:
    """Adds the content security policy to everything under /app.

    A page that sent no referrer would name no origin when its sign-in form is posted, either.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(PATH):
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", POLICY)
                headers.setdefault("Referrer-Policy", "same-origin")
            await send(message)

        await self._app(scope, receive, send_guarded)
