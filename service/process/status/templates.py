"""`{name}` in the texts of a mapping, filled in: encoded in addresses, as they are in headers and bodies.

Names: `id`, `person`, `token`, `cursor`, `from_s`, `from_ms`, `to_s`, `to_ms`, those of `for_each`, and
`secret.NAME` from the settings. A body's text that is one `{name:number}` becomes a number.
"""

import re
from collections.abc import Iterable, Mapping
from urllib.parse import quote, urlsplit

from pydantic import JsonValue

from service.process.status.errors import StatusMisconfigured

_PLACE = re.compile(r"\{(?P<name>[A-Za-z_][\w.]*)(?P<number>:number)?\}")
_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_SECRET = "secret."


def host_is_fixed(url: str) -> bool:
    """Whether nothing is filled in before the path."""
    return "{" not in urlsplit(url).netloc and "{" not in urlsplit(url).scheme


def is_loopback(url: str) -> bool:
    return urlsplit(url).hostname in _LOOPBACK


def names_in(value: object) -> set[str]:
    """Every name that the texts within a value use, `secret.` ones as they are."""
    if isinstance(value, dict):
        return {name for each in value.values() for name in names_in(each)}
    if isinstance(value, list):
        return {name for each in value for name in names_in(each)}
    return {match["name"] for match in _PLACE.finditer(value)} if isinstance(value, str) else set()


def secrets_among(names: Iterable[str]) -> set[str]:
    """Without the `secret.` before them."""
    return {name.removeprefix(_SECRET) for name in names if name.startswith(_SECRET)}


def filled(text: str, values: Mapping[str, str]) -> str:
    """Raises StatusMisconfigured for a name that there is no value for."""
    return _PLACE.sub(lambda match: _value(match, values), text)


def filled_url(url: str, values: Mapping[str, str]) -> str:
    """Every value is one segment or one query value: nothing in it can lead elsewhere."""
    return _PLACE.sub(lambda match: quote(_value(match, values), safe=""), url)


def filled_json(value: JsonValue, values: Mapping[str, str]) -> JsonValue:
    if isinstance(value, dict):
        return {key: filled_json(each, values) for key, each in value.items()}
    if isinstance(value, list):
        return [filled_json(each, values) for each in value]
    if not isinstance(value, str):
        return value
    whole = _PLACE.fullmatch(value)
    text = filled(value, values)
    if whole is None or not whole["number"]:
        return text
    try:
        return int(text)
    except ValueError as error:
        raise StatusMisconfigured(f"映射文件里的 {value} 要填一个数，得到的不是") from error


def _value(match: re.Match[str], values: Mapping[str, str]) -> str:
    name = match["name"]
    if name not in values:
        where = "ZHIXING_STATUS_SECRETS" if name.startswith(_SECRET) else "可以填的名字"
        raise StatusMisconfigured(f"映射文件用到 {{{name}}}，{where}里没有")
    return values[name]
