"""Health, readiness and metrics. `/healthz` says the process lives, `/readyz` that its parts answer."""

from fastapi import APIRouter, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from pydantic import BaseModel

from service.api.access import Service

router = APIRouter(tags=["operations"])


RETRY_SECONDS = 5


class Health(BaseModel):
    status: str
    version: str


@router.get("/healthz")
def healthz(service: Service) -> Health:
    return Health(status="ok", version=service.version)


@router.get("/readyz")
def readyz(service: Service) -> JSONResponse:
    """503 with the failing part's name while any part does not answer."""
    checks = service.check()
    ready = all(problem == "" for problem in checks.values())
    body = {"ready": ready, "checks": {name: problem or "ok" for name, problem in checks.items()}}
    return JSONResponse(body) if ready else JSONResponse(body, 503, {"Retry-After": str(RETRY_SECONDS)})


@router.get("/metrics", response_class=PlainTextResponse)
def metrics(service: Service) -> Response:
    service.measure()
    return Response(service.telemetry.exposition(), media_type="text/plain; version=0.0.4; charset=utf-8")
