"""A small archive to ask, whose every sentence has one known speaker, and what must hold of every answer."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from ingestion.documents import Kind
from service import assembly, bootstrap
from service.access import LOCAL, Principal
from service.config import Settings
from service.home import Home
from service.incoming import MINUTES_BASE, Incoming
from service.intake import Taken
from service.minutes.answers import MinutesAnswer
from service.minutes.evidence import Features
from service.minutes.sought import MinutesQuestion

TODAY = date(2025, 12, 1)
READER = Principal("wang")  # of no department: what is not public is hidden
HIDDEN = "group:人事"

PEOPLE = """姓名,称呼,职务,部门
张启明,张总,总经理,公司领导
罗婉,罗总,总经理助理,公司领导
曹建业,曹经理,经理,生产部
曹敏,曹经理,经理,成都分公司
孙立,孙工,工程师,研发部
"""
MEETINGS = {
    "2025-03-04_定价会.txt": """定价会
时间：2025年3月4日

张总：藤椅降价我反对，一分钱都不降。
罗婉：藤椅降价要看仓库，仓库里还有三百把。
曹建业：藤椅降价之后生产跟不上。
张总：那就这么定，藤椅维持六百元不变。
""",
    "2025-06-10_复议会.txt": """定价复议会
时间：2025年6月10日

张启明：藤椅降价我改主意了，同意降一成。
曹敏：藤椅降价成都早就盼着。
罗婉：仓库里的藤椅还剩一百二十把。
张启明：定价先谈到这里，石桌的定价下次再议。
""",
    "2025-09-02_办公会纪要.md": """# 办公会纪要

- 时间：2025年9月2日
- 参加：张启明、罗婉、曹敏

## 议题一：藤椅

罗婉提出藤椅降价的预算为二十六万元。张启明：藤椅降价的预算再少四万元。曹敏：藤椅降价的钱成都出一半！

罗婉：藤椅降价分两批做。张总：藤椅降价分三批做。
""",
    "2025-10-14_转写.txt": """发言人1 00:01
藤椅降价的海报印好了。

发言人2 00:09
藤椅降价的海报颜色太浅。

发言人1 00:15
颜色可以重印。
""",
    "2025-11-05_薪酬会.txt": """薪酬会
时间：2025年11月5日

秦怀玉：藤椅降价的奖金每人八千元。
张总：藤椅降价的奖金先不公布。
秦怀玉：奖金名单只给人事。
""",
}
SECRET = "2025-11-05_薪酬会.txt"
SAID = {
    "张启明": (
        "藤椅降价我反对，一分钱都不降。",
        "那就这么定，藤椅维持六百元不变。",
        "藤椅降价我改主意了，同意降一成。",
        "定价先谈到这里，石桌的定价下次再议。",
        "藤椅降价的预算再少四万元。",
        "藤椅降价分三批做。",
        "藤椅降价的奖金先不公布。",
    ),
    "罗婉": (
        "藤椅降价要看仓库，仓库里还有三百把。",
        "仓库里的藤椅还剩一百二十把。",
        "藤椅降价分两批做。",
    ),
    "曹建业": ("藤椅降价之后生产跟不上。",),
    "曹敏": ("藤椅降价成都早就盼着。", "藤椅降价的钱成都出一半！"),
    "发言人1": ("藤椅降价的海报印好了。", "颜色可以重印。"),
    "发言人2": ("藤椅降价的海报颜色太浅。",),
    "秦怀玉": ("藤椅降价的奖金每人八千元。", "奖金名单只给人事。"),
}


@dataclass(frozen=True)
class Weighing:
    """Stands for the fitted weights: words decide the order, `logit` always whether anything answers."""

    logit: float

    def order(self, found: Sequence[Features]) -> NDArray[np.float64]:
        return np.array([each["own"] + each["near"] / 2 for each in found])

    def answers(self, found: Sequence[Features], order: NDArray[np.float64]) -> float:
        return self.logit


ALWAYS, NEVER = Weighing(1.0), Weighing(-1.0)


@contextmanager
def opened(
    folder: Path, roster: str = PEOPLE, knobs: Mapping[str, object] | None = None
) -> Iterator[bootstrap.Parts]:
    """A home, empty at first; `knobs` are settings."""
    folder.mkdir(parents=True, exist_ok=True)
    people = folder / "people.csv"
    people.write_text(roster, encoding="utf-8")
    chosen = {"home": folder / "home", "minutes_people": people, "ingest_workers": 1, **(knobs or {})}
    with pytest.MonkeyPatch.context() as patch, Home(folder / "home") as home:
        patch.setattr(assembly, "load_asking", lambda path: ALWAYS)
        parts = bootstrap.build(Settings(_env_file=None, **chosen), home)  # type: ignore[arg-type]
        try:
            yield parts
        finally:
            parts.close()


def meeting(name: str, words: str | bytes) -> Incoming:
    data = words if isinstance(words, bytes) else words.encode()
    labels = (HIDDEN,) if name == SECRET else None
    return Incoming(
        f"upload:local/{name}", name, data, knowledge_base=MINUTES_BASE, kind=Kind.MINUTES, labels=labels
    )


def take(parts: bootstrap.Parts, *items: Incoming) -> list[Taken]:
    task = parts.tasks.create(LOCAL, "ingest", len(items))
    return parts.intake.run(LOCAL, task.id, list(items))


def filled(parts: bootstrap.Parts) -> bootstrap.Parts:
    taken = take(parts, *(meeting(name, words) for name, words in MEETINGS.items()))
    assert all(one.published for one in taken)
    return parts


def ask(
    parts: bootstrap.Parts,
    question: str,
    speaker: str = "",
    principal: Principal = LOCAL,
    first: date | None = None,
    last: date | None = None,
) -> MinutesAnswer:
    asked = MinutesQuestion(question, speaker, first, last, asked_on=TODAY)
    return asyncio.run(parts.minutes.ask(principal, asked))


def texts(answer: MinutesAnswer) -> list[str]:
    return [quote.text for quote in answer.quotes]


def days_of(answer: MinutesAnswer) -> list[date | None]:
    return [quote.day for quote in answer.quotes]


def holds(parts: bootstrap.Parts, answer: MinutesAnswer) -> None:
    """What is true of every answer, whatever was asked."""
    assert bool(answer.quotes) is (answer.refusal is None)
    assert answer.text
    for quote in answer.quotes:
        stored = parts.meetings.get(LOCAL, quote.document_id)
        assert stored.text[quote.char_start : quote.char_end] == quote.text
        assert quote.text.strip()
        assert stored.revision_id == quote.revision_id and stored.record.day == quote.day
        said = stored.record.paragraphs[quote.paragraph - 1]
        assert said.words <= quote.char_start < quote.char_end <= said.end
        assert f"“{quote.text}”[{quote.n}]" in answer.text
    numbers = [quote.n for quote in answer.quotes]
    assert numbers == list(range(1, len(numbers) + 1))
    assert in_time(answer)
    assert all({shift.before, shift.after} <= set(numbers) for shift in answer.shifts)


def in_time(answer: MinutesAnswer) -> bool:
    """Meetings without a day last, and what was said in one meeting in the order in which it was said."""
    times = [
        (quote.day is None, quote.day or date.max, quote.file_name, quote.char_start)
        for quote in answer.quotes
    ]
    return times == sorted(times)


def only(person: str, quotes: Sequence[str]) -> bool:
    return all(any(quote in sentence for sentence in SAID[person]) for quote in quotes)
