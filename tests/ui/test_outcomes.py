"""How an upload ended: also of a zip with more files than a page shows."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

from ingestion.documents import FileState
from service.access import LOCAL
from service.bootstrap import Parts
from service.store.database import Database
from service.store.tasks import FileRecord, FileStore, TaskStore
from service.ui.outcomes import MOST_MEMBERS, outcome_of


def test_the_files_of_a_large_zip_are_all_counted_and_the_first_are_named(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'zhixing.db'}")
    database.migrate()
    files, tasks = FileStore(database), TaskStore(database)
    task = tasks.create(LOCAL, "ingest", 1).id
    for number in range(MOST_MEMBERS + 10):
        state = FileState.PARSED if number < 3 else FileState.UNSUPPORTED
        files.record(
            FileRecord(
                "default", f"upload:大.zip!/{number}", f"{number}.txt", "", 1, state.value, task_id=task
            )
        )
    files.record(
        FileRecord("default", "upload:大.zip", "大.zip", "", 1, FileState.PARSED.value, task_id=task)
    )
    parts = cast(Parts, SimpleNamespace(tasks=tasks, files=files))
    outcome = outcome_of(parts, LOCAL, task, "大.zip")
    database.close()
    assert (outcome.inside, outcome.taken) == (MOST_MEMBERS + 10, 3)
    assert len(outcome.members) == MOST_MEMBERS
    assert outcome.task_id == task
