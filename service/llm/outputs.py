"""From a model's words to a value of the step's type: finding the JSON, validating it, saying what is wrong.

Models wrap JSON in prose, fences and visible reasoning; whatever candidate validates first is the answer.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from service.llm.reasoning import without_reasoning

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

Output = TypeVar("Output", bound=BaseModel)

_FENCE = re.compile(r"```[a-zA-Z0-9]*[ \t]*\n(.*?)```", re.DOTALL)
_HAN = re.compile(r"[㐀-䶿一-鿿\U00020000-\U0003fffd]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
_MOST_CANDIDATES = 40  # places tried as a start of JSON, so that hostile text costs linear time
_MOST_PROBLEMS = 8  # validation errors told to the model at once


class OutputProblem(Exception):
    """Why a text is not of the wanted type, in words a model can act on. Never leaves this package.

    The words are ours alone: places by the names of the type's own fields, and nothing of the content, since
    a repair prompt has them followed.
    """


@dataclass(frozen=True, slots=True)
class JsonSchema:
    """A schema as `response_format` wants it. `text` is its compact JSON for prompts."""

    name: str
    body: Mapping[str, object]

    @property
    def text(self) -> str:
        return json.dumps(self.body, ensure_ascii=False, separators=(",", ":"))


def schema_of(output_type: type[BaseModel]) -> JsonSchema:
    """Pydantic's schema in the strict dialect: every property required, no others allowed, no defaults."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", output_type.__name__)[:64]
    return JsonSchema(name, _strict_object(output_type.model_json_schema()))


def parse_output(text: str, output_type: type[Output]) -> Output:
    """The first JSON value in `text` that is an `output_type`. Raises OutputProblem."""
    answer = without_reasoning(text)
    if not answer.strip():
        raise OutputProblem("回答是空的")
    nearest: tuple[bool, int] | None = None
    problem = ""
    for candidate in _candidates(answer):
        try:
            return output_type.model_validate_json(candidate)
        except ValidationError as error:
            rank = (not _is_broken_json(error), len(candidate))
            if nearest is None or rank > nearest:
                nearest, problem = rank, _described(error, output_type)
    raise OutputProblem(problem)


def is_mainly_chinese(text: str) -> bool:
    """False when Latin words outnumber Han characters: an answer in English, not one that names a product."""
    return len(_HAN.findall(text)) >= len(_LATIN_WORD.findall(text))


def _candidates(text: str) -> Iterator[str]:
    yield text.strip()
    for fence in _FENCE.finditer(text):
        yield fence[1].strip()
    decoder = json.JSONDecoder()
    position, tried = 0, 0
    while (start := _next_opening(text, position)) >= 0 and tried < _MOST_CANDIDATES:
        tried += 1
        position = start + 1
        try:
            end = decoder.raw_decode(text, start)[1]
        except (ValueError, RecursionError):
            continue
        yield text[start:end]
        position = end


def _next_opening(text: str, position: int) -> int:
    found = [at for at in (text.find("{", position), text.find("[", position)) if at >= 0]
    return min(found, default=-1)


def _is_broken_json(error: ValidationError) -> bool:
    problems = error.errors(include_url=False, include_input=False)
    return any(each["type"] == "json_invalid" for each in problems)


def _described(error: ValidationError, output_type: type[BaseModel]) -> str:
    problems = error.errors(include_url=False, include_input=False)[:_MOST_PROBLEMS]
    fields = frozenset(_field_names(output_type.model_json_schema()))
    lines = [f"{_place(each['loc'], fields) or '整体'}：{_fault(each)}" for each in problems]
    return "\n".join(lines)


def _place(location: Sequence[int | str], fields: frozenset[str]) -> str:
    """A name that is no field of the type was made up by the model: it is not repeated."""
    return ".".join(str(part) if isinstance(part, int) or part in fields else "…" for part in location)


def _fault(problem: "ErrorDetails") -> str:
    """The one message that quotes the content is replaced."""
    return "种类不在允许的范围之内" if problem["type"] == "union_tag_invalid" else problem["msg"]


def _field_names(schema: object) -> Iterator[str]:
    if isinstance(schema, list):
        for each in schema:
            yield from _field_names(each)
    elif isinstance(schema, dict):
        properties = schema.get("properties")
        yield from properties if isinstance(properties, dict) else ()
        for below in schema.values():
            yield from _field_names(below)


def _strict(node: object) -> object:
    if isinstance(node, list):
        return [_strict(each) for each in node]
    return _strict_object(node) if isinstance(node, dict) else node


def _strict_object(node: Mapping[str, object]) -> dict[str, object]:
    kept = node.keys() - {"default", "title", "properties"}
    strict = {key: _strict(value) for key, value in node.items() if key in kept}
    properties = node.get("properties")
    if isinstance(properties, dict):
        strict["properties"] = {name: _strict(value) for name, value in properties.items()}
        strict["required"] = list(properties)
        strict["additionalProperties"] = False
    return strict
