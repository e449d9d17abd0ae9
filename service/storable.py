"""Text that databases, encoders and the index take: none of them holds NUL or half of a surrogate pair."""

import re
from collections.abc import Mapping, Sequence

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def storable(text: str) -> str:
    """What cannot be stored becomes U+FFFD, one for one, so that offsets stay right."""
    return _UNSTORABLE.sub("\ufffd", text)


def storable_json(value: object) -> object:
    """The same for every text inside a parsed JSON value, names of fields included."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {storable_json(key): storable_json(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [storable_json(item) for item in value]
    return value
