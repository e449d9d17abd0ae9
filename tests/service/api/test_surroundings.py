"""What surrounds every request: ids, errors in one form, and a closed door for pages of other sites."""

from collections.abc import Iterator, MutableMapping
from datetime import date
from typing import Any

import pytest
from fastapi import FastAPI, WebSocket
from pydantic import ValidationError
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from structlog.testing import capture_logs

from ingestion.documents import FailureReason
from ingestion.errors import IndexUnavailable, ParseFailure
from service.api import errors
from service.api.filters import FiltersIn
from service.api.middleware import LocalOnly, RequestContext
from service.errors import Conflict, NotFound, Unavailable
from service.telemetry import Telemetry

LOCAL_URL = "http://127.0.0.1:8000"
SOCKET = "ws://127.0.0.1:8000/socket"


def application(telemetry: Telemetry) -> FastAPI:
    app = FastAPI()
    errors.install(app)
    raised = {
        "not-found": NotFound("文档不存在"),
        "conflict": Conflict("冲突", details={"day": date(2024, 1, 1)}),
        "unavailable": Unavailable("数据库暂时不可用"),
        "index": IndexUnavailable("索引操作失败"),
        "file": ParseFailure(FailureReason.ENCRYPTED, "文件有密码"),
        "crash": ZeroDivisionError("客户 13912345678"),
    }

    @app.get("/raise/{name}")
    @app.get("/v1/raise/{name}")
    def fail(name: str) -> None:
        raise raised[name]

    @app.post("/number")
    def number(value: int) -> int:
        return value

    @app.websocket("/socket")
    async def socket(connection: WebSocket) -> None:
        await connection.accept()
        await connection.send_text("hello")
        await connection.close()

    app.add_middleware(LocalOnly)
    app.add_middleware(RequestContext, telemetry=telemetry)
    return app


@pytest.fixture(autouse=True)
def log_lines() -> Iterator[list[MutableMapping[str, Any]]]:
    with capture_logs() as lines:
        yield lines


@pytest.fixture
def telemetry() -> Telemetry:
    return Telemetry()


@pytest.fixture
def client(telemetry: Telemetry) -> Iterator[TestClient]:
    with TestClient(application(telemetry), LOCAL_URL, raise_server_exceptions=False) as opened:
        yield opened


@pytest.mark.parametrize(
    ("name", "status", "code"),
    [
        ("not-found", 404, "not_found"),
        ("conflict", 409, "conflict"),
        ("unavailable", 503, "unavailable"),
        ("index", 503, "index_unavailable"),
        ("file", 400, "encrypted"),
        ("crash", 500, "internal_error"),
    ],
)
def test_every_error_has_one_form_and_the_id_of_its_request(
    client: TestClient, name: str, status: int, code: str
) -> None:
    response = client.get(f"/raise/{name}", headers={"X-Request-Id": "r-1"})
    error = response.json()["error"]
    assert (response.status_code, error["code"], error["request_id"]) == (status, code, "r-1")
    assert response.headers["X-Request-Id"] == "r-1"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert ("Retry-After" in response.headers) == (status == 503)
    assert error.keys() == {"code", "message", "details", "request_id"}


def test_a_crash_tells_the_reader_nothing_of_its_cause_and_the_log_its_id(
    client: TestClient, log_lines: list[MutableMapping[str, Any]]
) -> None:
    response = client.get("/raise/crash")
    assert "13912345678" not in response.text and "ZeroDivision" not in response.text
    (crash,) = [line for line in log_lines if line["event"] == "request.crashed"]
    assert crash["request_id"] == response.json()["error"]["request_id"] == response.headers["X-Request-Id"]
    assert isinstance(crash["exc_info"], ZeroDivisionError)


def test_details_of_any_type_leave_as_json(client: TestClient) -> None:
    assert client.get("/raise/conflict").json()["error"]["details"] == {"day": "2024-01-01"}


def test_openai_routes_answer_in_openai_s_form(client: TestClient) -> None:
    error = client.get("/v1/raise/not-found").json()["error"]
    assert error == {
        "message": "文档不存在",
        "type": "invalid_request_error",
        "param": None,
        "code": "not_found",
    }
    assert client.get("/v1/raise/unavailable").json()["error"]["type"] == "server_error"


def test_unknown_addresses_methods_and_values_are_told_apart(client: TestClient) -> None:
    assert client.get("/nowhere").json()["error"]["code"] == "not_found"
    wrong = client.get("/number")
    assert (wrong.status_code, wrong.headers["Allow"]) == (405, "POST")
    malformed = client.post("/number?value=x")
    assert malformed.status_code == 422
    assert malformed.json()["error"]["details"]["problems"][0]["where"] == "query.value"


@pytest.mark.parametrize("offered", ["", "a b", "x" * 65, "<script>", "编号"])
def test_an_id_that_is_none_is_replaced(client: TestClient, offered: str) -> None:
    found = client.get("/nowhere", headers={"X-Request-Id": offered.encode()}).headers["X-Request-Id"]
    assert found and found != offered


def test_requests_are_counted_by_route_and_not_by_address(client: TestClient, telemetry: Telemetry) -> None:
    client.get("/raise/not-found")
    client.get("/raise/conflict")
    client.get("/made/up/1")
    client.get("/made/up/2")
    count = telemetry.registry.get_sample_value
    name = "zhixing_http_requests_total"
    assert count(name, {"route": "/raise/{name}", "status": "404"}) == 1
    assert count(name, {"route": "/raise/{name}", "status": "409"}) == 1
    assert count(name, {"route": "other", "status": "404"}) == 2


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "LOCALHOST:1", "[::1]:8000", "[::1]"])
def test_pages_of_this_host_are_served(client: TestClient, host: str) -> None:
    assert client.post("/number?value=1", headers={"Host": host}).json() == 1


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "testserver", "192.168.0.9:8000", ""]
)
def test_another_name_for_this_address_is_refused_in_the_form_of_an_error(
    client: TestClient, host: str
) -> None:
    response = client.get("/raise/not-found", headers={"Host": host})
    assert response.status_code == 421
    assert response.json()["error"]["code"] == "misdirected_request"


@pytest.mark.parametrize(
    ("origin", "status"),
    [("http://evil.example", 421), ("null", 421), ("http://127.0.0.1:9", 421), (LOCAL_URL, 200)],
)
def test_a_page_of_another_site_cannot_post(client: TestClient, origin: str, status: int) -> None:
    headers = {"Origin": origin, "Host": "127.0.0.1:8000"}
    assert client.post("/number?value=1", headers=headers).status_code == status


def test_a_page_of_another_site_cannot_open_a_socket(client: TestClient) -> None:
    own = {"Origin": LOCAL_URL, "Host": "127.0.0.1:8000"}
    with client.websocket_connect(SOCKET, headers=own) as socket:
        assert socket.receive_text() == "hello"
    for headers in (own | {"Origin": "http://evil.example"}, own | {"Host": "evil.example"}):
        with (
            pytest.raises(WebSocketDisconnect),
            client.websocket_connect(SOCKET, headers=headers),
        ):
            pass


def test_filters_pass_on_what_was_given_and_nothing_else() -> None:
    found = FiltersIn(knowledge_bases=["a"], issuers=[], effective_since=date(2024, 1, 1)).to_filter()
    assert (found.knowledge_bases, found.issuers, found.owners) == (("a",), (), None)
    assert found.effective_since == date(2024, 1, 1)
    assert (found.labels, found.statuses, found.in_force_on, found.revision_ids) == (None, None, None, None)


@pytest.mark.parametrize(
    "field", ["labels", "statuses", "in_force_on", "revision_ids", "kinds", "knowledge_base"]
)
def test_access_and_validity_are_not_a_caller_s_to_choose(field: str) -> None:
    with pytest.raises(ValidationError):
        FiltersIn.model_validate({field: ["x"]})
