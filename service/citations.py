"""What is shown beside an answer: citations 引用 bound to a span of a revision, references, refusals."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from pydantic import JsonValue, TypeAdapter

from ingestion.documents import Anchor


class RefusalReason(StrEnum):
    """Why there is no answer. `nothing_found` also stands for everything a reader may not see."""

    NOTHING_FOUND = "nothing_found"
    BELOW_THRESHOLD = "below_threshold"
    ONLY_SUPERSEDED = "only_superseded"
    NOT_YET_IN_FORCE = "not_yet_in_force"
    REPEALED = "repealed"
    ARCHIVED = "archived"
    CONFLICTING_SOURCES = "conflicting_sources"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True)
class Reference:
    """A retrieved passage as the 参考来源 list shows it; `n` is the number answers cite it by.

    `snippet` is the passage's beginning; of sources in conflict it is the sentence that states the value.
    """

    n: int
    document_id: str
    document_name: str
    revision_id: str
    revision: str
    effective_from: date | None
    effective_to: date | None
    status: str
    chunk_id: str
    heading_path: tuple[str, ...]
    snippet: str
    score: float
    issuer: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """One cited sentence. `quote == canonical_text[char_start:char_end]` of the revision, always.

    `verified`: the answer's sentence was held against all it cites and passed, or it is the quote itself; no
    other is shown.
    """

    n: int
    document_id: str
    document_name: str
    revision_id: str
    revision: str
    effective_from: date | None
    effective_to: date | None
    status: str
    chunk_id: str
    heading_path: tuple[str, ...]
    anchor: Anchor
    quote: str
    char_start: int
    char_end: int
    score: float
    verified: bool


@dataclass(frozen=True, slots=True)
class Refusal:
    """An honest "not covered", what was nearest (unused), and whom to ask."""

    reason: RefusalReason
    message: str
    nearest: tuple[Reference, ...] = ()
    contact: str = ""


_CITATION: TypeAdapter[Citation] = TypeAdapter(Citation)
_REFERENCE: TypeAdapter[Reference] = TypeAdapter(Reference)
_REFUSAL: TypeAdapter[Refusal] = TypeAdapter(Refusal)


def citation_json(citation: Citation) -> dict[str, JsonValue]:
    return dict(_CITATION.dump_python(citation, mode="json"))


def reference_json(reference: Reference) -> dict[str, JsonValue]:
    return dict(_REFERENCE.dump_python(reference, mode="json"))


def refusal_json(refusal: Refusal) -> dict[str, JsonValue]:
    return dict(_REFUSAL.dump_python(refusal, mode="json"))
