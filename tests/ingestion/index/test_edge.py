"""What is special about the embedded index: one opener, kills and crashes, optimising beside the traffic."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread

import pytest

from ingestion.errors import IndexLocked, IndexMismatch, IndexUnavailable
from ingestion.index import edge as edge_module
from ingestion.index import edge_shard
from ingestion.index.edge import BATCH, EdgeIndex
from ingestion.index.edge_home import IndexHome
from ingestion.index.schema import Filter, Payload
from tests.conftest import REPOSITORY
from tests.ingestion.index.points import DIMENSIONS, EMBEDDING, direction, point, point_id


def open_edge(folder: Path, *, reset: bool = False) -> EdgeIndex:
    return EdgeIndex(folder, EMBEDDING, DIMENSIONS, reset=reset)


@pytest.fixture
def edge(folder: Path) -> Iterator[EdgeIndex]:
    index = open_edge(folder)
    yield index
    index.close()


def start(program: str, *arguments: object) -> "subprocess.Popen[str]":
    """A Python process that has the package and the test's own modules at hand."""
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        stdout=subprocess.PIPE,
        text=True,
    )


def shards(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("shard-*"))


def live_shard(folder: Path) -> str:
    return str(json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["shard"])


def test_every_batch_of_a_write_gives_way_first(folder: Path) -> None:
    stored: list[int] = []
    index = EdgeIndex(
        folder, EMBEDDING, DIMENSIONS, give_way=lambda: stored.append(index.stats().points)
    )
    index.upsert([point(number) for number in range(2 * BATCH + 1)])
    assert stored == [0, BATCH, 2 * BATCH]
    index.close()


# -- one opener ----------------------------------------------------------------------------------------------


def test_a_second_opener_is_refused_and_told_who_holds_the_index(edge: EdgeIndex, folder: Path) -> None:
    with pytest.raises(IndexLocked, match=f"进程 {os.getpid()}"):
        open_edge(folder)
    edge.upsert([point("still usable")])
    assert edge.stats().points == 1


def test_a_second_process_is_refused(edge: EdgeIndex, folder: Path) -> None:
    program = (
        "import sys, pathlib\n"
        "from ingestion.errors import IndexLocked\n"
        "from ingestion.index.edge import EdgeIndex\n"
        "try: EdgeIndex(pathlib.Path(sys.argv[1]), 'test', 8)\n"
        "except IndexLocked: print('locked')\n"
    )
    output, _ = start(program, folder).communicate(timeout=30)
    assert output.strip() == "locked"


def test_a_shard_opened_behind_our_back_is_refused(folder: Path) -> None:
    from ingestion.index.edge_shard import load_shard

    open_edge(folder).close()
    stranger = load_shard(folder / live_shard(folder))
    with pytest.raises(IndexLocked):
        open_edge(folder)
    stranger.close()
    open_edge(folder).close()


def test_a_closed_index_can_be_closed_again_and_says_so_when_used(folder: Path) -> None:
    index = open_edge(folder)
    index.close()
    index.close()
    for use in (index.ids, index.stats, index.optimise, lambda: index.upsert([point("a")])):
        with pytest.raises(IndexUnavailable, match="已关闭"):
            use()
    open_edge(folder).close()


# -- what it was built with ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("embedding", "dimensions"), [("other", DIMENSIONS), (EMBEDDING, DIMENSIONS + 1)])
def test_another_embedding_is_refused_until_the_index_is_reset(
    folder: Path, embedding: str, dimensions: int
) -> None:
    index = open_edge(folder)
    index.upsert([point("a")])
    index.close()
    with pytest.raises(IndexMismatch, match="zhixing rebuild"):
        EdgeIndex(folder, embedding, dimensions)
    index = open_edge(folder)
    assert index.ids() == {point_id("a")}, "a refusal destroys nothing"
    index.close()
    renewed = EdgeIndex(folder, embedding, dimensions, reset=True)
    assert renewed.ids() == set()
    renewed.close()
    EdgeIndex(folder, embedding, dimensions).close()


def test_another_schema_version_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_edge(folder).close()
    monkeypatch.setattr("ingestion.index.layout.SCHEMA_VERSION", 2)
    with pytest.raises(IndexMismatch, match="结构版本 1"):
        open_edge(folder)


def break_manifest(folder: Path) -> None:
    (folder / "manifest.json").write_text("{", encoding="utf-8")


def lose_manifest(folder: Path) -> None:
    (folder / "manifest.json").unlink()


def lose_shard(folder: Path) -> None:
    (folder / live_shard(folder)).rename(folder / "elsewhere")


def break_segment(folder: Path) -> None:
    (segment,) = (folder / live_shard(folder)).glob("segments/*/segment.json")
    segment.write_bytes(b"\x00" * 100)


def break_log(folder: Path) -> None:
    for file in (folder / live_shard(folder) / "wal").iterdir():
        file.write_bytes(b"\x07" * 4096)


@pytest.mark.parametrize("damage", [break_manifest, lose_manifest, lose_shard, break_segment, break_log])
def test_a_damaged_index_says_to_rebuild_and_can_be_reset(
    folder: Path, damage: Callable[[Path], None]
) -> None:
    open_edge(folder).close()
    damage(folder)
    with pytest.raises(IndexUnavailable, match="zhixing rebuild"):
        open_edge(folder)
    index = open_edge(folder, reset=True)
    index.upsert([point("a")])
    assert index.ids() == {point_id("a")}
    index.close()


def test_a_start_that_was_cut_off_before_the_first_shard_begins_again(folder: Path) -> None:
    open_edge(folder).close()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    (folder / "manifest.json").write_text(json.dumps({**manifest, "shard": ""}), encoding="utf-8")
    half_made = shards(folder)
    index = open_edge(folder)
    assert index.ids() == set()
    assert shards(folder) == [live_shard(folder)] != half_made
    index.close()


# -- kills ---------------------------------------------------------------------------------------------------

WRITER = """
import itertools, sys
from pathlib import Path
from tests.ingestion.index.points import point
from ingestion.index.edge import EdgeIndex
from ingestion.index.schema import Payload
index = EdgeIndex(Path(sys.argv[1]), "test", 8)
print("open", flush=True)
for number in itertools.count():
    index.upsert([point((number, part), Payload(f"r{number}", "d")) for part in range(5)])
    if number % 3 == 2:
        index.delete_revision(f"r{number - 1}")
    print(number, flush=True)
"""


@pytest.mark.parametrize("acknowledged", [1, 40])
def test_every_acknowledged_write_survives_a_kill(folder: Path, acknowledged: int) -> None:
    last = -1
    with start(WRITER, folder) as writer:
        for line in writer.stdout or ():
            if line.strip().isdigit():
                last = int(line)
            if last == acknowledged:
                writer.send_signal(signal.SIGKILL)
    index = open_edge(folder)
    found = index.ids()
    gone = {number - 1 for number in range(2, last + 1, 3)}
    for number in range(last + 1):
        ids = {point_id((number, part)) for part in range(5)}
        if number in gone:
            assert not ids & found
        elif number != last or last % 3 != 1:  # the next, unacknowledged step may already have deleted it
            assert ids <= found
    assert len(index.search_dense(direction(0), Filter(revision_ids=("r0",)), 50)) == 5
    index.close()


# -- optimising ----------------------------------------------------------------------------------------------


def test_nothing_is_lost_while_another_thread_writes_and_searches(edge: EdgeIndex) -> None:
    edge.upsert([point(number, Payload("base", "d"), dense=direction(number)) for number in range(600)])
    done, running = Event(), Event()
    written: list[int] = []
    failures: list[BaseException] = []

    def traffic() -> None:
        number = 1_000
        try:
            while not done.is_set() or len(written) < 20:
                edge.upsert([point(number, Payload(f"r{number}", "d", status="staged"))])
                edge.set_payload(f"r{number}", Payload(f"r{number}", "d"))
                if number % 5 == 0:
                    edge.delete_revision(f"r{number}")
                else:
                    written.append(number)
                assert len(edge.search_dense(direction(7), Filter(revision_ids=("base",)), 10)) == 10
                running.set()
                number += 1
                time.sleep(0.005)
        except BaseException as failure:  # noqa: BLE001 - reported by the test's own assertion
            failures.append(failure)

    worker = Thread(target=traffic)
    worker.start()
    running.wait(10)
    for _ in range(2):
        edge.optimise()
    done.set()
    worker.join()
    assert failures == []
    expected = {point_id(number) for number in [*range(600), *written]}
    assert edge.ids() == expected
    hits = edge.search_dense(
        direction(0), Filter(statuses=("active",), document_ids=("d",)), len(expected) + 10
    )
    assert {hit.id for hit in hits} == expected


def test_optimising_swaps_the_shard_and_leaves_nothing_behind(edge: EdgeIndex, folder: Path) -> None:
    edge.upsert([point("a")])
    before = live_shard(folder)
    edge.optimise()
    assert shards(folder) == [live_shard(folder)] != [before]


def test_many_points_get_a_graph(folder: Path) -> None:
    dimensions = 16_384  # the engine builds a graph from 20,000 kB of vectors in a segment
    index = EdgeIndex(folder, EMBEDDING, dimensions)
    try:
        index.upsert([point(number, dense=direction(number, dimensions)) for number in range(340)])
        assert index.stats().indexed == 0
        index.optimise()
        assert index.stats().indexed == 340
        (hit,) = index.search_dense(direction(77, dimensions), Filter(labels=("public",)), 1)
        assert hit.id == point_id(77)
    finally:
        index.close()


def test_a_failing_child_leaves_the_index_as_it_was(
    edge: EdgeIndex, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edge.upsert([point("a")])
    before = live_shard(folder)
    copy = IndexHome.copy

    def copy_and_break(home: IndexHome, name: str, target: str) -> None:
        copy(home, name, target)
        (home.shard(target) / "edge_config.json").write_text("{", encoding="utf-8")

    monkeypatch.setattr(IndexHome, "copy", copy_and_break)
    with pytest.raises(IndexUnavailable, match="优化失败"):
        edge.optimise()
    monkeypatch.undo()
    assert shards(folder) == [live_shard(folder)] == [before]
    edge.upsert([point("b")])
    edge.optimise()
    assert edge.ids() == {point_id("a"), point_id("b")}


@pytest.mark.parametrize("interruption", ["clear", "close"])
def test_clearing_or_closing_gives_up_a_running_optimisation(
    folder: Path, monkeypatch: pytest.MonkeyPatch, interruption: str
) -> None:
    index = open_edge(folder)
    index.upsert([point("a")])
    entered, results = Event(), list[object]()

    def endless(shard: Path, given_up: Event) -> bool:
        entered.set()
        assert given_up.wait(10)
        return False

    monkeypatch.setattr(edge_module, "optimise_apart", endless)
    worker = Thread(target=lambda: results.append(index.optimise()))
    worker.start()
    assert entered.wait(10)
    getattr(index, interruption)()
    worker.join(10)
    assert results == [None]
    index.close()
    assert shards(folder) == [live_shard(folder)]
    index = open_edge(folder)
    assert index.ids() == (set() if interruption == "clear" else {point_id("a")})
    index.close()


def test_a_given_up_child_is_ended_at_once(folder: Path) -> None:
    from ingestion.index.optimiser import optimise_apart

    given_up = Event()
    given_up.set()
    began = time.monotonic()
    assert optimise_apart(folder / "shard-unused", given_up) is False
    assert time.monotonic() - began < 5


CRASH = """
import os, signal, sys
from pathlib import Path
from tests.ingestion.index.points import point
from ingestion.index import edge, edge_home, edge_shard
from ingestion.index.schema import Payload

folder, step = Path(sys.argv[1]), sys.argv[2]

def crash(*arguments, **options):
    os.kill(os.getpid(), signal.SIGKILL)

def after(function):
    def run(*arguments, **options):
        function(*arguments, **options)
        crash()
    return run

index = edge.EdgeIndex(folder, "test", 8)
index.upsert([point(n, Payload(f"r{n}", "d")) for n in range(20)])
optimise_apart = edge.optimise_apart

def write_meanwhile(shard, given_up):
    if step == "child":
        crash()
    index.upsert([point(20)])
    index.delete_revision("r3")
    if step == "copied":
        (shard / "segments").rename(shard / "half-copied")
        crash()
    return optimise_apart(shard, given_up)

edge.optimise_apart = write_meanwhile
if step == "before commit":
    edge_home.IndexHome.commit = crash
if step == "commit drafted":
    Path.replace = crash
if step == "after commit":
    edge_home.IndexHome.commit = after(edge_home.IndexHome.commit)
if step == "old closed":
    edge_home.IndexHome.remove = crash
index.optimise()
"""


@pytest.mark.parametrize(
    "step", ["child", "copied", "before commit", "commit drafted", "after commit", "old closed"]
)
def test_a_crash_at_any_step_of_the_swap_loses_no_acknowledged_write(folder: Path, step: str) -> None:
    crashed = start(CRASH, folder, step)
    crashed.communicate(timeout=30)
    assert crashed.returncode == -signal.SIGKILL
    index = open_edge(folder)
    expected = set(range(20)) if step == "child" else set(range(21)) - {3}
    assert index.ids() == {point_id(number) for number in expected}
    assert len(index.search_dense(direction(0), Filter(document_ids=("d",)), 50)) == len(
        expected & set(range(20))
    )
    assert shards(folder) == [live_shard(folder)], "leftovers are cleaned at the start"
    index.close()


def test_a_log_file_that_is_renamed_while_the_log_is_synced_is_no_fault(tmp_path: Path) -> None:
    log = tmp_path / "wal"
    log.mkdir()
    (log / "open-1").write_bytes(b"written")
    (log / "tmp-open-2").symlink_to(log / "renamed meanwhile")
    edge_shard.sync_log(tmp_path)
    (log / "renamed meanwhile").write_bytes(b"here")
    edge_shard.sync_log(tmp_path)
