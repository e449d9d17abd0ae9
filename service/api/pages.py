"""The chat page at `/`, its modules under `/widget`, and the loader other sites include at `/embed.js`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import FileResponse, Response
from fastapi.staticfiles import StaticFiles

WIDGET = Path(__file__).resolve().parent.parent / "widget"

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors "
)


def install(app: FastAPI, frame_ancestors: tuple[str, ...]) -> None:
    """`frame_ancestors`: origins of the sites that may embed the page, beside our own."""
    policy = _POLICY + " ".join(("'self'", *frame_ancestors))
    page = _file("index.html", {"Content-Security-Policy": policy, "Cache-Control": "no-cache"})
    loader = _file("embed.js", {"Cache-Control": "public, max-age=300"})
    app.add_api_route("/", page, include_in_schema=False)
    app.add_api_route("/embed.js", loader, include_in_schema=False)
    app.mount("/widget", _Modules(directory=WIDGET), name="widget")


class _Modules(StaticFiles):
    """Revalidated each time, so that an upgrade never mixes old modules with new ones."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["Cache-Control"] = "no-cache"
        return response


def _file(name: str, headers: dict[str, str]) -> Callable[[], Response]:
    def serve() -> Response:
        return FileResponse(WIDGET / name, headers=headers)

    return serve
