"""Labels 标签 of documents as people give them: checked where they come in, since a label that nobody carries
would hide a document from everyone, its owner included. What they let read is said in `service.access`."""

import re
from collections.abc import Sequence

from service.access import PUBLIC
from service.errors import BadRequest

MOST_LABELS = 20
LONGEST_LABEL = 200
_KINDS = ("department", "group", "user")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff\u200b\u2028\u2029\ufeff]")


def checked_labels(given: Sequence[str]) -> tuple[str, ...]:
    """The labels in their usual form, each once. Raises BadRequest for one that means nothing."""
    labels = tuple(dict.fromkeys(_checked(label) for label in given))
    if not labels:
        raise BadRequest("没有写可见范围标签；人人可读请写 public")
    if len(labels) > MOST_LABELS:
        raise BadRequest(f"标签至多 {MOST_LABELS} 个")
    return labels


def labels_after(current: tuple[str, ...], given: tuple[str, ...] | None) -> tuple[str, ...]:
    """The labels of a document whose next revision came with `given` (None: nothing was said).

    A revision may move or narrow who reads the document. It never opens a restricted one to everybody: that
    is what an upload says that leaves the labels as they are set by default.
    """
    if given is None or (PUBLIC in given and PUBLIC not in current):
        return current
    return given


def _checked(label: str) -> str:
    kind, colon, name = label.strip().partition(":")
    if kind == "department":
        name = "/".join(part.strip() for part in name.split("/") if part.strip())
    found = f"{kind}{colon}{name.strip()}"
    meaningful = found == PUBLIC or (kind in _KINDS and bool(name.strip()))
    if not meaningful or len(found) > LONGEST_LABEL or _UNPRINTABLE.search(found):
        raise BadRequest(
            f"标签「{found[:40]}」不对：可用 public、department:部门路径、group:组名、user:编号，"
            f"至多 {LONGEST_LABEL} 字"
        )
    return found
