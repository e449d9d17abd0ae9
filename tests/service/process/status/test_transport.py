"""One request to an approval system that is slow, broken, busy, huge, or leads elsewhere."""

import gzip
import json
import time
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from service.process.status.circuit import Circuit
from service.process.status.errors import StatusUnavailable, StatusUnreadable
from service.process.status.transport import Call, Transport
from tests.doubles.approval import ApprovalDouble, Reply, say

GOOD = {"code": 0, "data": "好"}


@pytest.fixture
def double() -> Iterator[ApprovalDouble]:
    with ApprovalDouble() as served:
        served.serve("/", GOOD)
        yield served


class Rig:
    """A transport to the double, and how long it would have slept."""

    def __init__(self, url: str, *, retries: int = 2, timeout_s: float = 2.0) -> None:
        self.url = url
        self.slept: list[float] = []
        self.circuit = Circuit(5, 30)
        self.transport = Transport(
            "某审批",
            timeout_s=timeout_s,
            retries=retries,
            max_bytes=10_000,
            circuit=self.circuit,
            direct=True,
            sleep=self.slept.append,
        )

    def fetch(self, body: JsonValue = None, within_s: float = 5.0) -> JsonValue:
        method = "GET" if body is None else "POST"
        call = Call(method, f"{self.url}/x", {"X-Key": "hunter2"}, {"q": "1"}, body)
        return self.transport.fetch(call, time.monotonic() + within_s).body


@pytest.fixture
def rig(double: ApprovalDouble) -> Iterator[Rig]:
    made = Rig(double.url)
    yield made
    made.transport.close()


def test_what_is_asked_arrives_and_what_is_said_comes_back(rig: Rig, double: ApprovalDouble) -> None:
    assert rig.fetch(body={"id": "A-1"}) == GOOD
    (asked,) = double.requests
    assert (asked.method, asked.path, asked.query, asked.body) == ("POST", "/x", {"q": "1"}, {"id": "A-1"})
    assert asked.headers["x-key"] == "hunter2"


@pytest.mark.parametrize("status", [500, 502, 503, 429])
def test_passing_failure_is_tried_again(status: int, rig: Rig, double: ApprovalDouble) -> None:
    double.script(Reply(status=status), Reply(status=status))
    assert rig.fetch() == GOOD
    assert len(double.requests) == 3
    assert 0.1 <= rig.slept[0] <= 0.2 <= rig.slept[1] <= 0.4


def test_tries_are_bounded_and_the_user_is_told_when_to_come_back(rig: Rig, double: ApprovalDouble) -> None:
    double.script(*[Reply(status=500)] * 9)
    with pytest.raises(StatusUnavailable, match="某审批暂时查不到（HTTP 500），请稍后再试") as failure:
        rig.fetch()
    assert len(double.requests) == 3
    assert failure.value.retry_after == 30


def test_retry_after_is_waited_for(rig: Rig, double: ApprovalDouble) -> None:
    double.script(Reply(status=429, headers={"Retry-After": "1"}))
    assert rig.fetch() == GOOD
    assert rig.slept == [1.0]


@pytest.mark.parametrize("value", ["120", "Wed, 21 Oct 2099 07:28:00 GMT"])
def test_retry_after_beyond_the_deadline_is_passed_on(
    value: str, rig: Rig, double: ApprovalDouble
) -> None:
    double.script(Reply(status=429, headers={"Retry-After": value}))
    with pytest.raises(StatusUnavailable) as failure:
        rig.fetch()
    assert failure.value.retry_after >= 120
    assert (len(double.requests), rig.slept) == (1, [])


def test_unreadable_retry_after_is_as_none(rig: Rig, double: ApprovalDouble) -> None:
    double.script(Reply(status=503, headers={"Retry-After": "soon"}))
    assert rig.fetch() == GOOD


def test_slow_answer_is_given_up(double: ApprovalDouble) -> None:
    rig = Rig(double.url, retries=0, timeout_s=0.1)
    double.script(Reply(before_s=2))
    begun = time.monotonic()
    with pytest.raises(StatusUnavailable, match="没有在时限内应答"):
        rig.fetch()
    assert time.monotonic() - begun < 1
    rig.transport.close()


def test_answer_that_comes_in_drops_ends_at_the_limit(double: ApprovalDouble) -> None:
    rig = Rig(double.url, retries=0, timeout_s=0.2)
    double.script(say({"a": "b" * 100}, between_s=2))
    begun = time.monotonic()
    with pytest.raises(StatusUnavailable):
        rig.fetch()
    assert time.monotonic() - begun < 1
    rig.transport.close()


def test_deadline_of_the_whole_ends_the_tries(rig: Rig, double: ApprovalDouble) -> None:
    double.script(*[Reply(status=500)] * 3)
    with pytest.raises(StatusUnavailable):
        rig.fetch(within_s=0.05)
    assert len(double.requests) == 1


def test_answer_cut_off_is_tried_again(rig: Rig, double: ApprovalDouble) -> None:
    double.script(say({"a": "b" * 100}, cut=True))
    assert rig.fetch() == GOOD


def test_nobody_listening_is_unavailable() -> None:
    rig = Rig("http://127.0.0.1:1", retries=1)
    with pytest.raises(StatusUnavailable, match="连不上"):
        rig.fetch()
    rig.transport.close()


@pytest.mark.parametrize("body", [b"<html>login</html>", b"", b"{", b"\xff", b"[" * 9_000])
def test_what_is_no_json_is_told_and_not_tried_again(
    body: bytes, rig: Rig, double: ApprovalDouble
) -> None:
    double.script(Reply(body=body))
    with pytest.raises(StatusUnreadable, match="不是 JSON"):
        rig.fetch()
    assert len(double.requests) == 1


def test_huge_answer_is_not_read_to_its_end(rig: Rig, double: ApprovalDouble) -> None:
    double.script(say("x" * 20_000))
    with pytest.raises(StatusUnreadable, match="超过 10,000 字节"):
        rig.fetch()


def test_answer_that_unpacks_to_a_huge_one_is_not_read_to_its_end(
    rig: Rig, double: ApprovalDouble
) -> None:
    packed = gzip.compress(json.dumps("x" * 5_000_000).encode())
    assert len(packed) < 10_000
    double.script(Reply(body=packed, headers={"Content-Encoding": "gzip"}))
    with pytest.raises(StatusUnreadable, match="超过 10,000 字节"):
        rig.fetch()


def test_answer_packed_wrongly_is_told(rig: Rig, double: ApprovalDouble) -> None:
    double.script(Reply(body=b"not gzip at all", headers={"Content-Encoding": "gzip"}))
    with pytest.raises(StatusUnreadable, match="解不开"):
        rig.fetch()


@pytest.mark.parametrize("status", [301, 302, 307, 308, 304])
def test_redirect_is_not_followed_and_no_header_goes_elsewhere(status: int, rig: Rig) -> None:
    with ApprovalDouble() as elsewhere, ApprovalDouble() as double:
        elsewhere.serve("/", GOOD)
        rig.url = double.url
        double.script(Reply(status=status, headers={"Location": f"{elsewhere.url}/stolen"}))
        with pytest.raises(StatusUnreadable, match="要求跳转"):
            rig.fetch()
        assert elsewhere.requests == []


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_refusal_comes_back_with_its_status(status: int, rig: Rig, double: ApprovalDouble) -> None:
    double.script(say({"code": 7}, status=status), Reply(b"no json", status))
    for body in ({"code": 7}, None):
        answer = rig.transport.fetch(Call("GET", rig.url, {}, {}, None), time.monotonic() + 5)
        assert (answer.refused, answer.http_status, answer.body) == (True, status, body)


def test_circuit_opens_after_failures_in_a_row_and_nothing_is_sent(rig: Rig, double: ApprovalDouble) -> None:
    double.script(*[Reply(status=500)] * 5)
    for _ in range(2):
        with pytest.raises(StatusUnavailable):
            rig.fetch()
    sent = len(double.requests)
    assert sent == 5
    with pytest.raises(StatusUnavailable, match="暂停查询") as failure:
        rig.fetch()
    assert len(double.requests) == sent
    assert 1 <= failure.value.retry_after <= 30


def test_half_of_an_emoji_becomes_a_mark_that_can_be_sent_on(rig: Rig, double: ApprovalDouble) -> None:
    double.script(Reply(body=b'{"a": "\\ud83d"}'))
    assert rig.fetch() == {"a": "\ufffd"}


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=200), status=st.sampled_from([200, 200, 204, 400, 500]))
def test_whatever_comes_is_an_answer_or_one_of_two_errors(body: bytes, status: int, rig: Rig) -> None:
    with ApprovalDouble() as double:
        double.script(*[Reply(body=body, status=status)] * 3)
        rig.url = double.url
        rig.circuit.succeeded()
        try:
            rig.fetch()
        except (StatusUnavailable, StatusUnreadable) as failure:
            assert "hunter2" not in failure.message
            assert failure.message.startswith("某审批")
