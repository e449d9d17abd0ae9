"""The column 同义词: 「金额、总价」 are words for the field, 「笔记本、台式机=办公电脑」 for an option."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rules.cells.choices import unknown_value
from rules.faults import CellFault
from rules.findings import Code
from rules.spelling import plain

_CHUNKS = re.compile(r"[;\n]")
_PIECES = re.compile(r"[、,/]")


@dataclass(slots=True)
class OtherWords:
    """`aliases` stand for the field, in their order; `synonyms`: said -> option."""

    aliases: dict[str, None] = field(default_factory=dict)
    synonyms: dict[str, str] = field(default_factory=dict)


def read_other_words(text: str, options: Sequence[str], tell: Callable[[CellFault], None]) -> OtherWords:
    """Words that cannot be used are left out and handed to `tell`, each for itself."""
    found = OtherWords()
    for chunk in _CHUNKS.split(plain(text.replace("\n", ";"))):
        pending: list[str] = []
        for piece in _PIECES.split(chunk):
            said, equals, option = (part.strip() for part in piece.partition("="))
            pending += [said] if said else []
            if equals:
                for fault in _say(pending, option, options, found.synonyms):
                    tell(fault)
                pending = []
        found.aliases |= dict.fromkeys(pending)
    return found


def _say(
    said: Sequence[str], option: str, options: Sequence[str], synonyms: dict[str, str]
) -> list[CellFault]:
    """Adds to `synonyms` what is said of one option; what is wrong with it comes back."""
    if options and option not in options:
        return [unknown_value(option, options)]
    faults = []
    for word in said:
        if word in options and word != option:
            why = f"「{word}」本身就是一个选项，不能又指「{option}」。"
            faults.append(CellFault(Code.DUPLICATE, why, "请删掉这个说法。", value=word))
        elif synonyms.setdefault(word, option) != option:
            why = f"「{word}」既指「{synonyms[word]}」又指「{option}」。"
            faults.append(CellFault(Code.DUPLICATE, why, "一个词只能指一个选项，请删掉一个。", value=word))
    return faults
