"""What an endpoint takes beyond the core of the protocol, learnt from its 400s and remembered per model.

Compatible servers differ: some know no `json_schema`, some models fix the temperature, old ones have no
`stream_options`. Each refusal drops one thing; the answer is validated here in any case.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from service.llm.errors import LlmRejected
from service.llm.outputs import JsonSchema

_REFUSALS = frozenset({400, 422})


class JsonMode(StrEnum):
    """How JSON is asked for, from the strictest to words alone."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    WORDS = "text"


@dataclass(frozen=True, slots=True)
class Dialect:
    """The optional parameters in use."""

    json_mode: JsonMode = JsonMode.SCHEMA
    temperature: bool = True
    stream_options: bool = True

    def parameters(
        self, temperature: float, schema: JsonSchema | None, streaming: bool
    ) -> Mapping[str, object]:
        """The optional part of a request's body."""
        body: dict[str, object] = {}
        if self.temperature:
            body["temperature"] = temperature
        if streaming and self.stream_options:
            body["stream_options"] = {"include_usage": True}
        if schema is not None and self.json_mode is JsonMode.SCHEMA:
            form = {"name": schema.name, "schema": schema.body, "strict": True}
            body["response_format"] = {"type": JsonMode.SCHEMA.value, "json_schema": form}
        elif schema is not None and self.json_mode is JsonMode.OBJECT:
            body["response_format"] = {"type": JsonMode.OBJECT.value}
        return body

    def after(self, refusal: LlmRejected, wants_json: bool, streaming: bool) -> "Dialect | None":
        """A more modest dialect worth trying, or None when the refusal is about something else.

        A refusal that names a parameter drops that one; an unnamed one drops what servers lack most often.
        """
        if refusal.http_status not in _REFUSALS:
            return None
        reason = refusal.reason.lower()
        if "context_length" in reason or "content_filter" in reason:
            return None
        if self.temperature and "temperature" in reason:
            return replace(self, temperature=False)
        if wants_json and self.json_mode is not JsonMode.WORDS:
            lower = JsonMode.OBJECT if self.json_mode is JsonMode.SCHEMA else JsonMode.WORDS
            return replace(self, json_mode=lower)
        if streaming and self.stream_options:
            return replace(self, stream_options=False)
        return None
