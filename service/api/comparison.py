"""Two revisions of a document beside each other: what changed, block by block and word by word."""

from dataclasses import dataclass

from fastapi import APIRouter
from pydantic import BaseModel

from ingestion.documents import Anchor, BlockKind
from service.access import Principal
from service.api.access import Caller, Service
from service.api.documents import RevisionOut, revision_out
from service.api.routing import Route
from service.bootstrap import Parts
from service.comparison import Comparison, Kind, Mark, Row, Side, compare
from service.errors import NotFound
from service.store.documents import StoredRevision

router = APIRouter(prefix="/api/v1", tags=["documents"], route_class=Route)


@dataclass(frozen=True, slots=True)
class Compared:
    title: str
    left: StoredRevision
    right: StoredRevision
    comparison: Comparison

    @property
    def note(self) -> str:
        """What a reader should know of a comparison that does not reach the end; empty otherwise."""
        if self.comparison.complete:
            return ""
        left, right = self.comparison.left_beyond, self.comparison.right_beyond
        return f"文档很长，末尾没有对照：前一版 {left} 段，后一版 {right} 段。请下载原件核对。"


class SideOut(BaseModel):
    """`marks` are the changed words: code points of `text`."""

    kind: BlockKind
    level: int
    text: str
    anchor: Anchor
    marks: tuple[Mark, ...]


class RowOut(BaseModel):
    kind: Kind
    left: SideOut | None
    right: SideOut | None


class ComparisonOut(BaseModel):
    left: RevisionOut
    right: RevisionOut
    counts: dict[Kind, int]
    rows: list[RowOut]
    note: str


@router.get("/documents/{document_id}/comparison")
def get_comparison(
    service: Service,
    principal: Caller,
    document_id: str,
    left: str | None = None,
    right: str | None = None,
) -> ComparisonOut:
    """`right` is the revision shown otherwise when none is named, `left` the one before it."""
    found = compared(service, principal, document_id, left, right)
    return ComparisonOut(
        left=revision_out(found.left),
        right=revision_out(found.right),
        counts={kind: found.comparison.count(kind) for kind in Kind},
        rows=[_row(row) for row in found.comparison.rows],
        note=found.note,
    )


def compared(
    parts: Parts, principal: Principal, document_id: str, left: str | None, right: str | None
) -> Compared:
    """Raises NotFound, also when the document is hidden or has no revision before `right`."""
    store = parts.documents
    stored = store.get(principal, document_id)
    newer = stored.revision(right)
    older = stored.revision(left) if left is not None else stored.before(newer)
    if older is None:
        raise NotFound("这一版之前没有别的版本")
    texts = [store.content(principal, document_id, item.revision.id).blocks for item in (older, newer)]
    return Compared(stored.document.title, older, newer, compare(*texts))


def _row(row: Row) -> RowOut:
    return RowOut(kind=row.kind, left=row.left and _side(row.left), right=row.right and _side(row.right))


def _side(side: Side) -> SideOut:
    block = side.block
    return SideOut(kind=block.kind, level=block.level, text=block.text, anchor=block.anchor, marks=side.marks)
