"""docs/api.md names every route the service answers, every metric and every refusal, and no other."""

import re
from importlib import import_module
from pkgutil import iter_modules

import pytest
from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from service import api
from service.api import pages
from service.citations import RefusalReason
from service.retrieval.results import Cut
from service.telemetry import Telemetry
from tests.conftest import REPOSITORY

PAGE = (REPOSITORY / "docs" / "api.md").read_text(encoding="utf-8")
DOCUMENTED = set(re.findall(r"`((?:GET|POST|PUT|PATCH|DELETE) /[^`]*)`", PAGE))


def routes_of_the_service() -> set[str]:
    """`METHOD /path` of every router of `service.api` and of the chat page."""
    app = FastAPI(openapi_url=None)
    pages.install(app, ())
    routes: list[BaseRoute] = list(app.router.routes)
    for module in iter_modules(api.__path__):
        router = getattr(import_module(f"{api.__name__}.{module.name}"), "router", None)
        if isinstance(router, APIRouter):
            routes += router.routes
    return {
        f"{method} {route.path}"
        for route in routes
        if isinstance(route, APIRoute)
        for method in route.methods or ()
    }


def test_every_route_is_documented_and_nothing_else() -> None:
    assert routes_of_the_service() == DOCUMENTED


def test_every_metric_is_documented_and_nothing_else() -> None:
    metrics = Telemetry().registry.collect()
    exposed = {f"{metric.name}_total" if metric.type == "counter" else metric.name for metric in metrics}
    assert set(re.findall(r"`(zhixing_\w+)`", PAGE)) == exposed


@pytest.mark.parametrize("cut", list(Cut))
def test_everything_that_takes_a_candidate_out_is_explained(cut: Cut) -> None:
    assert f"`{cut}` " in PAGE


@pytest.mark.parametrize("reason", list(RefusalReason))
def test_every_refusal_is_explained(reason: RefusalReason) -> None:
    assert f"| `{reason}` |" in PAGE
