"""The mapping file of the HTTP connector, in TOML or JSON: where to ask, and where in the answer what stands.

Strict: an unknown key, a path or a time zone that cannot be read is an error that names the key.
"""

import json
import tomllib
from pathlib import Path
from typing import Annotated, Literal, Self, TypeVar
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    PlainValidator,
    ValidationError,
    field_validator,
    model_validator,
)

from service.process.status.applications import MOST_LISTED, Outcome, Status
from service.process.status.errors import StatusMisconfigured
from service.process.status.moments import CHINA, ISO, zone_of
from service.process.status.paths import JsonPath, Reach
from service.process.status.templates import host_is_fixed, is_loopback, names_in, secrets_among

MOST_BYTES = 1_000_000  # of a mapping file
_OWN_NAMES = {"person", "cursor", "from_s", "from_ms", "to_s", "to_ms"}


def _path(value: object) -> JsonPath:
    if isinstance(value, JsonPath):
        return value
    if not isinstance(value, str):
        raise ValueError("路径要写成文字")
    return JsonPath.parse(value)


def _reach(value: object) -> Reach:
    if not isinstance(value, str):
        raise ValueError("路径要写成文字")
    return Reach.parse(value)


def _zone(value: str) -> str:
    zone_of(value)
    return value


PathText = Annotated[JsonPath, PlainValidator(_path)]
ReachText = Annotated[Reach, PlainValidator(_reach)]
ZoneText = Annotated[str, AfterValidator(_zone)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Request(Strict):
    """`{name}` in any text is filled in; see docs/status.md for the names. A body makes it a POST of JSON."""

    method: Literal["GET", "POST"] = "GET"
    url: str
    headers: dict[str, str] = {}
    query: dict[str, str] = {}
    body: dict[str, JsonValue] | None = None

    @field_validator("url")
    @classmethod
    def _address(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("https", "http") or not parts.hostname or parts.username is not None:
            raise ValueError("要写成 https://主机/路径，不带用户名和密码")
        if not host_is_fixed(value):
            raise ValueError("主机名里不能有要填的 {…}：那样凭证可能发往别处")
        return value

    @property
    def names(self) -> set[str]:
        """What is to be filled in anywhere in it."""
        return names_in([self.url, self.headers, self.query, self.body])


class Verdict(Strict):
    """Approval systems answer 200 with a code of their own. `path` leads to it; compared as text."""

    path: PathText
    success: tuple[str, ...] = ("0",)
    absent: tuple[str, ...] = ()
    token_expired: tuple[str, ...] = ()


class Token(Request):
    """How to come by an access token; `expires_in` leads to its life in seconds."""

    token: PathText
    expires_in: PathText | None = None
    lifetime_s: int = Field(3600, ge=60)


class Fields(Strict):
    """Paths into one application. `id` and `applicant` are needed: without them nobody may see it."""

    id: PathText
    number: PathText | None = None
    applicant: PathText
    applicant_name: PathText | None = None
    process: PathText | None = None
    process_key: PathText | None = None
    title: PathText | None = None
    status: tuple[PathText, ...] = Field((), description="several are joined by /")
    submitted_at: PathText | None = None


class Where(Strict):
    path: ReachText
    among: tuple[str, ...] = Field(min_length=1)


class Steps(Strict):
    """`items` leads to steps, or with `each` to nodes that hold them. `^` before a path: of the node."""

    items: PathText
    each: PathText | None = None
    where: tuple[Where, ...] = ()
    node_where: tuple[Where, ...] = ()
    only_first_node: bool = False
    node: ReachText | None = None
    node_numbered: str = ""
    person: ReachText
    person_name: ReachText | None = None
    outcome: ReachText | None = None
    outcome_is: Outcome | None = None
    at: ReachText | None = None
    comment: ReachText | None = None

    @model_validator(mode="after")
    def _one_outcome(self) -> Self:
        if (self.outcome is None) == (self.outcome_is is None):
            raise ValueError("outcome 与 outcome_is 写且只写一个")
        return self


class One(Request):
    """One application by its id; `root` leads to it in the answer."""

    root: PathText = JsonPath.parse("")


class Own(Request):
    """The applications of one person: `ids` leads to their ids, or `items` to the applications themselves.

    `for_each` repeats the request for every value of a name. `next` leads to `{cursor}` of the next page.
    """

    ids: PathText | None = None
    items: PathText | None = None
    for_each: dict[str, tuple[str, ...]] = Field({}, max_length=1)
    next: PathText | None = None
    cursor_start: str = ""
    days: int = Field(90, ge=1, le=3660)
    newest: Literal["first", "last"] = "first"
    most: int = Field(10, ge=1, le=MOST_LISTED)

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if (self.ids is None) == (self.items is None):
            raise ValueError("ids 与 items 写且只写一个")
        return self


class Mapping(Strict):
    name: str = Field(min_length=1)
    plain_http: bool = False
    timeout_s: float = Field(5.0, gt=0, le=60)
    total_s: float = Field(15.0, gt=0, le=120)
    retries: int = Field(2, ge=0, le=5)
    max_bytes: int = Field(2_000_000, ge=1_000, le=50_000_000)
    time: str = ISO
    zone: ZoneText = CHINA
    token: Token | None = None
    verdict: Verdict | None = None
    one: One
    own: Own
    fields: Fields
    steps: tuple[Steps, ...] = ()
    statuses: dict[str, Status] = {}
    outcomes: dict[str, Outcome] = {}
    processes: dict[str, str] = {}
    nodes: dict[str, str] = {}

    @property
    def requests(self) -> list[tuple[str, Request]]:
        """Each with its key."""
        every = (("one", self.one), ("own", self.own), ("token", self.token))
        return [(key, request) for key, request in every if request is not None]

    @model_validator(mode="after")
    def _encrypted(self) -> Self:
        for key, request in self.requests:
            safe = self.plain_http or request.url.startswith("https://") or is_loopback(request.url)
            if not safe:
                raise ValueError(f"{key}.url 没有加密；确实只在内网使用的，写 plain_http = true")
        return self

    @model_validator(mode="after")
    def _names_have_values(self) -> Self:
        known = {
            "one": {"id"} | ({"token"} if self.token else set()),
            "own": _OWN_NAMES | set(self.own.for_each) | ({"token"} if self.token else set()),
            "token": set(),
        }
        for key, request in self.requests:
            unknown = request.names - known[key] - {f"secret.{name}" for name in secrets_among(request.names)}
            if unknown:
                raise ValueError(f"{key} 里的 {{{sorted(unknown)[0]}}} 没有可以填的值")
        return self


Model = TypeVar("Model", bound=BaseModel)


def load_model(path: Path, model: type[Model]) -> Model:
    """A TOML or JSON file as `model`. Raises StatusMisconfigured, which names the file and the keys."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise StatusMisconfigured(f"映射文件 {path} 超过 {MOST_BYTES // 1_000_000} MB")
        text = path.read_text(encoding="utf-8-sig")
        value = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
        return model.model_validate(value)
    except OSError as error:
        raise StatusMisconfigured(f"映射文件 {path} 打不开：{error.strerror}") from error
    except ValidationError as error:
        raise StatusMisconfigured(f"映射文件 {path}：{problems_in(error)}") from error
    except (ValueError, RecursionError) as error:  # of the encoding, TOML or JSON
        raise StatusMisconfigured(f"映射文件 {path} 读不出来：{error}") from error


def problems_in(error: ValidationError) -> str:
    """Every key and what is wrong with it; the values, which may be secret, are left out."""
    return "；".join(
        f"{'.'.join(str(part) for part in each['loc']) or '整个文件'} {_wrong(each['type'], each['msg'])}"
        for each in error.errors(include_input=False, include_url=False)
    )


def _wrong(kind: str, message: str) -> str:
    said = {"missing": "没有写", "extra_forbidden": "不认识这个键"}
    return said.get(kind, message.removeprefix("Value error, "))
