"""How the LLM double answers one request: well, or badly on command."""

import json
from dataclasses import dataclass, replace

LONG_TEXT = "出差回来后十个工作日内提交报销单[1]。住宿费凭票据实报实销[2]。"


@dataclass(frozen=True)
class Behaviour:
    """What happens to one request. Seconds in `before_s` (until the headers) and `between_s` (per chunk)."""

    text: str = ""
    status: int = 200
    message: str = ""
    parameter: str | None = None
    retry_after: str | None = None
    before_s: float = 0.0
    between_s: float = 0.0
    chunk_size: int = 4
    cut_after: int | None = None
    finish_reason: str | None = "stop"
    usage: bool = True
    refusal: str | None = None
    page: str | None = None


def say(text: str, **options: object) -> Behaviour:
    """Answer with `text`; options are the other fields of Behaviour."""
    return replace(Behaviour(text=text), **options)  # type: ignore[arg-type]


def say_json(value: object) -> Behaviour:
    return Behaviour(text=json.dumps(value, ensure_ascii=False))


def slow(seconds: float, text: str = LONG_TEXT) -> Behaviour:
    """Nothing at all for `seconds`, then the answer."""
    return Behaviour(text=text, before_s=seconds)


def drip(seconds: float, text: str = LONG_TEXT, chunk_size: int = 1) -> Behaviour:
    """A stream with a pause of `seconds` before every chunk."""
    return Behaviour(text=text, between_s=seconds, chunk_size=chunk_size)


def status(code: int, retry_after: float | str | None = None, message: str = "double says no") -> Behaviour:
    """An HTTP error in OpenAI's form, with a Retry-After header when one is given."""
    asked = None if retry_after is None else str(retry_after)
    return Behaviour(status=code, retry_after=asked, message=message)


def cut_stream(after: int, text: str = LONG_TEXT) -> Behaviour:
    """The connection dies after `after` chunks of text (of a stream), or halfway (of a whole answer)."""
    return Behaviour(text=text, cut_after=after)


def bad_json() -> Behaviour:
    return Behaviour(text='{"question": "差旅费怎么报销", "search_terms": ["差旅费", ')


def prose_around_json(value: object) -> Behaviour:
    body = json.dumps(value, ensure_ascii=False, indent=1)
    return Behaviour(text=f"好的，按要求整理如下：\n\n```json\n{body}\n```\n\n以上 {{结果}} 供参考。")


def empty() -> Behaviour:
    return Behaviour(text="")


def wrong_language() -> Behaviour:
    """An English answer."""
    return Behaviour(text="Please submit the expense report within ten working days after the trip [1].")


def refuse_json_schema() -> Behaviour:
    """The 400 of a server that knows no `json_schema`."""
    return refuse_parameter("response_format", "response_format.type json_schema is not supported")


def refuse_parameter(parameter: str, message: str = "") -> Behaviour:
    """The 400 of a server or model that does not take `parameter`."""
    reason = message or f"Unsupported parameter: {parameter}"
    return Behaviour(status=400, parameter=parameter, message=reason)


def too_long_an_answer(text: str = LONG_TEXT) -> Behaviour:
    """The token limit ends the answer: `finish_reason` is `length`."""
    return Behaviour(text=text, finish_reason="length")


def html_page() -> Behaviour:
    """What a proxy or a login portal answers in place of the model, with status 200."""
    return Behaviour(page="<html><body>请先登录</body></html>")


def silent_about_usage(text: str = LONG_TEXT) -> Behaviour:
    return Behaviour(text=text, usage=False)
