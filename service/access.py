"""Who is asking, and what their scopes let them read. Keys, OIDC and role rules build on this."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

PUBLIC = "public"


class Role(StrEnum):
    """In rising order of rights; see `allows`."""

    READER = "reader"
    CONTRIBUTOR = "contributor"
    PROCESS_ADMIN = "process-admin"
    ADMIN = "admin"


_RANK = {role: rank for rank, role in enumerate(Role)}


@dataclass(frozen=True, slots=True)
class Principal:
    """A person or service. `department` is a path from the root, e.g. `总部/财务部`."""

    id: str
    name: str = ""
    department: str = ""
    groups: tuple[str, ...] = ()
    role: Role = Role.READER

    def scopes(self) -> tuple[str, ...] | None:
        """Labels this principal may read; `None` means every label (administrators).

        A document is readable when it carries at least one of them. A department's label is readable by
        the department and everything below it: who belongs to `总部/财务部` reads `department:总部` too.
        """
        if self.role is Role.ADMIN:
            return None
        parts = [part for part in self.department.split("/") if part]
        tree = tuple("department:" + "/".join(parts[: depth + 1]) for depth in range(len(parts)))
        return (PUBLIC, f"user:{self.id}", *tree, *(f"group:{group}" for group in self.groups))

    def allows(self, role: Role) -> bool:
        """Whether this principal's role includes `role`."""
        return _RANK[self.role] >= _RANK[role]

    def may_read(self, labels: tuple[str, ...]) -> bool:
        scopes = self.scopes()
        return scopes is None or not set(scopes).isdisjoint(labels)


def covers(labels: Sequence[str], others: Sequence[str]) -> bool:
    """Whether everybody who may read something with `others` may read something with `labels` too."""
    return PUBLIC in labels or all(not _wider(other).isdisjoint(labels) for other in others)


def _wider(label: str) -> frozenset[str]:
    """The label, and those of the departments above: who reads by it reads by each of them."""
    parts = label.split("/") if label.startswith("department:") else [label]
    return frozenset("/".join(parts[: depth + 1]) for depth in range(len(parts)))


EVERYONE = Principal(id="everyone")  # reads what everyone may read
LOCAL = Principal(id="local", name="本机用户", department="总部", role=Role.ADMIN)
