"""The connector that the settings name: `file:PATH`, `sql:URL` or `http:MAPPING_FILE`."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, SecretStr

from service.process.status.applications import Connector, Outcome, Status
from service.process.status.errors import StatusMisconfigured
from service.process.status.file_connector import FileConnector
from service.process.status.http_connector import HttpConnector
from service.process.status.mapping import Mapping as HttpMapping
from service.process.status.mapping import load_model
from service.process.status.moments import CHINA, zone_of
from service.process.status.records import Words
from service.process.status.sql_connector import SqlConnector, SqlMapping

FORMS = "file:路径、sql:数据库地址 或 http:映射文件"


class _WordLists(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    statuses: dict[str, Status]
    outcomes: dict[str, Outcome]


def load_words(path: Path) -> Words:
    """Raises StatusMisconfigured."""
    lists = load_model(path, _WordLists)
    return Words(lists.statuses, lists.outcomes)


def build_connector(
    source: str | None, mapping: Path | None, secrets: Mapping[str, SecretStr], words: Words
) -> Connector | None:
    """None without a source. `mapping` is of use for `sql:` only.

    Raises StatusMisconfigured; the source may hold a password and is not repeated in the message.
    """
    if source is None:
        return None
    kind, _, rest = source.partition(":")
    if kind not in ("file", "sql", "http") or not rest or rest.startswith("//"):
        raise StatusMisconfigured(f"ZHIXING_STATUS_SOURCE 要写成 {FORMS}")
    if kind == "file":
        return FileConnector(Path(rest).expanduser(), words, zone_of(CHINA))
    if kind == "sql":
        return SqlConnector(rest, load_model(mapping, SqlMapping) if mapping else SqlMapping(), words)
    return HttpConnector(load_model(Path(rest).expanduser(), HttpMapping), secrets, words)
