"""Every error leaves as `{"error": {code, message, details, request_id}}`; OpenAI routes have their shape."""

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.encoders import jsonable_encoder
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, JsonValue
from starlette.exceptions import HTTPException

from ingestion.errors import IngestionError, ParseFailure
from service import logs
from service.api import problems as problems_of
from service.errors import Unavailable, ZhixingError

log = logs.get(__name__)


class ErrorOut(BaseModel):
    code: str
    message: str
    details: dict[str, JsonValue]
    request_id: str


class ErrorBody(BaseModel):
    """The body of every error outside the OpenAI routes."""

    error: ErrorOut


# For the description of the interface: any status that a route does not describe, and 422 by its own name,
# where FastAPI would describe its own form.
DOCUMENTED: dict[int | str, dict[str, Any]] = {
    "default": {"model": ErrorBody, "description": "出错"},
    422: {"model": ErrorBody, "description": "正文不合格式"},
}


def install(app: FastAPI) -> None:
    app.add_exception_handler(ZhixingError, _known)
    app.add_exception_handler(IngestionError, _ingestion)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unknown)


def response(
    request: Request,
    status: int,
    code: str,
    message: str,
    details: object = None,
    headers: dict[str, str] | None = None,
) -> JSONResponse:
    request_id = request_id_of(request)
    if request.url.path.startswith("/v1/"):
        kind = "server_error" if status >= 500 else "invalid_request_error"
        body: dict[str, object] = {"message": message, "type": kind, "param": None, "code": code}
    else:
        body = {
            "code": code,
            "message": message,
            "details": details or {},
            "request_id": request_id,
        }
    return JSONResponse({"error": body}, status, headers)


def request_id_of(request: Request) -> str:
    """Also of a request that crashed, whose context is gone by the time it is answered."""
    return logs.request_id() or str(request.scope.get("state", {}).get("request_id", ""))


async def _known(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, ZhixingError)
    headers = {"Retry-After": str(error.retry_after)} if isinstance(error, Unavailable) else None
    return response(
        request, error.status, error.code, error.message, jsonable_encoder(error.details), headers
    )


async def _ingestion(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, IngestionError)
    if isinstance(error, ParseFailure):  # the file's fault: to send it again would not help
        return response(request, 400, error.code, error.message, {"state": error.state.value})
    log.warning("ingestion.failed", code=error.code, reason=error.message)
    return response(request, 503, error.code, error.message, headers={"Retry-After": "5"})


async def _malformed(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    problems = problems_of.described(error.errors())
    first = "；".join(f"{problem['where']} {problem['problem']}" for problem in problems[:3])
    return response(request, 422, "invalid_request", f"请求格式不对：{first}", {"problems": problems})


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    code = "too_large" if error.status_code == 413 else HTTPStatus(error.status_code).name.lower()
    said = {400: f"请求无法解析：{error.detail}", 404: "没有这个地址", 405: "这个地址不支持该方法"}
    message = said.get(error.status_code, str(error.detail))
    headers = dict(error.headers) if error.headers else None
    return response(request, error.status_code, code, message, headers=headers)


async def _unknown(request: Request, error: Exception) -> JSONResponse:
    request_id = request_id_of(request)
    log.error("request.crashed", path=request.url.path, request_id=request_id, exc_info=error)
    message = "服务内部出错，已记录；请把 request_id 告诉管理员"
    headers = {"X-Request-Id": request_id, "X-Content-Type-Options": "nosniff"}
    return response(request, 500, "internal_error", message, headers=headers)
