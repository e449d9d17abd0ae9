"""A cell that cannot be read: what is wrong and how it is mended, for the person who wrote it."""

from rules.findings import Code, Severity


class CellFault(Exception):
    """One cell's text means nothing certain.

    `value` is the part of the text it is about, `corrections` are texts that could stand in its place, each
    of them readable. `message` and `mend` are Chinese sentences for the keeper of the table.
    """

    def __init__(
        self,
        code: Code,
        message: str,
        mend: str,
        *,
        value: str = "",
        corrections: tuple[str, ...] = (),
        severity: Severity = Severity.ERROR,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.mend = mend
        self.value = value
        self.corrections = corrections
        self.severity = severity


class Told(CellFault):
    """A cell that cannot be read for a reason its keeper is told elsewhere: it is part of a merged area."""

    def __init__(self) -> None:
        super().__init__(Code.MERGED, "", "")


_SHOWN = 60  # characters of a cell that a message repeats


def shown(text: str) -> str:
    """A cell's text as a message repeats it: in one line, and not all of a very long one."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"


def bad_cell(text: str, why: str, mend: str, *corrections: str) -> CellFault:
    """A fault of the whole cell: 「看不懂“…”：why」; of a blank one only why."""
    message = f"看不懂「{shown(text)}」：{why}。" if text else f"{why}。"
    return CellFault(Code.BAD_CELL, message, mend, value=text, corrections=corrections)


def bad_range(text: str, why: str, mend: str, *corrections: str) -> CellFault:
    return CellFault(
        Code.BAD_RANGE, f"范围「{shown(text)}」有问题：{why}。", mend, value=text, corrections=corrections
    )


def offer(corrections: tuple[str, ...]) -> str:
    """「请写成「a」或「b」。」"""
    return "请写成" + "或".join(f"「{text}」" for text in corrections) + "。"
