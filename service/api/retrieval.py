"""Retrieval on its own: what is found for a question, with both scores and the reason for every cut."""

from datetime import date

from fastapi import APIRouter
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from ingestion.documents import Chunk
from ingestion.index.schema import Filter
from service.access import Principal
from service.api.access import Caller, Service
from service.api.filters import FiltersIn
from service.api.routing import Route
from service.bootstrap import Parts
from service.questions import MAX_QUESTION
from service.retrieval.protocols import Question
from service.retrieval.results import Candidate, Evidence, Retrieval

router = APIRouter(prefix="/api/v1", tags=["retrieval"], route_class=Route)


class RetrievalIn(BaseModel):
    query: str = Field(max_length=MAX_QUESTION)
    top_k: int | None = Field(None, ge=1, le=50)
    similarity_threshold: float | None = Field(None, ge=0, le=1, description="绝对置信度门槛")
    metadata_condition: FiltersIn | None = None
    as_of: date | None = None
    explain: bool = False


class EvidenceOut(BaseModel):
    rank: int
    score: float
    keyword_score: float
    vector_score: float
    chunk_id: str
    document_id: str
    document_name: str
    revision_id: str
    revision: str
    effective_from: date | None
    status: str
    heading_path: list[str]
    text: str


class CandidateOut(BaseModel):
    """`cut` says what took the candidate out (null for evidence), `filter` which condition."""

    rank: int
    score: float
    order: float
    keyword_score: float
    vector_score: float
    chunk_id: str
    document_id: str
    document_name: str
    revision_id: str
    heading_path: list[str]
    matched: list[str]
    cut: str | None
    filter: str


class RetrievalOut(BaseModel):
    evidence: list[EvidenceOut]
    candidates: list[CandidateOut]
    reason: str | None
    tokens: list[str]
    timings: dict[str, float]
    rerank_failed: bool


@router.post("/retrieval")
async def retrieve(service: Service, principal: Caller, body: RetrievalIn) -> RetrievalOut:
    """The gate every path goes through. Candidates are listed with `explain` only."""
    return await run_in_threadpool(_retrieve, service, principal, body)


def _retrieve(service: Parts, principal: Principal, body: RetrievalIn) -> RetrievalOut:
    settings = service.settings
    threshold = body.similarity_threshold
    found = service.retriever.retrieve(
        Question(body.query),
        principal.scopes(),
        day=body.as_of or date.today(),
        top_k=body.top_k or settings.top_k,
        threshold=settings.score_threshold if threshold is None else threshold,
        filters=body.metadata_condition.to_filter() if body.metadata_condition else Filter(),
        explain=body.explain,
    )
    chunks = (
        service.documents.chunks(principal, [c.chunk_id for c in found.candidates]) if body.explain else {}
    )
    return RetrievalOut(
        evidence=[_evidence(item) for item in found.evidence],
        candidates=_candidates(found, chunks) if body.explain else [],
        reason=found.reason.value if found.reason else None,
        tokens=list(found.tokens),
        timings={
            "embed_ms": round(found.timings.embed_ms, 2),
            "search_ms": round(found.timings.search_ms, 2),
            "rank_ms": round(found.timings.rank_ms, 2),
            "rerank_ms": round(found.timings.rerank_ms, 2),
        },
        rerank_failed=found.rerank_failed,
    )


def _evidence(item: Evidence) -> EvidenceOut:
    return EvidenceOut(
        rank=item.rank,
        score=round(item.score, 4),
        keyword_score=round(item.keyword_score, 4),
        vector_score=round(item.vector_score, 4),
        chunk_id=item.chunk.id,
        document_id=item.document.id,
        document_name=item.document.title,
        revision_id=item.revision.id,
        revision=item.revision.label,
        effective_from=item.revision.effective_from,
        status=item.revision.status.value,
        heading_path=list(item.chunk.heading_path),
        text=item.chunk.text,
    )


def _candidates(found: Retrieval, chunks: dict[str, Chunk]) -> list[CandidateOut]:
    return [_candidate(rank, item, chunks) for rank, item in enumerate(found.candidates, 1)]


def _candidate(rank: int, item: Candidate, chunks: dict[str, Chunk]) -> CandidateOut:
    chunk = chunks.get(item.chunk_id)
    return CandidateOut(
        rank=rank,
        score=round(item.score, 4),
        order=round(item.order, 4),
        keyword_score=round(item.keyword_score, 4),
        vector_score=round(item.vector_score, 4),
        chunk_id=item.chunk_id,
        document_id=item.document_id,
        document_name=item.document_name,
        revision_id=item.revision_id,
        heading_path=list(chunk.heading_path) if chunk else [],
        matched=list(item.matched),
        cut=item.cut.value if item.cut else None,
        filter=item.filter,
    )
