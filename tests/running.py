"""A real `zhixing serve` in a process of its own, with a home of its own and the sample knowledge."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from service.home import LOCAL_TOKEN

START_SECONDS = 180


@dataclass(frozen=True)
class Running:
    """`token` is the one-time token of the home, which the command line uses."""

    url: str
    home: Path
    token: str
    process: "subprocess.Popen[bytes]"

    def client(self) -> httpx.Client:
        headers = {LOCAL_TOKEN: self.token}
        return httpx.Client(base_url=self.url, headers=headers, timeout=120, trust_env=False)


@contextmanager
def serving(home: Path, *, samples: bool = False, env: Mapping[str, str] | None = None) -> Iterator[Running]:
    """Start the service on a free port and wait until it answers; ends it with SIGTERM."""
    command = [
        sys.executable,
        "-m",
        "service.cli",
        "serve",
        "--port",
        "0",
        *(["--samples"] if samples else []),
    ]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("ZHIXING_", "OPENAI_"))
    }
    environment |= {"ZHIXING_HOME": str(home), **(env or {})}
    log_path = home.with_name(f"{home.name}.log")
    with log_path.open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        yield _wait(process, home, log_path)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(process: "subprocess.Popen[bytes]", home: Path, log_path: Path) -> Running:
    announced = home / "run.json"
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        with suppress(FileNotFoundError):
            found = json.loads(announced.read_text(encoding="utf-8"))
            if found["pid"] == process.pid:  # and not that of a killed one before it
                return Running(found["url"], home, found["token"], process)
        time.sleep(0.1)
    raise RuntimeError(
        f"the service did not start:\n{log_path.read_text(encoding='utf-8', errors='replace')}"
    )
