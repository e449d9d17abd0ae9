"""The ASGI application: routes, pages, middleware and life cycle around the parts of `bootstrap`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi_offline import FastAPIOffline

from service import __version__
from service.api import (
    applications,
    chat,
    commands,
    comparison,
    corrections,
    documents,
    errors,
    minutes,
    minutes_asking,
    openai,
    operations,
    pages,
    process_cases,
    processes,
    questions,
    retrieval,
    terms,
)
from service.api.body_limit import BodyLimit
from service.api.middleware import LocalOnly, RequestContext
from service.bootstrap import Parts

CONSOLE = "/app"
DRAIN_SECONDS = 10.0


def create_app(parts: Parts, *, with_console: bool = True) -> FastAPI:
    """Serve the given parts. The caller opens and closes them; the application only drains its streams."""

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await parts.started()
        yield
        await parts.streams.drain(DRAIN_SECONDS)
        await parts.stopping()

    # The interface's own page, with its scripts from the package instead of another site.
    app = FastAPIOffline(
        docs_url="/docs",
        redoc_url=None,
        static_url="/docs-static",
        favicon_url="/widget/icon.svg",
        title="知行 Zhixing",
        version=__version__,
        description="有出处的回答，走得通的下一步。",
        lifespan=lifespan,
        openapi_url="/api/v1/openapi.json",
        responses=errors.DOCUMENTED,
    )
    app.state.parts = parts
    errors.install(app)
    about_documents = (documents, comparison, corrections)
    for module in (
        chat,
        retrieval,
        *about_documents,
        minutes_asking,  # before the route of one meeting, whose id may be anything
        minutes,
        processes,
        process_cases,
        applications,
        questions,
        terms,
        openai,
        operations,
        commands,
    ):
        app.include_router(module.router)
    pages.install(app, parts.settings.widget_frame_ancestors)
    if with_console:
        from service.ui import console

        console.mount(app, parts)
    uploads = ("/api/v1/documents", "/api/v1/minutes", "/api/v1/processes/*/drafts", f"{CONSOLE}/*")
    app.add_middleware(BodyLimit, upload_mb=parts.settings.max_upload_mb, uploads=uploads)
    if parts.settings.auth == "off":
        app.add_middleware(LocalOnly)
    app.add_middleware(RequestContext, telemetry=parts.telemetry)
    return app
