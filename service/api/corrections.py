"""Changing what is known of documents and revisions: a status by who looks after them, the rest by hand."""

from collections.abc import Mapping
from datetime import date
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, StringConstraints

from ingestion.documents import RevisionStatus
from service.access import Role
from service.api.access import Administrator, Contributor, Service
from service.api.documents import DocumentOut, document_out
from service.api.routing import Route
from service.errors import BadRequest, Forbidden
from service.labels import checked_labels
from service.storable import storable
from service.store.corrections import Belonging, Bound, Description, Fact, Revised

router = APIRouter(prefix="/api/v1", tags=["documents"], route_class=Route)

Title = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
Word = Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)]


class ChangeIn(BaseModel):
    """What is not given stays as it is. `status` is that of `revision`, or of the current one."""

    model_config = ConfigDict(extra="forbid")

    status: RevisionStatus | None = None
    revision: str | None = None
    title: Title | None = None
    owner: Word | None = None
    business_line: Word | None = None
    issuer: Word | None = None
    labels: list[str] | None = None

    def description(self) -> Description | None:
        """The facts to be corrected, if there are any. Raises BadRequest for a label that means nothing."""
        given: Mapping[Fact, str | None] = {fact: getattr(self, fact) for fact in Fact}
        facts = {fact: storable(text) for fact, text in given.items() if text is not None}
        labels = None if self.labels is None else checked_labels(self.labels)
        return Description(facts, labels) if facts or labels else None


class RevisionIn(BaseModel):
    """What is not given stays as it is; null is "none" for a day and "a document of its own"."""

    model_config = ConfigDict(extra="forbid")

    effective_from: date | None = None
    effective_to: date | None = None
    document_id: str | None = None

    def revised(self) -> Revised:
        given = self.model_fields_set
        days = {bound: getattr(self, bound) for bound in Bound if bound in given}
        return Revised(days, Belonging(self.document_id) if "document_id" in given else None)


@router.patch("/documents/{document_id}")
def change_document(
    service: Service, principal: Contributor, document_id: str, change: ChangeIn
) -> DocumentOut:
    """Withdraw, archive or restore a revision; administrators also correct the document's facts. At once."""
    given = change.description()
    if given is None and change.status is None:
        raise BadRequest("没有写要改什么")
    if given is not None and not principal.allows(Role.ADMIN):
        raise Forbidden(f"更正文档的信息需要 {Role.ADMIN.value} 角色")
    stored = service.documents.get(principal, document_id)
    if change.status is not None:
        wanted = stored.revision(change.revision).revision
        service.library.set_status(principal, wanted.id, change.status)
    if given is not None:
        service.library.describe(principal, document_id, given)
    return document_out(service.documents.get(principal, document_id))


@router.patch("/documents/{document_id}/revisions/{revision_id}")
def correct_revision(
    service: Service, principal: Administrator, document_id: str, revision_id: str, change: RevisionIn
) -> DocumentOut:
    """Set days by hand, or move the revision; returns the document that it belongs to now."""
    given = change.revised()
    if not given.days and given.belongs is None:
        raise BadRequest("没有写要改什么")
    revision = service.documents.get(principal, document_id).revision(revision_id).revision
    service.library.revise(principal, revision.id, given)
    return document_out(service.documents.of_revision(principal, revision.id))
