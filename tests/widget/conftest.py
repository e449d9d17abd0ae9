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
from tests.browser import chromium, context, cookieless, open_page, page_log, playwright
from tests.widget.cutting import CuttingRelay, cutting_relay
from tests.widget.running import DOCUMENTS, Site, running_service, upload

__all__ = ["chromium", "context", "cookieless", "open_page", "page_log", "playwright"]

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
    """Runs the body of an async function: `run_js("widget/sse.js", body, argument)`, the module at hand."""
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


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The company portal that embeds the widget."""
    site = Site(tmp_path_factory.mktemp("site"))
    yield site
    site.close()


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory, site: Site) -> Iterator[str]:
    """A service with two documents, which the portal may embed."""
    home = tmp_path_factory.mktemp("service") / "home"
    with running_service(home, widget_frame_ancestors=site.origin) as url:
        upload(url, sorted(DOCUMENTS.iterdir()))
        yield url


@pytest.fixture
def relay(service: str) -> Iterator[CuttingRelay]:
    with cutting_relay(service) as relay:
        yield relay
