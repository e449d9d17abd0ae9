"""Findings as they are told on a page: what is wrong, how to mend it, a case that shows it."""

from collections.abc import Iterable, Sequence

from rules.findings import FindingJson, Severity
from rules.table import Process
from service.store.processes import Draft, Version
from service.ui.elements import box, icon, link, words
from service.ui.process_addresses import trial_address
from service.ui.process_words import ICONS, SEVERITIES, code_words, counts_words, severity_of

SHOWN = 20  # findings about no row, before the rest is folded away


def draw_findings(
    findings: Sequence[FindingJson],
    subject: Version | Draft | None = None,
    process: Process | None = None,
    *,
    placed: bool = False,
) -> None:
    """The errors first. With the subject and what was read of it, witnesses can be tried out.

    `placed`: they stand beside their row, so that it need not be named.
    """
    ranked = sorted(findings, key=lambda each: list(Severity).index(severity_of(each)))
    with box("ul", "findings"):
        for finding in ranked[:SHOWN]:
            _finding(finding, subject, process, placed=placed)
    if rest := ranked[SHOWN:]:
        with box("details", "older"):
            words("summary", f"另有 {counts_words(rest)}")
            with box("ul", "findings"):
                for finding in rest:
                    _finding(finding, subject, process, placed=placed)


def severity_marks(findings: Iterable[FindingJson]) -> None:
    """One mark for each severity there is, the worst first: its icon and its word."""
    present = {severity_of(each) for each in findings}
    for severity in Severity:
        if severity in present:
            severity_mark(severity)


def severity_mark(severity: Severity) -> None:
    with box("span", f"severity severity-{severity.value}"):
        icon(ICONS[severity])
        words("span", SEVERITIES[severity])


def _finding(
    finding: FindingJson, subject: Version | Draft | None, process: Process | None, *, placed: bool
) -> None:
    severity = severity_of(finding)
    with box("li", f"finding finding-{severity.value}"):
        with box("p", "finding-line"):
            severity_mark(severity)
            words("span", code_words(finding["code"]), "finding-code")
            if where := _where(finding, placed=placed):
                words("span", where, "finding-where")
        words("p", finding["message"], "finding-message")
        if finding["mend"]:
            words("p", f"怎样改：{finding['mend']}", "finding-mend")
        if finding["witness"]:
            with box("p", "finding-witness"):
                words("span", f"例如：{_witness(finding)}")
                if subject is not None and process is not None:
                    link("按这个情况试算", trial_address(subject, _values(finding, process)))


def _where(finding: FindingJson, *, placed: bool) -> str:
    column = f"「{finding['column']}」列" if finding["column"] else ""
    if placed:
        return column
    row = f"第 {finding['row']} 行" if finding["row"] else ""
    return " ".join(part for part in (finding["sheet"], row, column) if part)


def _witness(finding: FindingJson) -> str:
    return "，".join(f"{name} {_said(value)}" for name, value in finding["witness"].items())


def _said(value: str | int | float) -> str:
    return value if isinstance(value, str) else f"{value:,}"


def _values(finding: FindingJson, process: Process) -> dict[str, str]:
    known = ((process.field(name), value) for name, value in finding["witness"].items())
    return {field.code: str(value) for field, value in known if field is not None}
