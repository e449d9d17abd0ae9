"""Optimising a shard in a child process: `python -m ingestion.index.optimiser SHARD`.

Edge holds the GIL while it builds an HNSW graph (12 s at 20,000 points), so the serving process never does
that itself. The child gets a copy nobody else has open and works on it at low priority.
"""

import os
import subprocess
import sys
from pathlib import Path
from threading import Event

from ingestion.errors import IndexUnavailable

LOOK_EVERY = 0.1  # seconds between two looks at whether the run was given up
PACKAGE_ROOT = Path(__file__).resolve().parents[2]


def optimise_apart(shard: Path, given_up: Event) -> bool:
    """Optimise the shard at this path in a child process; False when `given_up` was set meanwhile.

    Raises IndexUnavailable when the child fails.
    """
    command = [sys.executable, "-m", __name__, str(shard)]
    child = subprocess.Popen(
        command,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
    )
    try:
        complaint = _wait(child, given_up)
    except BaseException:
        child.kill()
        child.communicate()
        raise
    if complaint is None:
        return False
    if child.returncode != 0:
        raise IndexUnavailable(f"索引优化失败（退出码 {child.returncode}）：{complaint[-500:]}")
    return True


def main(arguments: list[str]) -> int:
    """The child: open, optimise until nothing is left to do, flush, close."""
    from qdrant_edge import EdgeShard

    os.nice(19)
    _leave_half_the_cores()
    shard = EdgeShard.load(arguments[0])
    shard.optimize()
    shard.flush()
    shard.close()
    return 0


def _leave_half_the_cores() -> None:
    """To whoever answers questions: priority alone leaves them with cold caches. Linux only, else all."""
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, cores[len(cores) // 2 :])


def _wait(child: "subprocess.Popen[str]", given_up: Event) -> str | None:
    """The child's error output once it has ended, `None` when the run was given up."""
    while not given_up.is_set():
        try:
            return child.communicate(timeout=LOOK_EVERY)[1]
        except subprocess.TimeoutExpired:
            continue
    child.kill()
    child.communicate()
    return None


def _environment() -> dict[str, str]:
    paths = [str(PACKAGE_ROOT), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
