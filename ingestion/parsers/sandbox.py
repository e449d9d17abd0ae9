"""A child process that reads files: a hostile one costs this worker, never the service.

The worker is started lazily, serves one request at a time and is replaced when it dies, hangs, grows over
its memory or has served its share. What runs inside is a function named by the caller.
"""

import math
import multiprocessing
import os
import pickle
import resource
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Lock
from typing import Generic, TypeVar

from ingestion.documents import FailureReason
from ingestion.errors import ParseFailure

Request = TypeVar("Request")
Result = TypeVar("Result")

REQUESTS_PER_WORKER = 500  # parsers in C leak a little; a fresh process bounds it
START_SECONDS = 60.0
NICENESS = 5  # reading files gives way to answering questions
GRACE_SECONDS = 2.0  # for a worker that ran out of time to end the programs it started (LibreOffice)


@dataclass(frozen=True, slots=True)
class Limits:
    """Per request: wall-clock seconds; per process: MiB of address space."""

    seconds: float = 120.0
    memory_mb: int = 2048


class Sandbox(Generic[Request, Result]):
    """Runs `work(request)` in a child. `work` and what goes through it must be picklable.

    `run` raises ParseFailure for a timeout (`timeout`), exhausted memory (`too_large`) and a dead worker
    (`corrupt`); what `work` itself raises comes through unchanged.
    """

    def __init__(self, work: Callable[[Request], Result], limits: Limits | None = None) -> None:
        self._work = work
        self._limits = limits or Limits()
        self._lock = Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._served = 0

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def run(self, request: Request, seconds: float | None = None) -> Result:
        """`seconds` instead of the limit, for work that mostly waits: processor time stays as limited."""
        limit = self._limits.seconds if seconds is None else seconds
        with self._lock:
            pipe = self._ready()
            try:
                pipe.send(request)
                if not pipe.poll(limit):
                    raise ParseFailure(
                        FailureReason.TIMEOUT, f"解析超过 {limit:g} 秒，已中止；可拆分后再上传"
                    )
                outcome = pipe.recv()
            except ParseFailure:
                self._stop(grace=GRACE_SECONDS)
                raise
            except (EOFError, OSError) as error:
                self._stop()
                raise ParseFailure(
                    FailureReason.CORRUPT, "解析进程异常退出，文件可能已损坏；请用原软件另存后重试"
                ) from error
            self._served += 1
            if isinstance(outcome, MemoryError):
                self._stop()
                raise ParseFailure(
                    FailureReason.TOO_LARGE, f"解析需要的内存超过 {self._limits.memory_mb} MB；可拆分后再上传"
                ) from outcome
            if self._served >= REQUESTS_PER_WORKER:
                self._stop()
            if isinstance(outcome, BaseException):
                raise outcome
            result: Result = outcome
            return result

    def use(self, work: Callable[[Request], Result]) -> None:
        """Run this from the next request on."""
        with self._lock:
            if work is not self._work:
                self._stop()
                self._work = work

    def interrupt(self) -> None:
        """End the worker while it works: the request that runs fails as with a dead worker."""
        process = self._process
        if process is not None:
            with suppress(ValueError):  # it ended by itself, and its handle is closed already
                process.kill()

    def close(self) -> None:
        with self._lock:
            self._stop()

    def _ready(self) -> Connection:
        if self._pipe is not None and self._process is not None and self._process.is_alive():
            return self._pipe
        self._stop()
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(theirs, pickle.dumps(self._work), self._limits), daemon=True
        )
        self._process.start()
        theirs.close()
        if not self._started(self._pipe):
            self._stop()
            raise ParseFailure(FailureReason.TIMEOUT, "解析进程没有按时启动，请稍后重试")
        return self._pipe

    @staticmethod
    def _started(pipe: Connection) -> bool:
        try:
            return pipe.poll(START_SECONDS) and bool(pipe.recv())
        except (EOFError, OSError):  # it died while starting
            return False

    def _stop(self, grace: float = 0.0) -> None:
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            if grace:
                self._process.terminate()
                self._process.join(grace)
            self._process.kill()
            self._process.join()
            self._process.close()
        self._process, self._pipe, self._served = None, None, 0


def _serve(pipe: Connection, pickled_work: bytes, limits: Limits) -> None:
    """The child's loop: one answer for each request, an exception being an answer too.

    The work comes pickled, so that what it imports already finds the limits and the one thread.
    """
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    os.nice(NICENESS)
    signal.signal(signal.SIGTERM, _leave)
    memory = limits.memory_mb * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    work: Callable[[Request], Result] = pickle.loads(pickled_work)
    pipe.send(True)
    while True:
        try:
            request = pipe.recv()
        except (EOFError, OSError):
            return
        _limit_cpu(limits.seconds)
        try:
            pipe.send(work(request))
        except Exception as error:  # noqa: BLE001 - the boundary: whatever a parser raises is an answer
            pipe.send(_portable(error))


def _leave(_number: int, _frame: object) -> None:
    """Unwinds what runs, so that programs started by a parser end with it."""
    sys.exit(1)


def _limit_cpu(seconds: float) -> None:
    """Ends a runaway child whose parent was killed; a living parent's time limit comes first."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = math.ceil(time.process_time() + 2 * seconds) + 10
    if hard == resource.RLIM_INFINITY or soft < hard:
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _portable(error: Exception) -> Exception:
    """The error itself if it survives the way to the parent, else its text."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 - pickling runs foreign code, which raises anything
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
