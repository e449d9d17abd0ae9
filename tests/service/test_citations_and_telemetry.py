"""What is shown beside an answer survives JSON; what operators watch is counted apart per application."""

from datetime import date
from pathlib import Path

import pytest

from ingestion.documents import Anchor, Box
from service import bootstrap
from service.citations import (
    Citation,
    Reference,
    Refusal,
    RefusalReason,
    citation_json,
    reference_json,
    refusal_json,
)
from service.config import Settings
from service.home import Home
from service.llm.breaker import Circuit
from service.llm.usage import ModelCounters
from service.telemetry import Telemetry

REFERENCE = Reference(
    1,
    "d",
    "差旅费管理办法",
    "r",
    "2023年修订",
    date(2023, 1, 1),
    None,
    "active",
    "c",
    ("总则",),
    "三百元",
    0.9,
)


def test_a_citation_is_plain_json_with_its_place() -> None:
    anchor = Anchor(3, 9, page=2, boxes=(Box(1, 2, 3, 4),))
    citation = Citation(
        1,
        "d",
        "差旅费管理办法",
        "r",
        "V2",
        None,
        None,
        "active",
        "c",
        ("总则", "第一条"),
        anchor,
        "住宿费三百元",
        3,
        9,
        0.8,
        True,
    )
    found = citation_json(citation)
    assert found["effective_from"] is None
    assert found["heading_path"] == ["总则", "第一条"]
    assert isinstance(found["anchor"], dict) and found["anchor"]["page"] == 2
    assert found["anchor"]["boxes"] == [{"x0": 1, "top": 2, "x1": 3, "bottom": 4}]


def test_a_refusal_carries_its_code_and_the_nearest() -> None:
    found = refusal_json(Refusal(RefusalReason.NOT_YET_IN_FORCE, "尚未施行", (REFERENCE,), "管理员"))
    assert found["reason"] == "not_yet_in_force"
    assert found["nearest"] == [reference_json(REFERENCE)]
    assert reference_json(REFERENCE)["effective_from"] == "2023-01-01"


def test_two_applications_share_no_numbers() -> None:
    one, other = Telemetry(), Telemetry()
    one.answers.labels("offline", "answered").inc()
    assert (
        one.registry.get_sample_value("zhixing_answers_total", {"engine": "offline", "outcome": "answered"})
        == 1
    )
    assert b'engine="offline"' not in other.exposition()


def test_a_stage_is_timed_also_when_it_fails() -> None:
    telemetry = Telemetry()
    with pytest.raises(ZeroDivisionError), telemetry.stage("retrieve"):
        raise ZeroDivisionError
    assert telemetry.registry.get_sample_value("zhixing_stage_seconds_count", {"stage": "retrieve"}) == 1


class Counting:
    """A model that has done something."""

    def counters(self) -> dict[str, ModelCounters]:
        return {"strong": ModelCounters(steps=5, failed=2, retries=3, calls=4)}

    def circuits(self) -> dict[str, Circuit]:
        return {"strong": Circuit.OPEN, "small": Circuit.CLOSED}


def test_what_the_models_count_is_shown_to_operators() -> None:
    telemetry = Telemetry()
    assert b"zhixing_llm_steps_total{" not in telemetry.exposition()
    telemetry.watch(Counting())
    value = telemetry.registry.get_sample_value
    strong = {"model": "strong"}
    assert [value(f"zhixing_llm_{name}_total", strong) for name in ("steps", "failed_steps", "retries")] == [
        5,
        2,
        3,
    ]
    assert [value("zhixing_llm_circuit_open", {"model": name}) for name in ("strong", "small")] == [1, 0]


def test_a_configured_model_is_watched(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, llm_model="strong-double", ingest_workers=1, _env_file=None)
    with Home(tmp_path) as home:
        parts = bootstrap.build(settings, home)
        try:
            assert b'zhixing_llm_steps_total{model="strong-double"} 0.0' in parts.telemetry.exposition()
        finally:
            parts.close()
