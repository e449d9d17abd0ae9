"""Lanes for background jobs: a few threads; jobs of one key run one after the other, as they came.

A job that stands for a task goes through `ending`, so that the task ends whatever happens to the job.
"""

import sys
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from ingestion.errors import IngestionError
from service import logs
from service.errors import ZhixingError
from service.store.tasks import TaskStore

log = logs.get(__name__)


SWITCH_SECONDS = 0.0005


def share_fairly() -> None:
    """Let a question have its turn soon while a job computes in another thread.

    Each of the dozens of numpy calls behind a question's vector gives the interpreter away and then waits for
    a whole switching interval: with Python's 5 ms the vector took 25 ms (p95 108) beside a busy thread, with
    half a millisecond 7 ms (p95 15).
    """
    sys.setswitchinterval(SWITCH_SECONDS)


class Stopped(Exception):
    """A job gave up because the service is ending; it will be taken up again."""


Job = Callable[[], object]

BROKE_OFF = "服务内部出错，任务没有做完，已记录；请联系管理员"


def ending(tasks: TaskStore, task_id: str, job: Job) -> Job:
    """The job of a task: what escapes it ends the task as failed, with the error's message.

    Only a stop leaves the task as it is: the next start marks it, or takes it up again.
    """

    def run() -> None:
        try:
            job()
        except Stopped:
            raise
        except (ZhixingError, IngestionError) as error:
            log.error("task.failed", task=task_id, code=error.code, reason=error.message)
            tasks.fail(task_id, error.message)
        except Exception:
            tasks.fail(task_id, BROKE_OFF)
            raise

    return run


class Lanes:
    """`threads` jobs at once. A job has to deal with its own errors; what escapes it is logged."""

    def __init__(self, threads: int, name: str) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._waiting: dict[str, deque[Job]] = {}  # keys with a job that runs or is about to
        self._lock = Lock()
        self._closed = False

    def submit(self, key: str, job: Job) -> None:
        """Run `job` after all earlier jobs of the same key. After `stop` it is not run."""
        with self._lock:
            if self._closed:
                return
            if key in self._waiting:
                self._waiting[key].append(job)
                return
            self._waiting[key] = deque()
            self._pool.submit(self._run, key, job)

    def stop(self) -> None:
        """Begin no more jobs; those that run go on."""
        with self._lock:
            self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)

    def join(self) -> None:
        """After `stop`: wait for what still runs."""
        self._pool.shutdown(wait=True)

    def _run(self, key: str, job: Job) -> None:
        try:
            job()
        except Stopped:
            log.info("job.stopped", lane=key)
        except Exception:
            log.exception("job.crashed", lane=key)
        with self._lock:
            behind = self._waiting[key]
            if self._closed or not behind:
                del self._waiting[key]
            else:
                self._pool.submit(self._run, key, behind.popleft())
