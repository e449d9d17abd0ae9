"""The circuit: after failures in a row the approval system is left alone, then probed."""

import pytest

from service.process.status.circuit import Circuit
from service.process.status.errors import StatusUnavailable


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def opened(clock: Clock) -> Circuit:
    circuit = Circuit(2, 30, clock)
    for _ in range(2):
        circuit.enter()
        circuit.failed()
    return circuit


def test_open_circuit_refuses_and_says_for_how_long() -> None:
    clock = Clock()
    circuit = opened(clock)
    clock.now += 10
    with pytest.raises(StatusUnavailable) as refusal:
        circuit.enter()
    assert refusal.value.retry_after == 20


def test_one_probe_goes_through_and_closes_it() -> None:
    clock = Clock()
    circuit = opened(clock)
    clock.now += 31
    circuit.enter()
    with pytest.raises(StatusUnavailable):
        circuit.enter()
    circuit.succeeded()
    circuit.enter()


def test_failed_probe_opens_it_again() -> None:
    clock = Clock()
    circuit = opened(clock)
    clock.now += 31
    circuit.enter()
    circuit.failed()
    with pytest.raises(StatusUnavailable):
        circuit.enter()


def test_success_between_failures_starts_the_count_anew() -> None:
    circuit = Circuit(2, 30, Clock())
    for _ in range(5):
        circuit.enter()
        circuit.failed()
        circuit.enter()
        circuit.succeeded()
    circuit.enter()
    circuit.failed()
    circuit.enter()
