"""What the command line asks of a running service: files named by path on this machine, and the samples.

Only the owner of the home folder gets in, by the one-time token in `run.json`; to everyone else these
routes do not exist.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, Field
from starlette.concurrency import run_in_threadpool

from ingestion.documents import Kind
from ingestion.minutes.meeting import why_no_record
from service.access import EVERYONE, LOCAL
from service.api.access import Service, parts_of
from service.bootstrap import Parts
from service.errors import BadRequest, NotFound
from service.folders import Followed
from service.home import LOCAL_TOKEN
from service.incoming import MINUTES_BASE, Incoming, files_under
from service.labels import checked_labels
from service.lanes import ending


async def owner_only(request: Request) -> None:
    if not parts_of(request).is_owner(request.headers.get(LOCAL_TOKEN, "")):
        raise NotFound("没有这个地址")


router = APIRouter(
    prefix="/api/v1/local", tags=["local"], dependencies=[Depends(owner_only)], include_in_schema=False
)


class ImportIn(BaseModel):
    paths: list[str] = Field(min_length=1)
    kind: Kind = Kind.DOCUMENT
    knowledge_base: str = ""  # of the kind
    labels: list[str] | None = None
    owner: str = ""
    business_line: str = ""
    issuer: str = ""
    password: str | None = None
    retry_failed: bool = False
    follow: bool = False  # also take renames, moves and deletions in the named folders


class MoveOut(BaseModel):
    source: str
    target: str


class SkippedOut(BaseModel):
    source: str
    reason: str


class ImportOut(BaseModel):
    """`files` are being taken in by the task; what `follow` found besides has happened already. `skipped`
    lie beside the records of meetings and are none.
    """

    task_id: str
    files: int
    skipped: list[SkippedOut] = []
    moved: list[MoveOut] = []
    gone: list[str] = []
    returned: list[str] = []


@router.post("/imports", status_code=202)
async def import_paths(service: Service, body: ImportIn) -> ImportOut:
    """Take in files and folders of this machine; follow the task for progress."""
    missing = [path for path in body.paths if not Path(path).exists()]
    if missing:
        raise BadRequest(f"找不到：{'、'.join(missing)}")
    is_minutes = body.kind is Kind.MINUTES
    like = Incoming(
        "",
        "",
        knowledge_base=body.knowledge_base or (MINUTES_BASE if is_minutes else "default"),
        kind=body.kind,
        labels=None if body.labels is None else checked_labels(body.labels),
        owner=body.owner,
        business_line=body.business_line,
        issuer=body.issuer,
        password=body.password,
    )
    paths = [Path(path) for path in body.paths]
    followed = await run_in_threadpool(_look, service, paths, like, follow=body.follow)
    beside = {item.source_uri: why_no_record(item.file_name) for item in followed.items if is_minutes}
    items = [item for item in followed.items if not beside.get(item.source_uri)]
    task = await run_in_threadpool(service.tasks.create, LOCAL, "ingest", len(items))
    run = partial(service.intake.run, LOCAL, task.id, items, retry_failed=body.retry_failed)
    service.lanes.submit(f"import {task.id}", ending(service.tasks, task.id, run))
    return ImportOut(
        task_id=task.id,
        files=len(items),
        skipped=[SkippedOut(source=source, reason=reason) for source, reason in beside.items() if reason],
        moved=[MoveOut(source=source, target=target) for source, target in followed.moved],
        gone=list(followed.gone),
        returned=list(followed.returned),
    )


def _look(service: Parts, paths: Sequence[Path], like: Incoming, *, follow: bool) -> Followed:
    if follow:
        return service.folders.follow(LOCAL, paths, like)
    return Followed(tuple(files_under(paths, like)), (), (), ())


class WarmIn(BaseModel):
    limit: int = Field(50, ge=1, le=1_000)


class WarmOut(BaseModel):
    asked: int
    answered: int


@router.post("/cache/warm")
async def warm_cache(service: Service, body: WarmIn) -> WarmOut:
    """Answer the most frequent questions ahead of time, as a reader of what everyone may read."""
    frequent, _total = await run_in_threadpool(service.questions.frequent, LOCAL, 1, body.limit)
    asked = [item.question for item in frequent]
    return WarmOut(asked=len(asked), answered=await service.turns.ahead(EVERYONE, asked))


@router.post("/cache/clear")
def clear_cache(service: Service) -> dict[str, int]:
    """Drop every kept answer."""
    return {"cleared": service.answers.clear()}
