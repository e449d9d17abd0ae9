"""Meetings taken in with a language model behind a real HTTP endpoint, and with one that is down."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import SecretStr

from ingestion.documents import Kind
from ingestion.minutes.segmentation import ReviewState
from service import bootstrap
from service.access import LOCAL
from service.config import Settings
from service.home import Home
from service.incoming import Incoming
from service.intake import Taken
from service.store.meetings import MeetingRecord
from tests.doubles.behaviours import slow
from tests.doubles.llm import LlmDouble
from tests.service.minutes.editing import DESCRIPTION, Newsroom, objecting, passing, starting_at

PEOPLE = ("张总", "李四", "王敏")
LINES = "\n".join(f"{PEOPLE[number % 3]}：第{number}件事按计划往前推。" for number in range(1, 13))
NOBODY_LISTENS = "http://127.0.0.1:9/v1"


@contextmanager
def with_model(folder: Path, base_url: str, **more: float) -> Iterator[bootstrap.Parts]:
    settings = Settings(
        home=folder,
        ingest_workers=1,
        llm_model="strong-double",
        llm_small_model="small-double",
        llm_base_url=base_url,
        llm_api_key=SecretStr("sk-of-the-tests"),
        llm_retries=0,
        _env_file=None,
        **more,  # type: ignore[arg-type]
    )
    with Home(folder) as home:
        parts = bootstrap.build(settings, home)
        try:
            yield parts
        finally:
            parts.close()


def take(parts: bootstrap.Parts, name: str) -> Taken:
    incoming = Incoming(f"upload:local/{name}", name, f"{name}\n{LINES}".encode(), kind=Kind.MINUTES)
    task = parts.tasks.create(LOCAL, "ingest", 1)
    (taken,) = parts.intake.run(LOCAL, task.id, [incoming])
    return taken


def record_of(parts: bootstrap.Parts, taken: Taken) -> MeetingRecord:
    assert taken.record.document_id is not None, taken.record.message
    return parts.meetings.get(LOCAL, taken.record.document_id).record


def test_the_models_cuts_topics_and_rounds_are_in_the_record(tmp_path: Path, llm_double: LlmDouble) -> None:
    reviews = iter([objecting({1: "混了两件事"}), passing()])
    room = Newsroom(boundary=lambda request: starting_at(1, 6), review=lambda request: next(reviews))
    llm_double.answer_with(room)
    with with_model(tmp_path / "home", llm_double.base_url) as parts:
        taken = take(parts, "返点例会.txt")
        record = record_of(parts, taken)
        chunks = parts.documents.section(LOCAL, taken.record.revision_id or "", 0, 99)
    assert (record.engine, record.rounds, record.review.state) == ("strong-double", 2, ReviewState.PASSED)
    assert [segment.start for segment in record.segments] == [1, 6]
    assert all(DESCRIPTION["topic"] in chunk.heading_path for chunk in chunks)
    assert all("渠道返利" in chunk.searched_text for chunk in chunks)
    assert record.completeness.passed and record.findings == ()
    assert any("第 2/5 轮" in line for line in record.run_log)


def test_a_model_that_is_down_leaves_the_meeting_to_the_offline_engine_and_the_record_says_so(
    tmp_path: Path,
) -> None:
    with with_model(tmp_path / "home", NOBODY_LISTENS) as parts:
        taken = take(parts, "返点例会.txt")
        record = record_of(parts, taken)
    assert taken.published and record.engine == "offline"
    assert record.completeness.passed
    assert any("离线引擎" in finding for finding in record.findings)
    assert taken.record.report["findings"] == list(record.findings)


def test_a_meeting_that_waits_too_long_for_its_model_ends_as_that(
    tmp_path: Path, llm_double: LlmDouble
) -> None:
    llm_double.answer_with(lambda request: slow(60))
    with with_model(tmp_path / "home", llm_double.base_url, minutes_timeout_s=3.0) as parts:
        late = take(parts, "等不到.txt")
        assert parts.meetings.lines(LOCAL) == []
    assert (late.record.state, late.record.reason) == ("failed", "timeout")
    assert "3 秒" in late.record.message
