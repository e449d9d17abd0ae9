"""What a message does besides naming values: cancel, go on, ask for the state, thank, ask for the forbidden.

The words are data (`data/terms/acts.csv`), the few rules about where they count are here.
"""

import csv
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path

from service.errors import Unavailable
from service.process.places import Span, within
from service.process.vocabulary import asks, doubted, lowered


class Act(StrEnum):
    CANCEL = "cancel"
    RESUME = "resume"
    STATUS = "status"
    MATERIALS = "materials"
    THANKS = "thanks"
    FORBIDDEN = "forbidden"
    OUTSIDE = "outside"
    APPLY = "apply"
    CORRECT = "correct"
    UNSURE = "unsure"
    YES = "yes"
    NO = "no"
    DECLINE = "decline"


_ALONE = "="  # in front of a cue that is the whole message
_GAP = r"[^，。；！？,;!?\n]{0,10}"
_CLAUSE = re.compile(r"[，。；！？…、,;!?\s]+")
_REFUSES = re.compile(r"(?:嗯|那|应该|好像|都|也)*(?:没有?|不|未|无需?|别|免)(?!错|过|对)")
_AGREES = re.compile(r"(?:嗯|那|当然|肯定|必须|确实|应该|都)*(?:是|要|有|对|需要|会|得|没错)")
_SHORT = 8  # characters of an answer that is nothing but yes or no
_AROUND = re.compile(r"^(?:嗯|哦|啊|好的?|那|就|，|,)*|(?:的|吧|呢|啊|了|呀|哈|。|！|!)+$")


class Acts:
    def __init__(self, cues: Mapping[Act, Sequence[str]]) -> None:
        self._patterns = {act: _pattern(words) for act, words in cues.items() if words}
        self._answers = {act: frozenset(map(lowered, cues.get(act, ()))) for act in (Act.YES, Act.NO)}

    def says(self, act: Act, message: str, apart: Sequence[Span] = ()) -> bool:
        """Whether a cue stands in the message, anywhere but within the places `apart`."""
        pattern = self._patterns.get(act)
        if pattern is None:
            return False
        return any(not within(match.span(), apart) for match in pattern.finditer(lowered(message)))

    def any_of(self, message: str) -> bool:
        """Whether the message does anything but answer."""
        others = (Act.CANCEL, Act.RESUME, Act.STATUS, Act.THANKS, Act.FORBIDDEN, Act.OUTSIDE)
        return any(self.says(act, message) for act in others)

    def is_answer(self, message: str) -> bool:
        return self.yes_or_no(message) is not None

    def yes_or_no(self, message: str) -> bool | None:
        """The meaning of a message that is nothing but yes or no."""
        plain = lowered(message).strip()
        last = _CLAUSE.split(plain.rstrip("。！!？?，,…"))[-1].strip()
        if asks(last) or doubted(last):
            return None
        for words in (plain, _AROUND.sub("", plain), _AROUND.sub("", last)):
            if words in self._answers[Act.YES]:
                return True
            if words in self._answers[Act.NO]:
                return False
        if len(last) <= _SHORT and _REFUSES.match(last):
            return False
        return True if len(last) <= _SHORT and _AGREES.match(last) else None


def load_acts(path: Path) -> Acts:
    """Raises Unavailable naming the row that is not of the form `act,cue`."""
    cues: dict[Act, list[str]] = {act: [] for act in Act}
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Unavailable(f"{path.name} 无法读取，应为 UTF-8 文字：{error}") from error
    rows = csv.reader(line for line in lines if line.strip() and not line.startswith("#"))
    for number, row in enumerate(rows):
        if number == 0 and row[:2] == ["act", "cue"]:
            continue
        if len(row) < 2 or row[0] not in set(Act) or not row[1].strip():
            raise Unavailable(f"{path.name} 第 {number + 1} 条「{'，'.join(row)}」不是“类别,说法”")
        cues[Act(row[0])].append(row[1].strip())
    return Acts(cues)


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(sorted(map(_part, words), key=len, reverse=True)))


def _part(word: str) -> str:
    plain = lowered(word)
    part = _GAP.join(map(re.escape, plain.removeprefix(_ALONE).split("*")))
    return rf"^\W*{part}[吧了啦呗啊呀]*\W*$" if plain.startswith(_ALONE) else part
