"""Where the console shows processes, and where it hands their files out."""

from collections.abc import Mapping
from urllib.parse import quote, urlencode

from service.store.processes import Draft, Version
from service.ui.elements import PATH

PROCESSES = f"{PATH}/processes"
FILES = "/process-files"
RULES, FIELDS, STEPS, TRIAL = "rules", "fields", "steps", "trial"
CASES, VERSIONS, RECORD = "cases", "versions", "record"
VALUE = "v-"  # what the address of a trial puts before the code of a field


def process_address(
    process_id: str,
    side: str = "",
    subject: Version | Draft | None = None,
    more: Mapping[str, str] | None = None,
) -> str:
    """A side of a process; without a subject that of the version in force."""
    asked = {"side": side} if side else {}
    asked |= named(subject) | dict(more or {})
    address = f"{PROCESSES}/{quote(process_id, safe='')}"
    return f"{address}?{urlencode(asked)}" if asked else address


def trial_address(subject: Version | Draft, values: Mapping[str, str]) -> str:
    """The try-out panel, filled in; `values` are by code of the field."""
    return process_address(
        subject.process_id, TRIAL, subject, {f"{VALUE}{code}": text for code, text in values.items()}
    )


def workbook_address(subject: Version | Draft) -> str:
    return _file("workbook", {"process": subject.process_id, **named(subject)})


def template_address(subject: Version | Draft, name: str) -> str:
    return _file("template", {"process": subject.process_id, **named(subject), "name": name})


def starter_address() -> str:
    return f"{PATH}{FILES}/starter"


def named(subject: Version | Draft | None) -> dict[str, str]:
    if subject is None:
        return {}
    return {"draft": subject.id} if isinstance(subject, Draft) else {"version": subject.digest}


def _file(kind: str, asked: Mapping[str, str]) -> str:
    return f"{PATH}{FILES}/{kind}?{urlencode(asked)}"
