"""An approval system over HTTP, read by a mapping file: Feishu, DingTalk, WeCom, or an OA of one's own."""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import Enum, auto

from pydantic import JsonValue, SecretStr

from service.process.status.answers import Reader, listed, words_of_codes
from service.process.status.applications import Application, newest_first
from service.process.status.circuit import Circuit
from service.process.status.errors import StatusMisconfigured, StatusUnreadable
from service.process.status.mapping import Mapping as MappingFile
from service.process.status.mapping import Request, Token
from service.process.status.records import Words, assembled
from service.process.status.templates import (
    filled,
    filled_json,
    filled_url,
    is_loopback,
    secrets_among,
)
from service.process.status.transport import Answer, Call, Transport

FAILURES, RESET_S = 5, 30.0
MOST_PAGES = 5  # of a list of ids
EARLY_S = 60.0  # before its end a token is not used any more
_UNAUTHORISED, _NOT_FOUND = 401, 404


class _Verdict(Enum):
    SUCCESS = auto()
    ABSENT = auto()
    EXPIRED = auto()  # the token, not the application


class HttpConnector:
    """`secrets` by the names that the mapping uses. Raises StatusMisconfigured when one is missing."""

    def __init__(
        self,
        mapping: MappingFile,
        secrets: Mapping[str, SecretStr],
        words: Words,
        *,
        circuit: Circuit | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._mapping = mapping
        self._secrets = {f"secret.{name}": secret.get_secret_value() for name, secret in secrets.items()}
        self._check_secrets(secrets)
        self._words = words.extended(mapping.statuses, words_of_codes() | mapping.outcomes)
        self._reader = Reader(mapping)
        self._transport = Transport(
            mapping.name,
            timeout_s=mapping.timeout_s,
            retries=mapping.retries,
            max_bytes=mapping.max_bytes,
            circuit=circuit or Circuit(FAILURES, RESET_S),
            direct=is_loopback(mapping.one.url),
            sleep=sleep,
        )
        self._lock = threading.Lock()
        self._token, self._token_ends = "", 0.0

    @property
    def window_days(self) -> int | None:
        return self._mapping.own.days

    def by_id(self, application_id: str) -> Application | None:
        return self._one(application_id, time.monotonic() + self._mapping.total_s)

    def of_applicant(self, person_id: str) -> Sequence[Application]:
        own, deadline = self._mapping.own, time.monotonic() + self._mapping.total_s
        pages = self._pages(person_id, deadline)
        if own.items is not None:
            items = [item for page in pages for item in listed(own.items, page)]
            found = [assembled(self._reader.application(item), self._words) for item in items]
        else:
            ids = [text for page in pages for text in (own.ids.texts(page) if own.ids else [])]
            meant = ids[: own.most] if own.newest == "first" else ids[-own.most :]
            found = [each for text in dict.fromkeys(meant) if (each := self._one(text, deadline))]
        # Whatever the mapping asked for, and each once: pages may overlap.
        theirs = {each.id: each for each in found if each.applicant.id == person_id}
        return newest_first(list(theirs.values()))[: own.most]

    def close(self) -> None:
        self._transport.close()

    def _one(self, application_id: str, deadline: float) -> Application | None:
        answer = self._answer(self._mapping.one, {"id": application_id}, deadline)
        found = None if answer is None else self._mapping.one.root.first(answer)
        if found is None:
            return None
        return assembled(self._reader.application(found, asked=application_id), self._words)

    def _pages(self, person_id: str, deadline: float) -> Iterator[JsonValue]:
        own = self._mapping.own
        for name, values in own.for_each.items() or [("", ("",))]:
            for value in values:
                yield from self._pages_of({"person": person_id, name: value}, deadline)

    def _pages_of(self, values: Mapping[str, str], deadline: float) -> Iterator[JsonValue]:
        own = self._mapping.own
        cursor = own.cursor_start
        for _ in range(MOST_PAGES):
            answer = self._answer(own, {**values, **_window(own.days), "cursor": cursor}, deadline)
            if answer is None:
                return
            yield answer
            after = own.next.text_of(answer) if own.next else ""
            if after in ("", "0", cursor):
                return
            cursor = after

    def _answer(self, request: Request, values: Mapping[str, str], deadline: float) -> JsonValue | None:
        """What the system says, None when it says that there is no such thing. A token that has run out
        is fetched anew, once."""
        for fresh in (False, True):
            token = self._current_token(deadline, fresh)
            answer = self._transport.fetch(self._call(request, {**values, "token": token}), deadline)
            verdict = self._verdict(answer, request is self._mapping.one)
            if verdict is not _Verdict.EXPIRED:
                return answer.body if verdict is _Verdict.SUCCESS else None
        raise StatusUnreadable(f"{self._mapping.name}不接受刚取得的凭证，请联系管理员")

    def _verdict(self, answer: Answer, about_one: bool) -> _Verdict:
        """By the code within the answer, where the mapping has a rule for it, then by the HTTP status.

        Only one application can be absent; a list that is not found is a fault.
        """
        rule, renewable = self._mapping.verdict, self._mapping.token is not None
        code = rule.path.text_of(answer.body) if rule else ""
        if about_one and rule and code in rule.absent:
            return _Verdict.ABSENT
        if renewable and ((rule and code in rule.token_expired) or answer.http_status == _UNAUTHORISED):
            return _Verdict.EXPIRED
        if about_one and answer.http_status == _NOT_FOUND and not code:
            return _Verdict.ABSENT
        if answer.refused or (rule and code not in rule.success):
            shown = f"HTTP {answer.http_status}，结果码 {code[:40] or '没有'}"
            raise StatusUnreadable(
                f"{self._mapping.name}没有答复查询（{shown}），请联系管理员核对凭证与映射文件"
            )
        return _Verdict.SUCCESS

    def _current_token(self, deadline: float, fresh: bool) -> str:
        request = self._mapping.token
        if request is None:
            return ""
        with self._lock:
            if fresh or time.monotonic() >= self._token_ends:
                self._token, life = self._new_token(request, deadline)
                self._token_ends = time.monotonic() + max(life - EARLY_S, 0.0)
            return self._token

    def _new_token(self, request: Token, deadline: float) -> tuple[str, float]:
        answer = self._transport.fetch(self._call(request, {}), deadline).body
        token = request.token.text_of(answer)
        if not token:
            raise StatusUnreadable(
                f"{self._mapping.name}没有给出凭证（token.token），请联系管理员核对 ZHIXING_STATUS_SECRETS"
            )
        life = request.expires_in.text_of(answer) if request.expires_in else ""
        return token, float(life) if life.isdecimal() else float(request.lifetime_s)

    def _call(self, request: Request, values: Mapping[str, str]) -> Call:
        known = {**self._secrets, **values}
        return Call(
            method="POST" if request.body is not None else request.method,
            url=filled_url(request.url, known),
            headers={name: filled(text, known) for name, text in request.headers.items()},
            query={name: value for name, text in request.query.items() if (value := filled(text, known))},
            body=None if request.body is None else filled_json(request.body, known),
        )

    def _check_secrets(self, secrets: Mapping[str, SecretStr]) -> None:
        named = {name for _, request in self._mapping.requests for name in request.names}
        if missing := sorted(secrets_among(named) - set(secrets)):
            raise StatusMisconfigured(
                f"映射文件用到的凭证 {'、'.join(missing)} 不在 ZHIXING_STATUS_SECRETS 里"
            )


def _window(days: int) -> dict[str, str]:
    until = datetime.now(UTC)
    since = until - timedelta(days=days)
    first, last = int(since.timestamp()), int(until.timestamp())
    return {"from_s": str(first), "to_s": str(last), "from_ms": f"{first}000", "to_ms": f"{last}000"}
