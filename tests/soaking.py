"""How often tests that kill processes and damage files repeat: a little each time, long in `make soak`."""

import os

SOAKING = os.environ.get("ZHIXING_SOAK") == "1"


def times(quick: int, soak: int) -> int:
    """Repetitions: `quick` in the suite, `soak` with ZHIXING_SOAK=1."""
    return soak if SOAKING else quick
