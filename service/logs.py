"""Structured logs with a request id through every stage. Secrets and personal numbers never get in."""

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any

import structlog
from structlog.contextvars import get_contextvars

_SECRET_FIELD = re.compile(r"(?:^|[_-]|api)(?:key|token|secret|password|authorization)$", re.IGNORECASE)
_SECRET_VALUE = re.compile(r"\b(?:sk|zx)-[A-Za-z0-9_-]{16,}|(?<=Bearer )[^\s\"']+")
_PERSONAL = re.compile(
    r"(?<!\d)((?:\+?86[- ]?)?1[3-9]\d)[- ]?\d{4}[- ]?(\d{4})(?!\d)|(?<!\d)(\d{6})\d{8}(\d{3}[\dXx])(?!\d)"
)


def configure(level: str = "INFO", form: str = "console") -> None:
    """Send everything, the standard library's loggers included, through one renderer on stderr."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        mask,  # after the tracebacks were written out
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer(ensure_ascii=False)
        if form == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    )
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    for noisy in ("httpx", "httpcore", "pdfminer", "jieba", "watchfiles", "alembic", "openai"):
        logging.getLogger(noisy).setLevel(logging.WARNING)


def get(name: str) -> structlog.stdlib.BoundLogger:
    logger: structlog.stdlib.BoundLogger = structlog.stdlib.get_logger(name)
    return logger


def request_id() -> str:
    """The id of the request being served, or an empty string outside one."""
    return str(get_contextvars().get("request_id", ""))


def mask(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Blank out secret fields and keys; keep only the ends of phone and identity numbers."""
    for field, value in event.items():
        event[field] = _masked(field, value)
    return event


def _masked(field: str, value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _masked(str(key), item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_masked(field, item) for item in value]
    if not isinstance(value, str):
        return value
    if _SECRET_FIELD.search(field):
        return "***"
    return _PERSONAL.sub(_keep_ends, _SECRET_VALUE.sub("***", value))


def _keep_ends(match: re.Match[str]) -> str:
    head, tail = match.group(1) or match.group(3), match.group(2) or match.group(4)
    return f"{head}****{tail}"
