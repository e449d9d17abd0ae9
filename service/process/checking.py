"""Whether a workbook may be published: what the loader finds, what the check finds, and what only we know."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from rules.check import check
from rules.findings import Code, Finding, Severity
from rules.loader import INFO, MATERIALS, load
from rules.table import Process
from service.process.offered import form_name

LONGEST_ID = 64
_UNADDRESSABLE = re.compile(r"[/\\?#%\x00-\x1f\x7f]|^\.{1,2}$")


@dataclass(frozen=True, slots=True)
class Checked:
    """`process` is None only where the workbook cannot be read as one."""

    process: Process | None
    findings: tuple[Finding, ...]

    @property
    def ok(self) -> bool:
        """Whether it may be published."""
        return self.process is not None and not any(_is_error(each) for each in self.findings)

    def with_forms(self, names: Collection[str]) -> "Checked":
        """Told, too, which templates are named and not among `names`."""
        if self.process is None:
            return self
        return Checked(self.process, (*self.findings, *_without_form(self.process, names)))

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(each for each in self.findings if _is_error(each))


def checked(source: Path | bytes, name: str = "") -> Checked:
    """Load, check and run the test cases. `name` stands in for a missing id."""
    loaded = load(source, name)
    if loaded.process is None:
        return Checked(None, loaded.findings)
    found = (*loaded.findings, *check(loaded.process, loaded.broken), *_unaddressable(loaded.process))
    return Checked(loaded.process, found)


def _is_error(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR


def _unaddressable(process: Process) -> Iterator[Finding]:
    """The id is part of addresses and a key of the record."""
    if _UNADDRESSABLE.search(process.id) or len(process.id) > LONGEST_ID:
        yield Finding(
            Severity.ERROR,
            Code.BAD_CELL,
            f"流程编号「{process.id[:LONGEST_ID]}」不能用在网址里。",
            f"请改成至多 {LONGEST_ID} 个字，不用 / \\ ? # %，例如 ASSET。",
            sheet=INFO,
            column="流程编号",
            value=process.id,
        )


def _without_form(process: Process, forms: Collection[str]) -> Iterator[Finding]:
    known = {form_name(name) for name in forms}
    for material in process.materials:
        if material.template and form_name(material.template) not in known:
            yield Finding(
                Severity.WARNING,
                Code.MISSING_TEMPLATE,
                f"材料 {material.id}「{material.name}」的模板「{material.template}」没有一起交来，"
                "步骤卡上将下载不到。",
                "请把它放进工作簿旁边的 templates 文件夹，一起打成 zip 再上传；没有模板就把这一格清空。",
                sheet=MATERIALS,
                column="模板文件",
                value=material.template,
            )
