"""LibreOffice as a converter, found at run time: one process per file, its own profile, a time limit.

The profile lies in a temporary folder that goes with the process. Macros are off, links to other files or
servers are not followed. A converted file is a guess of another program: whoever reads it says so.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ingestion.documents import FailureReason
from ingestion.errors import ParseFailure

SECONDS = 60.0
ANTIWORD_SECONDS = 20.0
MAX_OUTPUT_BYTES = 100 * 1024 * 1024
_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
{items}
</oor:items>
"""
_ITEM = (
    '<item oor:path="/org.openoffice.Office.{path}">'
    '<prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
)
_PREFERENCES = (
    ("Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Writer/Content/Update", "Link", "0"),
    ("Calc/Content/Update", "Link", "1"),
)


@dataclass(frozen=True, slots=True)
class Conversion:
    """From one format to another; `reader` is LibreOffice's import filter.

    Naming it keeps a damaged file from being opened as plain text.
    """

    suffix: str
    target: str
    reader: str


def soffice() -> str | None:
    """The program's path, None where LibreOffice is not installed."""
    return shutil.which("soffice") or shutil.which("libreoffice")


def antiword() -> str | None:
    return shutil.which("antiword")


def convert(program: str, data: bytes, conversion: Conversion, seconds: float = SECONDS) -> bytes:
    """The converted file. Raises ParseFailure: timeout, corrupt when the program gave none, too_large."""
    with tempfile.TemporaryDirectory(prefix="zhixing-convert-", ignore_cleanup_errors=True) as folder:
        place = Path(folder)
        _write_profile(place / "profile")
        source = place / f"source.{conversion.suffix}"
        source.write_bytes(data)
        arguments = [
            program,
            f"-env:UserInstallation={(place / 'profile').as_uri()}",
            *("--headless", "--norestore", "--nolockcheck", "--nodefault", "--nofirststartwizard"),
            f"--infilter={conversion.reader}",
            *("--convert-to", conversion.target, "--outdir", str(place / "out"), str(source)),
        ]
        _run(arguments, place, seconds)
        made = place / "out" / f"source.{conversion.target}"
        if not made.is_file():
            raise ParseFailure(
                FailureReason.CORRUPT, "LibreOffice 无法打开该文件，文件可能已损坏。请用原程序另存后再试"
            )
        if made.stat().st_size > MAX_OUTPUT_BYTES:
            raise ParseFailure(FailureReason.TOO_LARGE, "文件转换后超过 100 MB，请拆分后再导入")
        return made.read_bytes()


def word_text(program: str, data: bytes) -> bytes:
    """The text of an old Word file by antiword, UTF-8, one line per paragraph. Raises ParseFailure."""
    with tempfile.TemporaryDirectory(prefix="zhixing-convert-", ignore_cleanup_errors=True) as folder:
        source = Path(folder) / "source.doc"
        source.write_bytes(data)
        output = _run([program, "-m", "UTF-8.txt", "-w", "0", str(source)], Path(folder), ANTIWORD_SECONDS)
    if not output.strip():
        raise ParseFailure(
            FailureReason.CORRUPT, "antiword 无法读取该文件，文件可能已损坏。请用 Word 另存为 docx 后再试"
        )
    return output


def _run(arguments: Sequence[str], folder: Path, seconds: float) -> bytes:
    """What the program printed. It leads a process group of its own, which ends with this call."""
    environment = {
        "PATH": os.environ.get("PATH", ""),
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "TMPDIR": str(folder),
    }
    process = subprocess.Popen(
        arguments,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=environment,
        process_group=0,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise ParseFailure(
            FailureReason.TIMEOUT, f"转换旧格式超过 {seconds:g} 秒，已中止；请用原程序另存为新格式后再导入"
        ) from error
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
    return output


def _write_profile(folder: Path) -> None:
    (folder / "user").mkdir(parents=True)
    items = "\n".join(_ITEM.format(path=path, name=name, value=value) for path, name, value in _PREFERENCES)
    (folder / "user" / "registrymodifications.xcu").write_text(_PROFILE.format(items=items), encoding="utf-8")
