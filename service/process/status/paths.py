"""Paths into JSON: `data.task_list[0].name`, `a[].b` (of every item), or a JSON pointer `/data/task_list/0`.

A path that leads nowhere finds nothing; reading never raises, whatever the JSON is.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pydantic import JsonValue

_EVERY = "[]"
_SEGMENT = re.compile(r"(?:^|\.)(?P<name>[^.\[\]]+)|\[(?P<index>-?\d{1,9})?\]")
_INDEX = re.compile(r"-?\d{1,9}")
_HUGE = 10**100  # Python writes no integer of thousands of digits as text

Segment: TypeAlias = str | int
"""A key, a place in a list, or `[]` for all of them."""


@dataclass(frozen=True, slots=True)
class JsonPath:
    """Of no segments, it is the value itself. `text` is how it was written, for messages."""

    text: str
    segments: tuple[Segment, ...]

    @classmethod
    def parse(cls, text: str) -> "JsonPath":
        """Raises ValueError."""
        return cls(text, tuple(_pointed(text) if text.startswith("/") else _dotted(text)))

    def all(self, value: JsonValue) -> list[JsonValue]:
        """Everything the path leads to, in order; of a list at its end, the list as one value."""
        found = [value]
        for segment in self.segments:
            found = [under for each in found for under in _under(each, segment)]
        return found

    def first(self, value: JsonValue) -> JsonValue:
        """What the path leads to first; None where it leads nowhere."""
        return next(iter(self.all(value)), None)

    def texts(self, value: JsonValue) -> list[str]:
        """Every scalar at the path's ends, lists spread out, as text; empty ones left out."""
        return [text for each in self.all(value) for text in _scalars(each)]

    def text_of(self, value: JsonValue) -> str:
        """The first scalar as text; empty where there is none."""
        return next(iter(self.texts(value)), "")


@dataclass(frozen=True, slots=True)
class Reach:
    """A path into a step, or with `^` before it into the node that the step belongs to."""

    path: JsonPath
    of_node: bool

    @classmethod
    def parse(cls, text: str) -> "Reach":
        """Raises ValueError."""
        return cls(JsonPath.parse(text.removeprefix("^")), text.startswith("^"))

    def text_of(self, node: JsonValue, step: JsonValue) -> str:
        return self.path.text_of(node if self.of_node else step)

    def texts(self, node: JsonValue, step: JsonValue) -> list[str]:
        return self.path.texts(node if self.of_node else step)


def _dotted(text: str) -> Iterator[Segment]:
    at = 0
    while at < len(text):
        match = _SEGMENT.match(text, at)
        if match is None or (at == 0 and text[0] == "."):
            raise ValueError(f"路径 {text!r} 在第 {at + 1} 个字处写法不对")
        if match["name"] is not None:
            yield match["name"]
        else:
            yield int(match["index"]) if match["index"] else _EVERY
        at = match.end()


def _pointed(text: str) -> Iterator[Segment]:
    for part in text[1:].split("/"):
        yield int(part) if _INDEX.fullmatch(part) else part.replace("~1", "/").replace("~0", "~")


def _under(value: JsonValue, segment: Segment) -> list[JsonValue]:
    if isinstance(value, list):
        if segment == _EVERY:
            return value
        inside = isinstance(segment, int) and -len(value) <= segment < len(value)
        return [value[int(segment)]] if inside else []
    if isinstance(value, dict) and segment != _EVERY:
        key = str(segment)  # a pointer's /0 may be a key
        return [value[key]] if key in value else []
    return []


def _scalars(value: JsonValue) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from _scalars(each) if not isinstance(each, list) else ()
    elif isinstance(value, bool):
        yield "true" if value else "false"
    elif isinstance(value, str) and value.strip():
        yield value.strip()
    elif isinstance(value, int | float) and abs(value) < _HUGE:
        yield str(value)
