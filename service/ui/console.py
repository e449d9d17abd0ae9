"""The console's frame: mounting, navigation, sign-in, and the policy its pages are served under."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from fastapi import FastAPI
from nicegui import app as nicegui_app
from nicegui import ui
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.access import LOCAL, Principal, Role
from service.bootstrap import Parts

Value = TypeVar("Value")

PATH = "/app"
PAGES = (("文档", "/", "description"), ("检索", "/retrieval", "manage_search"))

# NiceGUI writes inline scripts and styles; nothing from elsewhere is allowed in, and no site may frame it.
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'self'; form-action 'self'; "
    "frame-ancestors 'none'"
)


def mount(app: FastAPI, parts: Parts) -> None:
    """Add the console under /app. Pages are registered once per process."""
    from service.ui import documents, retrieval

    documents.register(parts)
    retrieval.register(parts)
    _register_sign_in(parts)
    ui.run_with(
        app,
        mount_path=PATH,
        title="知行管理台",
        favicon="知",
        language="zh-CN",
        storage_secret=_storage_secret(parts.settings.home),
        reconnect_timeout=10.0,
    )
    app.add_middleware(ConsolePolicy)


@contextmanager
def frame(title: str) -> Iterator[None]:
    """Header, navigation and the page's main column."""
    ui.page_title(f"{title} · 知行管理台")
    ui.colors(primary="#2f5d7c", secondary="#5b7083", accent="#b5803a", negative="#a94442")
    ui.query("body").classes("bg-grey-1")
    with ui.header(elevated=False).classes("items-center gap-6 px-6 bg-white text-primary border-b"):
        ui.link("知行", "/").classes("text-lg font-bold no-underline text-primary").tooltip("回到聊天页")
        with ui.row().classes("gap-1").props('role="navigation" aria-label="管理台"'):
            for name, path, icon in PAGES:
                current = "true" if name == title else "false"
                ui.button(name, icon=icon, on_click=lambda _, to=path: ui.navigate.to(PATH + to)).props(
                    f'flat no-caps aria-current="{current}"' + (' color="accent"' if name == title else "")
                )
    with ui.column().classes("w-full max-w-6xl mx-auto px-4 py-6 gap-4"):
        ui.label(title).classes("text-2xl font-medium").props('role="heading" aria-level="1"')
        yield


def current_principal(parts: Parts) -> Principal | None:
    """Who has signed in to the console; the local default when authentication is off."""
    if parts.settings.auth == "off":
        return LOCAL
    key = nicegui_app.storage.user.get("key")
    return parts.keys.principal(str(key)) if key else None


def signed_in(parts: Parts, role: Role) -> Principal | None:
    """The principal when the role suffices; otherwise shows why not, or goes to the sign-in page."""
    principal = current_principal(parts)
    if principal is None:
        ui.navigate.to(f"{PATH}/sign-in")
        return None
    if not principal.allows(role):
        with frame("无权访问"):
            ui.label(f"此页需要 {role.value} 角色，请联系管理员。")
        return None
    return principal


async def in_thread(function: Callable[..., Value], *args: object, **kwargs: object) -> Value:
    """Run a store call off the event loop."""
    return await run_in_threadpool(function, *args, **kwargs)


def _register_sign_in(parts: Parts) -> None:
    @ui.page("/sign-in")
    def sign_in() -> None:
        with frame("登录"):
            key = ui.input("API 密钥", password=True).props("outlined autofocus").classes("w-96 max-w-full")

            def submit() -> None:
                if parts.keys.principal(key.value.strip()) is None:
                    ui.notify("密钥无效或已吊销", type="negative")
                    return
                nicegui_app.storage.user["key"] = key.value.strip()
                ui.navigate.to(PATH)

            key.on("keydown.enter", submit)
            ui.button("登录", on_click=submit)


def _storage_secret(home: Path) -> str:
    """Signs the console's cookie; made once per home, readable by its owner only."""
    path = home / "console.secret"
    if not path.is_file():
        path.touch(0o600)
        path.write_text(secrets.token_urlsafe(32), encoding="ascii")
    return path.read_text(encoding="ascii")


class ConsolePolicy:
    """Adds the content security policy to everything under /app."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(PATH):
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).setdefault("Content-Security-Policy", POLICY)
            await send(message)

        await self._app(scope, receive, send_guarded)
