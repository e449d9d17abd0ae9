"""The errors of the `openai` package, translated into ours in this one place."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import openai

from service.llm.errors import LlmCutOff, LlmRateLimited, LlmRejected, LlmTimeout, LlmUnavailable
from service.llm.retry import parse_retry_after

_LONGEST_REASON = 300  # characters of a server's own error message that are kept


@contextmanager
def translating(key: str, begun: bool = False) -> Iterator[None]:
    """Raise LlmError for the SDK's errors. `key` is masked in what servers say.

    `begun`: some of the answer had arrived, so that a lost connection cuts it off.
    """
    try:
        yield
    except openai.APITimeoutError as error:
        raise LlmTimeout("大模型没有在时限内回答") from error
    except (openai.APIConnectionError, httpx.HTTPError) as error:
        raise connection_lost(begun) from error
    except openai.APIStatusError as error:
        raise _from_status(error, key) from error
    except openai.APIError as error:
        raise LlmUnavailable(f"大模型服务报错：{_reason(error, key)}") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise LlmUnavailable("大模型服务的返回不是 OpenAI 协议") from error


def connection_lost(begun: bool) -> LlmCutOff | LlmUnavailable:
    """Before any text the call can simply be made again; after it, an answer is cut off."""
    return LlmCutOff("大模型的回答中途断开") if begun else LlmUnavailable("与大模型服务的连接中断")


def _from_status(error: openai.APIStatusError, key: str) -> LlmUnavailable | LlmRejected:
    status = error.status_code
    retry_after = parse_retry_after(error.response.headers.get("retry-after"))
    if status == 429:
        return LlmRateLimited("大模型服务限流", retry_after=retry_after)
    if status >= 500 or status in {408, 409}:
        return LlmUnavailable(f"大模型服务出错（HTTP {status}）", retry_after=retry_after)
    reason = _reason(error, key)
    return LlmRejected(f"大模型服务拒绝了请求（HTTP {status}）：{reason}", http_status=status, reason=reason)


def _reason(error: openai.APIError, key: str) -> str:
    parts = [part for part in (error.code, error.param, error.message) if part]
    reason = " ".join(parts)[:_LONGEST_REASON]
    return reason.replace(key, "***") if key else reason
