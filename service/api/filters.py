"""Metadata conditions of a request, and what they mean to the index."""

from datetime import date

from pydantic import BaseModel, ConfigDict, Field

from ingestion.documents import Kind
from ingestion.index.schema import Filter


class FiltersIn(BaseModel):
    """Every given condition must hold; a list is satisfied by any of its values."""

    model_config = ConfigDict(extra="forbid")

    knowledge_bases: list[str] | None = Field(None, max_length=100)
    document_ids: list[str] | None = Field(None, max_length=1000)
    business_lines: list[str] | None = Field(None, max_length=100)
    issuers: list[str] | None = Field(None, max_length=100)
    owners: list[str] | None = Field(None, max_length=100)
    source_updated_from: date | None = None
    source_updated_to: date | None = None
    effective_since: date | None = Field(None, description="只看这一天及以后施行的")
    kinds: list[Kind] | None = Field(None, max_length=10, description="document 文档，minutes 会议")
    meeting_from: date | None = Field(None, description="会议从哪天，含当天")
    meeting_to: date | None = Field(None, description="会议到哪天，含当天")

    def to_filter(self) -> Filter:
        """Access, status and day are not a caller's to choose: retrieval adds them."""
        return Filter(
            knowledge_bases=_tuple(self.knowledge_bases),
            document_ids=_tuple(self.document_ids),
            business_lines=_tuple(self.business_lines),
            issuers=_tuple(self.issuers),
            owners=_tuple(self.owners),
            source_updated_from=self.source_updated_from,
            source_updated_to=self.source_updated_to,
            effective_since=self.effective_since,
            kinds=None if self.kinds is None else tuple(kind.value for kind in self.kinds),
            meeting_from=self.meeting_from,
            meeting_to=self.meeting_to,
        )


def _tuple(values: list[str] | None) -> tuple[str, ...] | None:
    return None if values is None else tuple(values)
