"""The sample processes are published with all their forms, and what somebody withdrew stays withdrawn."""

from collections.abc import Iterator
from datetime import date

import pytest

from service import bootstrap
from service.access import LOCAL
from service.samples import PROCESSES, load_processes
from tests.service.api.keyed import keyed_parts

TODAY = date(2026, 11, 30)


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    with keyed_parts(tmp_path_factory.mktemp("samples") / "home") as built:
        assert load_processes(built) == len(list(PROCESSES.glob("*.xlsx"))) == 3
        yield built


def test_every_sample_serves_without_a_finding_and_with_every_form(parts: bootstrap.Parts) -> None:
    processes = parts.processes.on(TODAY)
    assert len(processes) == 3
    for process in processes:
        assert parts.processes.shown(process.id, TODAY).findings == ()
        named = {material.template for material in process.materials if material.template}
        assert named
        for name in named:
            expected = (PROCESSES / "templates" / name).read_bytes()
            assert parts.processes.form(process.id, name, TODAY) == expected


def test_another_start_changes_nothing_and_brings_nothing_back(parts: bootstrap.Parts) -> None:
    process = parts.processes.on(TODAY)[0]
    parts.publishing.withdraw(LOCAL, process.id, process.digest)
    assert load_processes(parts) == 0
    assert process.id not in [each.id for each in parts.processes.on(TODAY)]
