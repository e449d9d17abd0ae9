"""Signing in with a key and out again: two plain forms; no script ever sees the token in the cookie."""

from urllib.parse import quote, urlsplit

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse, RedirectResponse
from nicegui import app as console
from nicegui import ui
from starlette.concurrency import run_in_threadpool

from service.ui.elements import PATH, box, words
from service.ui.frame import frame
from service.ui.sessions import COOKIE, LIFETIME_S, Sessions

SIGN_IN = f"{PATH}/sign-in"


def register(sessions: Sessions) -> None:
    @ui.page("/sign-in")
    def sign_in_page(failed: bool = False, back: str = PATH) -> None:
        _form(failed, safe_address(back))

    @console.post("/sign-in", include_in_schema=False)
    async def sign_in(request: Request) -> Response:
        """The token is new with every sign-in, so that one known before is worth nothing afterwards."""
        if not _from_here(request):
            return PlainTextResponse("只接受本站的登录表单", 403)
        form = await request.form()
        back = safe_address(str(form.get("back", PATH)))
        token = await run_in_threadpool(sessions.open, str(form.get("key", "")).strip())
        if token is None:
            return RedirectResponse(f"{SIGN_IN}?failed=true&back={quote(back)}", 303)
        response = RedirectResponse(back, 303)
        response.set_cookie(
            COOKIE,
            token,
            max_age=LIFETIME_S,
            path=PATH,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
        return response

    @console.post("/sign-out", include_in_schema=False)
    async def sign_out(request: Request) -> Response:
        if not _from_here(request):
            return PlainTextResponse("只接受本站的退出表单", 403)
        sessions.close(request.cookies.get(COOKIE, ""))
        response = RedirectResponse(SIGN_IN, 303)
        response.delete_cookie(COOKIE, path=PATH)
        return response


def safe_address(address: str) -> str:
    """A place of the console to go on to; never another site."""
    parts = urlsplit(address)
    inside = parts.path == PATH or parts.path.startswith(f"{PATH}/")
    return address if inside and not parts.scheme and not parts.netloc and "\\" not in address else PATH


def _from_here(request: Request) -> bool:
    """The browser names the page a form comes from; another site's could sign the visitor in as its own."""
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")


def _form(failed: bool, back: str) -> None:
    with frame("登录"), box("form", "panel sign-in", method="post", action=SIGN_IN):
        box("input", type="hidden", name="back", value=back)
        label = words("label", "访问密钥")
        key = box(
            "input",
            type="password",
            name="key",
            required=True,
            autofocus=True,
            autocomplete="current-password",
            spellcheck="false",
        )
        label.props["for"] = key.html_id
        note = words("p", "没有密钥？请联系管理员，由 zhixing keys create 创建。", "hint")
        key.props["aria-describedby"] = note.html_id
        if failed:
            words("p", "密钥无效或已吊销，请核对后再试。", "problem", role="alert")
            key.props["aria-invalid"] = "true"
        words("button", "登录", "button button-main", type="submit")
