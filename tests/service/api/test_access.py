"""Who may call what with AUTH=keys, route by route: a route without a rule fails here."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.routing import iter_route_contexts
from starlette.routing import Mount
from starlette.testclient import TestClient

from service import bootstrap
from service.access import Role
from service.app import create_app
from tests.service.api.keyed import keyed_parts

OPEN, OWNER = "open", "owner"
RULES = {
    "GET /": OPEN,
    "GET /embed.js": OPEN,
    "MOUNT /widget": OPEN,
    "GET /docs": OPEN,
    "GET /docs/oauth2-redirect": OPEN,
    "MOUNT /docs-static": OPEN,
    "GET /api/v1/openapi.json": OPEN,
    "GET /healthz": OPEN,
    "GET /readyz": OPEN,
    "GET /metrics": OPEN,
    "POST /api/v1/chat": Role.READER,
    "GET /api/v1/messages/{message_id}/events": Role.READER,
    "POST /api/v1/messages/{message_id}/stop": Role.READER,
    "POST /api/v1/messages/{message_id}/feedback": Role.READER,
    "GET /api/v1/conversations": Role.READER,
    "GET /api/v1/conversations/{conversation_id}/messages": Role.READER,
    "DELETE /api/v1/conversations/{conversation_id}": Role.READER,
    "GET /api/v1/suggestions": Role.READER,
    "GET /v1/models": Role.READER,
    "GET /v1/models/{name}": Role.READER,
    "POST /v1/chat/completions": Role.READER,
    "POST /api/v1/retrieval": Role.READER,
    "POST /api/v1/minutes/ask": Role.READER,
    "GET /api/v1/minutes/persons": Role.READER,
    "GET /api/v1/minutes": Role.READER,
    "GET /api/v1/minutes/{document_id}": Role.READER,
    "GET /api/v1/documents": Role.READER,
    "GET /api/v1/documents/{document_id}": Role.READER,
    "GET /api/v1/documents/{document_id}/content": Role.READER,
    "GET /api/v1/documents/{document_id}/chunks": Role.READER,
    "GET /api/v1/documents/{document_id}/original": Role.READER,
    "GET /api/v1/documents/{document_id}/comparison": Role.READER,
    "GET /api/v1/tasks/{task_id}": Role.READER,
    "GET /api/v1/processes": Role.READER,
    "GET /api/v1/processes/{process_id}": Role.READER,
    "POST /api/v1/processes/{process_id}/evaluate": Role.READER,
    "GET /api/v1/processes/{process_id}/versions": Role.READER,
    "GET /api/v1/processes/{process_id}/workbook": Role.READER,
    "GET /api/v1/processes/{process_id}/templates/{name}": Role.READER,
    "POST /api/v1/process-cases": Role.READER,
    "POST /api/v1/process-cases/{case_id}/turns": Role.READER,
    "GET /api/v1/process-cases/{case_id}": Role.READER,
    "GET /api/v1/process-cases/{case_id}/card": Role.READER,
    "GET /api/v1/applications": Role.READER,
    "GET /api/v1/applications/{application_id}": Role.READER,
    "POST /api/v1/documents": Role.CONTRIBUTOR,
    "POST /api/v1/minutes": Role.CONTRIBUTOR,
    "PATCH /api/v1/documents/{document_id}": Role.CONTRIBUTOR,
    "DELETE /api/v1/documents/{document_id}": Role.CONTRIBUTOR,
    "DELETE /api/v1/documents/{document_id}/revisions/{revision_id}": Role.CONTRIBUTOR,
    "GET /api/v1/files": Role.CONTRIBUTOR,
    "POST /api/v1/processes/{process_id}/drafts": Role.PROCESS_ADMIN,
    "GET /api/v1/processes/{process_id}/drafts": Role.PROCESS_ADMIN,
    "DELETE /api/v1/processes/{process_id}/drafts/{draft_id}": Role.PROCESS_ADMIN,
    "POST /api/v1/processes/{process_id}/publish": Role.PROCESS_ADMIN,
    "DELETE /api/v1/processes/{process_id}/versions/{digest}": Role.PROCESS_ADMIN,
    "GET /api/v1/processes/{process_id}/decisions": Role.ADMIN,
    "PATCH /api/v1/documents/{document_id}/revisions/{revision_id}": Role.ADMIN,
    "GET /api/v1/questions": Role.ADMIN,
    "GET /api/v1/terms": Role.ADMIN,
    "GET /api/v1/terms/candidates": Role.ADMIN,
    "PUT /api/v1/terms/synonyms": Role.ADMIN,
    "PUT /api/v1/terms/dictionary": Role.ADMIN,
    "PUT /api/v1/terms/stopwords": Role.ADMIN,
    "PUT /api/v1/terms/equivalents": Role.ADMIN,
    "PUT /api/v1/terms/suggestions": Role.ADMIN,
    "POST /api/v1/index/rebuild": Role.ADMIN,
    "POST /api/v1/local/imports": OWNER,
    "POST /api/v1/local/cache/warm": OWNER,
    "POST /api/v1/local/cache/clear": OWNER,
}
BODIES: dict[str, object] = {
    "PUT /api/v1/terms/synonyms": [{"lay": "领电脑", "standard": "电子设备申领"}],
    "PUT /api/v1/terms/dictionary": [{"word": "电子设备申领"}],
    "PUT /api/v1/terms/stopwords": ["的"],
    "PUT /api/v1/terms/equivalents": [["报销", "报账"]],
    "PUT /api/v1/terms/suggestions": ["食堂几点开饭？"],
    "POST /api/v1/messages/{message_id}/feedback": {"rating": "like"},
    "PATCH /api/v1/documents/{document_id}": {"status": "active"},
    "PATCH /api/v1/documents/{document_id}/revisions/{revision_id}": {"effective_to": None},
}


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    with keyed_parts(tmp_path_factory.mktemp("access") / "home") as built:
        yield built


@pytest.fixture(scope="module")
def client(parts: bootstrap.Parts) -> Iterator[TestClient]:
    app = create_app(parts, with_console=False)
    with TestClient(app, raise_server_exceptions=False) as opened:
        yield opened


@pytest.fixture(scope="module")
def keys(parts: bootstrap.Parts) -> dict[Role, str]:
    return {role: parts.keys.create(role.value, role)[1] for role in Role}


def call(client: TestClient, rule: str, key: str = "") -> Any:
    method, path = rule.split(" ")
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    address = path.replace("{", "").replace("}", "")
    if method == "MOUNT":
        return client.get(f"{path}/nothing", headers=headers)
    return client.request(method, address, headers=headers, json=BODIES.get(rule))


def test_every_route_has_a_rule_and_every_rule_a_route(client: TestClient) -> None:
    found = set()
    for route in iter_route_contexts(client.app.routes):  # type: ignore[attr-defined]
        methods = (
            {"MOUNT"} if isinstance(route.original_route, Mount) else (route.methods or set()) - {"HEAD"}
        )
        found |= {f"{method} {route.path}" for method in methods}
    assert found == set(RULES)


@pytest.mark.parametrize("rule", [rule for rule, who in RULES.items() if who == OPEN])
def test_pages_and_health_need_no_key(client: TestClient, rule: str) -> None:
    assert call(client, rule).status_code not in (401, 403)


@pytest.mark.parametrize("rule", [rule for rule, who in RULES.items() if isinstance(who, Role)])
@pytest.mark.parametrize("key", ["", "zx-unknown", "x" * 10_000])
def test_everything_else_needs_a_known_one(client: TestClient, rule: str, key: str) -> None:
    response = call(client, rule, key)
    assert response.status_code == 401
    error = response.json()["error"]
    assert error["code"] == "not_authenticated" and "密钥" in error["message"]


@pytest.mark.parametrize("role", list(Role))
@pytest.mark.parametrize(("rule", "needed"), [(r, who) for r, who in RULES.items() if isinstance(who, Role)])
def test_a_role_opens_what_it_includes_and_nothing_more(
    client: TestClient, keys: dict[Role, str], rule: str, needed: Role, role: Role
) -> None:
    ranks = list(Role)
    response = call(client, rule, keys[role])
    if ranks.index(role) >= ranks.index(needed):
        assert response.status_code not in (401, 403), response.text
    else:
        assert response.status_code == 403
        assert response.json()["error"]["code"] == "forbidden"


def test_the_owner_s_routes_do_not_exist_for_others(
    client: TestClient, parts: bootstrap.Parts, keys: dict[Role, str]
) -> None:
    path, body = "/api/v1/local/imports", {"paths": ["/nowhere"]}
    nothing = client.post("/api/v1/local/nothing", headers={"X-Request-Id": "r"})
    for key in ("", keys[Role.ADMIN]):
        headers = {"Authorization": f"Bearer {key}", "X-Request-Id": "r"}
        assert client.post(path, json=body, headers=headers).content == nothing.content
    owner = {"X-Zhixing-Local-Token": parts.home.token}
    assert client.post(path, json=body, headers=owner).json()["error"]["message"] == "找不到：/nowhere"


def test_a_revoked_key_opens_nothing_from_then_on(client: TestClient, parts: bootstrap.Parts) -> None:
    key_id, key = parts.keys.create("离职", Role.ADMIN)
    assert call(client, "GET /api/v1/documents", key).status_code == 200
    parts.keys.revoke(key_id)
    assert call(client, "GET /api/v1/documents", key).status_code == 401


@pytest.mark.parametrize("content", [b"{", b"\xff", b"x" * 1_000_000])
def test_who_asks_is_known_before_the_body_is_read(client: TestClient, content: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    response = client.post("/api/v1/chat", content=content, headers=headers)
    assert response.status_code == 401
