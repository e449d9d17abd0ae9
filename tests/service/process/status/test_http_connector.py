"""The HTTP connector with the shipped mappings, against answers of the documented shapes."""

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from service.access import Principal
from service.errors import NotFound
from service.process.status.applications import Application, Outcome, Status
from service.process.status.errors import StatusUnavailable, StatusUnreadable
from service.process.status.http_connector import HttpConnector
from service.process.status.mapping import Mapping as MappingFile
from service.process.status.mapping import load_model
from service.process.status.people import People
from tests.doubles.approval import ApprovalDouble, Reply, say
from tests.service.process.status.status_parts import CASES, DATA, WORDS, at, desk, written

NAMES = ("app_id", "app_secret", "app_key", "corp_id", "corp_secret")
SECRETS = {name: SecretStr(f"hunter2-{name}") for name in NAMES}
HOSTS = ("https://open.feishu.cn", "https://oapi.dingtalk.com", "https://qyapi.weixin.qq.com")
PATHS = {
    "feishu": {
        "token": "/open-apis/auth/v3/tenant_access_token/internal",
        "own": "/open-apis/approval/v4/instances/query",
        "one": "/open-apis/approval/v4/instances/",
    },
    "dingtalk": {
        "token": "/gettoken",
        "own": "/topapi/processinstance/listids",
        "one": "/topapi/processinstance/get",
    },
    "wecom": {
        "token": "/cgi-bin/gettoken",
        "own": "/cgi-bin/oa/getapprovalinfo",
        "one": "/cgi-bin/oa/getapprovaldetail",
    },
}
IDS = {
    "feishu": "81D31358-93AF-92D6-7425-01A5D67C4E71",
    "dingtalk": "1a2b-3e4d",
    "wecom": "202611120002",
}
APPLICANTS = {"feishu": "f3ta757q", "dingtalk": "manager4220", "wecom": "WenTing"}


def answers(vendor: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((CASES / f"{vendor}.json").read_text(encoding="utf-8"))
    return read


def mapping(double: ApprovalDouble, vendor: str, folder: Path) -> MappingFile:
    """The shipped example, its host replaced by the double's."""
    text = (DATA / "examples" / f"{vendor}.toml").read_text(encoding="utf-8")
    for host in HOSTS:
        text = text.replace(host, double.url)
    return load_model(written(folder, f"{vendor}.toml", text), MappingFile)


def connector(double: ApprovalDouble, vendor: str, folder: Path) -> HttpConnector:
    slept: list[float] = []
    return HttpConnector(mapping(double, vendor, folder), SECRETS, WORDS, sleep=slept.append)


@pytest.fixture
def double() -> Iterator[ApprovalDouble]:
    with ApprovalDouble() as served:
        for vendor, paths in PATHS.items():
            for kind, path in paths.items():
                served.serve(path, answers(vendor)[kind])
        yield served


@pytest.fixture(params=sorted(PATHS))
def vendor(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def read(vendor: str, double: ApprovalDouble, tmp_path: Path) -> Iterator[HttpConnector]:
    made = connector(double, vendor, tmp_path)
    yield made
    made.close()


def found_by(read: HttpConnector, vendor: str) -> Application:
    found = read.by_id(IDS[vendor])
    assert found is not None
    return found


EXPECTED: dict[str, dict[str, object]] = {
    "feishu": {
        "number": "202611120003",
        "process_id": "SEAL",
        "process": "用印申请",
        "current_node": "法务审核",
        "approvers": ["hewen002", "yezq0003"],
        "done": [("", "submitted", "f3ta757q", ""), ("部门初审", "approved", "qiuyan01", "")],
        "since": at("2026-11-12 16:05"),
    },
    "dingtalk": {
        "number": "202611121020000123456",
        "process_id": "",
        "process": "温婷提交的用印申请",
        "current_node": "法务审核",
        "approvers": ["hewen"],
        "done": [("", "submitted", "manager4220", ""), ("", "approved", "qiuyan", "请法务看第六条")],
        "since": at("2026-11-12 16:05:02"),
    },
    "wecom": {
        "number": "",
        "process_id": "",
        "process": "用印申请",
        "current_node": "第 2 级审批",
        "approvers": ["HeWen", "YeZhiQiu"],
        "done": [("", "submitted", "WenTing", ""), ("第 1 级审批", "approved", "QiuYan", "同意")],
        "since": at("2026-11-12 16:05:01"),
    },
}


def test_one_application_of_each_shape(read: HttpConnector, vendor: str) -> None:
    found = found_by(read, vendor)
    done = [
        (each.node, each.outcome.value, each.person and each.person.id, each.comment)
        for each in found.timeline
    ]
    assert (found.id, found.applicant.id, found.status) == (IDS[vendor], APPLICANTS[vendor], Status.RUNNING)
    assert {
        "number": found.number,
        "process_id": found.process_id,
        "process": found.process,
        "current_node": found.current_node,
        "approvers": [each.id for each in found.approvers],
        "done": done,
        "since": found.since,
    } == EXPECTED[vendor]
    assert found.submitted_at is not None
    assert found.submitted_at.date() == date(2026, 11, 12)


def test_own_applications_of_each_shape_are_the_persons_only(read: HttpConnector, vendor: str) -> None:
    assert [each.id for each in read.of_applicant(APPLICANTS[vendor])] == [IDS[vendor]]
    assert read.of_applicant("somebody-else") == []


def test_list_is_asked_for_the_person_within_the_window(
    read: HttpConnector, vendor: str, double: ApprovalDouble
) -> None:
    read.of_applicant(APPLICANTS[vendor])
    asked = next(each for each in double.requests if each.path == PATHS[vendor]["own"])
    assert APPLICANTS[vendor] in json.dumps(asked.body)
    assert read.window_days == (90 if vendor == "dingtalk" else 30)
    if vendor == "dingtalk":
        assert asked.body["end_time"] - asked.body["start_time"] == 90 * 86_400_000
        assert asked.body["cursor"] == 0
    if vendor == "feishu":
        assert "page_token" not in asked.query


def test_absent_one_is_none(read: HttpConnector, vendor: str, double: ApprovalDouble) -> None:
    status = 400 if vendor == "feishu" else 200
    double.serve(PATHS[vendor]["one"], answers(vendor)["absent"], status=status)
    assert read.by_id("no-such-1234") is None


def test_token_is_fetched_once_and_sent_each_time(
    read: HttpConnector, vendor: str, double: ApprovalDouble
) -> None:
    found_by(read, vendor)
    found_by(read, vendor)
    assert double.paths.count(PATHS[vendor]["token"]) == 1
    for asked in double.requests[1:]:
        token = asked.headers.get("authorization", "").removeprefix("Bearer ") or asked.query["access_token"]
        assert token in json.dumps(answers(vendor)["token"])


def test_token_that_ran_out_is_fetched_anew_once(
    read: HttpConnector, vendor: str, double: ApprovalDouble
) -> None:
    found_by(read, vendor)
    code = "code" if vendor == "feishu" else "errcode"
    expired = {code: 99991663 if vendor == "feishu" else 42001}
    double.script(say(expired))
    found_by(read, vendor)
    assert double.paths.count(PATHS[vendor]["token"]) == 2
    double.serve(PATHS[vendor]["one"], expired)
    with pytest.raises(StatusUnreadable, match="不接受刚取得的凭证"):
        read.by_id(IDS[vendor])
    assert double.paths.count(PATHS[vendor]["token"]) == 3


def test_unauthorised_status_renews_the_token_too(
    read: HttpConnector, vendor: str, double: ApprovalDouble
) -> None:
    found_by(read, vendor)
    double.script(Reply(status=401))
    found_by(read, vendor)
    assert double.paths.count(PATHS[vendor]["token"]) == 2


def test_code_of_failure_is_told_with_whom_to_turn_to(
    read: HttpConnector, vendor: str, double: ApprovalDouble
) -> None:
    code = "code" if vendor == "feishu" else "errcode"
    double.serve(PATHS[vendor]["one"], {code: 60011, "errmsg": "no privilege"})
    with pytest.raises(StatusUnreadable, match="结果码 60011.*请联系管理员"):
        read.by_id(IDS[vendor])


def test_list_that_is_not_found_is_a_fault_and_not_an_empty_list(
    read: HttpConnector, vendor: str, double: ApprovalDouble
) -> None:
    double.serve(PATHS[vendor]["own"], answers(vendor)["absent"], status=404)
    with pytest.raises(StatusUnreadable):
        read.of_applicant(APPLICANTS[vendor])


def test_refused_token_is_told_without_the_secret(
    read: HttpConnector, vendor: str, double: ApprovalDouble, capfd: pytest.CaptureFixture[str]
) -> None:
    double.serve(PATHS[vendor]["token"], {"errcode": 40001, "errmsg": "invalid hunter2-app_secret"})
    with pytest.raises(StatusUnreadable, match="ZHIXING_STATUS_SECRETS") as failure:
        read.by_id(IDS[vendor])
    assert "hunter2" not in failure.value.message
    assert "hunter2" not in "".join(capfd.readouterr())


def test_system_that_is_down_is_told_and_no_secret_is_logged(
    read: HttpConnector, vendor: str, double: ApprovalDouble, capfd: pytest.CaptureFixture[str]
) -> None:
    double.script(*[Reply(status=503)] * 3)
    with pytest.raises(StatusUnavailable, match="审批暂时查不到") as failure:
        read.by_id(IDS[vendor])
    assert "hunter2" not in failure.value.message
    assert "hunter2" not in "".join(capfd.readouterr())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("1794449999000", "noon", "fields.submitted_at 不是 epoch_ms"),
        ("1794470700000", "noon", "steps.0.at 不是 epoch_ms"),
        ('"user_id": "f3ta757q"', '"user_id": ""', "fields.applicant（user_id）没有值"),
    ],
)
def test_answer_that_is_not_what_the_mapping_says_is_told_with_the_key(
    old: str, new: str, said: str, double: ApprovalDouble, tmp_path: Path
) -> None:
    changed = json.dumps(answers("feishu")["one"], ensure_ascii=False).replace(old, new)
    double.serve(PATHS["feishu"]["one"], json.loads(changed))
    read = connector(double, "feishu", tmp_path)
    with pytest.raises(StatusUnreadable, match=said):
        found_by(read, "feishu")
    read.close()


def test_rejection_of_feishu_comes_with_its_reason(double: ApprovalDouble, tmp_path: Path) -> None:
    double.serve(PATHS["feishu"]["one"], answers("feishu")["rejected"])
    read = connector(double, "feishu", tmp_path)
    found = found_by(read, "feishu")
    assert (found.status, found.current_node) == (Status.REJECTED, "")
    assert (found.timeline[-1].outcome, found.timeline[-1].comment) == (Outcome.REJECTED, "份数写错了")
    read.close()


def test_pages_are_followed_and_bounded(double: ApprovalDouble, tmp_path: Path) -> None:
    double.serve(
        PATHS["wecom"]["own"], {"errcode": 0, "sp_no_list": ["202611120002"], "new_next_cursor": "more"}
    )
    double.script(
        say(answers("wecom")["token"]),
        say({"errcode": 0, "sp_no_list": [], "new_next_cursor": "a"}),
        say({"errcode": 0, "sp_no_list": [], "new_next_cursor": "b"}),
    )
    read = connector(double, "wecom", tmp_path)
    assert [each.id for each in read.of_applicant("WenTing")] == ["202611120002"]
    cursors = [each.body["new_cursor"] for each in double.requests if each.path == PATHS["wecom"]["own"]]
    assert cursors == ["", "a", "b", "more"]
    read.close()


def test_only_the_newest_are_looked_into(double: ApprovalDouble, tmp_path: Path) -> None:
    many = [f"20261112{number:04}" for number in range(40)]
    double.serve(PATHS["wecom"]["own"], {"errcode": 0, "sp_no_list": many, "new_next_cursor": ""})
    read = connector(double, "wecom", tmp_path)
    read.of_applicant("WenTing")
    looked = [each.body["sp_no"] for each in double.requests if each.path == PATHS["wecom"]["one"]]
    assert looked == many[-10:]
    read.close()


def test_list_is_asked_once_for_each_process_code(double: ApprovalDouble, tmp_path: Path) -> None:
    read = connector(double, "dingtalk", tmp_path)
    read.of_applicant("manager4220")
    codes = [
        each.body["process_code"] for each in double.requests if each.path == PATHS["dingtalk"]["own"]
    ]
    assert codes == ["PROC-SEAL", "PROC-ASSET"]
    read.close()


@pytest.mark.parametrize("id", ["..", ".", "a/../../secret", "x?admin=1", "a b"])
def test_id_never_leads_elsewhere(id: str, double: ApprovalDouble, tmp_path: Path) -> None:
    read = connector(double, "feishu", tmp_path)
    people = People({"key:1": "f3ta757q"}, {})
    with suppress(NotFound):
        desk(read, people).one(Principal("key:1"), id)
    prefix = PATHS["feishu"]["one"]
    assert all(path.startswith(prefix) or path == PATHS["feishu"]["token"] for path in double.paths)
    assert all(path.removeprefix(prefix).count("/") == 0 for path in double.paths if path.startswith(prefix))
    read.close()


def test_own_system_whose_list_holds_the_applications_themselves(
    double: ApprovalDouble, tmp_path: Path
) -> None:
    text = f"""
name = "自建 OA"
zone = "Asia/Shanghai"
[one]
url = "{double.url}/oa/applications/{{id}}"
headers = {{ X-Key = "{{secret.app_id}}" }}
[own]
url = "{double.url}/oa/applications"
query = {{ user = "{{person}}" }}
items = "rows"
[fields]
id = "no"
applicant = "by.id"
applicant_name = "by.name"
process = "kind"
status = ["state"]
submitted_at = "at"
[[steps]]
items = "flow"
where = [{{ path = "^kind", among = ["node"] }}]
node = "node"
person = "who[].id"
outcome = "did"
at = "when"
[outcomes]
"" = "pending"
"""
    first, second = [{"id": "a"}], [{"id": "b"}, {"id": "c"}]
    flow = [
        {"kind": "node", "node": "部门初审", "who": first, "did": "同意", "when": "2026-11-12 11:00"},
        {"kind": "node", "node": "法务审核", "who": second, "did": "", "when": "2026-11-12 12:00"},
        {"kind": "note", "node": "备注", "who": first, "did": "同意"},
    ]
    row = {"no": "O-1", "by": {"id": "w", "name": "温婷"}, "kind": "用印", "state": "审批中"}
    row["at"] = "2026-11-12T10:00:00"
    double.serve("/oa/applications", {"rows": [{**row, "flow": flow}]})
    double.serve("/oa/applications/O-1", {**row, "flow": flow})
    read = HttpConnector(
        load_model(written(tmp_path, "own.toml", text), MappingFile), {"app_id": SecretStr("k")}, WORDS
    )
    (own,) = read.of_applicant("w")
    assert own == read.by_id("O-1")
    assert (own.current_node, [each.id for each in own.approvers]) == ("法务审核", ["b", "c"])
    assert own.applicant.name == "温婷"
    assert double.requests[-1].headers["x-key"] == "k"
    read.close()
