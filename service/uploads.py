"""Uploads: a file is written down, acknowledged, and taken in when its turn comes, also after a restart."""

from dataclasses import dataclass, replace
from functools import partial
from typing import BinaryIO

from service import logs
from service.access import Principal
from service.inbox import Inbox, Waiting
from service.incoming import Incoming
from service.intake import Intake, unread
from service.lanes import Lanes, Stopped, ending
from service.store.tasks import FAILED, FileStore, TaskStore

log = logs.get(__name__)

MOST_ATTEMPTS = 3  # a file that ends the process each time must not keep the service from coming up


@dataclass(frozen=True, slots=True)
class Accepted:
    """`digest` is the SHA-256 of the file."""

    task_id: str
    digest: str


class Uploads:
    """Files of one source are taken in the order they came; those of different sources beside each other."""

    def __init__(
        self, inbox: Inbox, lanes: Lanes, intake: Intake, tasks: TaskStore, files: FileStore, most_mb: int
    ) -> None:
        self._inbox = inbox
        self._lanes = lanes
        self._intake = intake
        self._tasks = tasks
        self._files = files
        self._most_mb = most_mb

    def accept(self, principal: Principal, incoming: Incoming, content: BinaryIO) -> Accepted:
        """From here on the file is not lost. Raises TooLarge, and Unavailable when it cannot be kept."""
        task = self._tasks.create(principal, "ingest", 1)
        try:
            waiting = self._inbox.put(task.id, principal, incoming, content, self._most_mb)
        except Exception:
            self._tasks.finish(task.id, FAILED, "文件没有收下")
            raise
        self._submit(waiting)
        return Accepted(task.id, waiting.digest)

    def resume(self) -> int:
        """At start-up: take up what an earlier process accepted and did not finish; returns how many."""
        for task_id in self._inbox.put_aside():
            self._tasks.finish(task_id, FAILED, "收下的文件已无法读取，没有入库；请重新上传")
        found = self._inbox.waiting()
        for waiting in found:
            self._tasks.resume(waiting.task_id)
            self._submit(waiting)
        if found:
            log.warning("uploads.resumed", files=len(found))
        return len(found)

    def _submit(self, waiting: Waiting) -> None:
        source = f"{waiting.incoming.knowledge_base}\n{waiting.incoming.source_uri}"
        job = partial(self._take, waiting)
        self._lanes.submit(source, ending(self._tasks, waiting.task_id, job))

    def _take(self, waiting: Waiting) -> None:
        """What failed before is read again: this time there may be a password."""
        attempt = self._inbox.begin(waiting.task_id)
        if attempt > MOST_ATTEMPTS:
            self._give_up(waiting)
        else:
            try:
                self._intake.run(waiting.principal, waiting.task_id, [waiting.incoming], retry_failed=True)
            except Stopped:
                self._inbox.take_back(waiting.task_id)
                raise
        self._inbox.remove(waiting.task_id)

    def _give_up(self, waiting: Waiting) -> None:
        incoming = waiting.incoming
        message = f"处理这个文件时服务 {MOST_ATTEMPTS} 次中断，已放弃；请拆分后再上传"
        log.error("uploads.given_up", file=incoming.file_name)
        known = self._files.find(incoming.knowledge_base, incoming.source_uri)
        self._files.record(replace(unread(incoming, known, waiting.task_id), message=message))
        self._tasks.advance(waiting.task_id, done=1, failed=1)
        self._tasks.finish(waiting.task_id, FAILED, message)
