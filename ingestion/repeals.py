"""Declarations that other documents are no longer valid 废止, in sentences and in lists."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from ingestion.clues import FROM_DAY, NUMBER, Origin
from ingestion.dates import parse_date

_NUMBER = re.compile(NUMBER)
_NAMED = re.compile(
    r"《([^《》]{2,80})》\s*(?:[（(]([^（）()]{2,60}(?:[（(][^（）()]*[）)])?[^（）()]{0,20})[）)])?"
)
_ITEM_NUMBER = r"\s*[（(]?[\d一二三四五六七八九十]{0,3}[）)、.．]?\s*"
_REPEALED_ITEM = re.compile(rf"{_ITEM_NUMBER}{_NAMED.pattern}")
_UNQUOTED_ITEM = re.compile(rf"{_ITEM_NUMBER}([^《》（(。；]{{4,60}})[（(]\s*({NUMBER})\s*[）)]")
_VERB = (
    r"(?:同时|即行|即时|一并|相应|予以|均|即|自行)?\s*"
    r"(?:废止|停止执行|失效|不再执行|停止使用|不再适用|作废)"
)
_REPEALS = re.compile(rf"{_VERB}(?!的|前|后|或|、|之)")
_LISTED = rf"(?:下列|以下)[^。]{{0,30}}{_VERB}(?:[，,、](?:不再执行|停止执行|不再适用))?\s*"
_ANNOUNCES_REPEALS = re.compile(
    rf"{_VERB}的?(?:下列|以下|有关|部分)?(?:\d+[件份个项])?(?:文件|制度|规定|办法|规范性文件)(?:目录|清单|如下)?"
    rf"(?:[（(][^（）()]*[）)])?\s*[:：]?\s*$|{_LISTED}[:：。]?\s*$"
)
_LISTS_REPEALS = re.compile(rf"{_LISTED}[:：]\s*(?=\S)")
# 除下列文件外, 拟废止, 是否废止: the list is no declaration.
_DECLARES_NOTHING = re.compile(r"除[^。]*外|[拟需]|建议|是否|尚未|不得")

# Between a title and the verb: 《甲》等三件文件，自…起废止. Any other words belong to another clause.
_BETWEEN = re.compile(r"\s*(?:等[^，。]{0,12})?[，,]?\s*(?:自[^，。]{0,25}起)?[，,]?\s*")


@dataclass(frozen=True, slots=True)
class Repeal:
    """A document declared no longer valid 废止; `title` without 《》, it or the number may be empty.

    `effective_on` is the day from which it is repealed, None = when the declaring document takes effect.
    """

    title: str
    document_number: str
    quote: str
    effective_on: date | None = None

    def __str__(self) -> str:
        name = f"《{self.title}》" if self.title else self.document_number
        return f"{Origin.TEXT}：声明废止{name}（原文“{self.quote}”）"


def repeals(lines: Sequence[str]) -> Iterator[Repeal]:
    """Documents declared repealed, in a sentence (《…》（文号）同时废止) or as items under an announcement
    (自2026年2月1日起废止的文件；下列文件…起废止). A condition (《…》废止的，应当) declares nothing.
    """
    announced = ""
    for line in lines:
        if announced and (found := list(_item(line, announced))):
            yield from found
            continue
        announced = line.rstrip("：:。 ") if _announces(_ANNOUNCES_REPEALS, line) else ""
        if announced:
            continue
        if listed := _announces(_LISTS_REPEALS, line):
            yield from _named(line[listed.end() :], line, _repealed_from(line[: listed.end()]))
            continue
        for sentence in re.split(r"(?<=[。；;\n])", line):
            yield from _in_sentence(sentence)


def _announces(pattern: re.Pattern[str], line: str) -> re.Match[str] | None:
    found = pattern.search(line)
    return found if found and not _DECLARES_NOTHING.search(line[: found.end()]) else None


def _item(line: str, announced: str) -> Iterator[Repeal]:
    """A line under an announcement that names a document, with or without 《》."""
    quote, day = f"{announced}：{line}", _repealed_from(announced)
    if quoted := _REPEALED_ITEM.match(line):
        yield from _named(line[: quoted.end()], quote, day)
    elif unquoted := _UNQUOTED_ITEM.match(line):
        yield Repeal(unquoted[1].strip(), unquoted[2], quote.strip(), day)


def _in_sentence(sentence: str) -> Iterator[Repeal]:
    for verb in _REPEALS.finditer(sentence):
        subject, object_ = sentence[: verb.start()], sentence[verb.end() :]
        titles = list(_NAMED.finditer(subject))
        if titles and _BETWEEN.fullmatch(subject[titles[-1].end() :]):
            yield from _named(subject, sentence, _repealed_from(subject))
        elif object_.startswith("《"):
            yield from _named(object_, sentence, _repealed_from(subject))
        elif not titles and (number := _NUMBER.search(subject)):
            yield Repeal("", number[0], sentence.strip(), _repealed_from(subject))


def _named(subject: str, quote: str, day: date | None) -> Iterator[Repeal]:
    for found in _NAMED.finditer(subject):
        number = _NUMBER.search(found[2] or "")
        yield Repeal(found[1].strip(), number[0] if number else "", quote.strip(), day)


def _repealed_from(text: str) -> date | None:
    found = FROM_DAY.search(text)
    return parse_date(found[1]) if found else None
