"""The widget as a browser sees it: its modules alone, and the page in front of a real service."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from fastapi import FastAPI
from playwright.sync_api import Browser

from service.api import pages
from tests.browser import chromium, cookieless, open_page, page_log, playwright

__all__ = ["chromium", "cookieless", "open_page", "page_log", "playwright"]

RunJs = Callable[..., Any]


@contextmanager
def _served(app: FastAPI) -> Iterator[str]:
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            thread.join(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def run_js(chromium: Browser) -> Iterator[RunJs]:
    """Runs `body` of an async function with the modules at hand: `run_js("widget/sse.js", body, argument)`."""
    app = FastAPI()
    pages.install(app, ())
    with _served(app) as url:
        page = chromium.new_page()
        page.goto(f"{url}/widget/types.js")  # any document of the origin will do

        def run(module: str, body: str, argument: object = None) -> Any:
            function = f"async ([path, argument]) => {{ const module = await import(path); {body} }}"
            return page.evaluate(function, [f"/{module}", argument])

        yield run
        page.close()
