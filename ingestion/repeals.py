"""Declarations that other documents are no longer valid 废止, in sentences and in lists."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from ingestion.clues import CITES, FROM_DAY, NUMBER, Origin
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
# 除下列文件外, 拟废止, 是否废止: no declaration, of a list or in a sentence; 经研究，决定废止 is one.
_PLANNED = (
    r"拟(?!订|定)|需(?!求|要(?![废停失作不]))|如(?![下期数实])|若(?!干)|假如|倘若|假设|一旦|计划(?![财部处科])|打算|准备"
    r"|考虑(?!到)|建议|提议|提出|主张|希望|要求|提请|申请|请求|征求|是否|能否|可否|可以|可$|[有无]权|应[当予该]"
)
_DENIED = r"[尚并从暂]未|未(?!来)|没有|并非|不[得予会能应必宜]|不(?:同意|准备)|不$|暂不|暂缓|反对|[无毋]须"
_TALKED_OF = r"(?<!经)(?<!经过)(?:讨论|研究(?![院所室生中])|论证|审议|商议|评估)(?!稿|后|决定|同意|通过)"
_DECLARES_NOTHING = re.compile(rf"除[^。]*外|{_PLANNED}|{_DENIED}|{_TALKED_OF}")
_ASKS = re.compile(r"[?？]\s*$|吗\s*[。]?\s*$")
# 废止《甲》的议题, 废止《甲》一事: a matter that is talked of. 关于废止《甲》的通知 repeals it.
_MATTER = re.compile(
    r"的(?!通知|决定|公告|通告|通报|命令|令|批复)|一事|事宜|之事|事项|后|前|时|[,，]?(?:应|须|需)"
    r"|[,，]?将?(?:会|可能|导致|影响)"
)
_CITED = re.compile(rf"(?:{CITES})(?:《[^《》]*》|[^，,。；《])*(?:[，,]|$)")
_AFTER_NUMBER = re.compile(r"\s*[)）]?\s*(?:文件?|通知|办法|规定|决定)?")
_JOINED = re.compile(r"\s*(?:[、，,和与及]|以及)?\s*")
_CONJUNCTION = re.compile(r"^(?:以及|[和及与])")
_CLAUSE = re.compile(r"[，,。；;：:]")

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
    if found is None or _DECLARES_NOTHING.search(_clause(line[: found.start()]) + found[0]):
        return None
    return found


def _item(line: str, announced: str) -> Iterator[Repeal]:
    """A line under an announcement that names a document, with or without 《》."""
    quote, day = f"{announced}：{line}", _repealed_from(announced)
    if quoted := _REPEALED_ITEM.match(line):
        yield from _named(line[: quoted.end()], quote, day)
    elif unquoted := _UNQUOTED_ITEM.match(line):
        yield Repeal(unquoted[1].strip(), unquoted[2], quote.strip(), day)


def _in_sentence(sentence: str) -> Iterator[Repeal]:
    if _ASKS.search(sentence):
        return
    for verb in _REPEALS.finditer(sentence):
        before, object_ = sentence[: verb.start()], sentence[verb.end() :]
        day = _repealed_from(before)
        subject = _CITED.sub("", before)
        titles, numbers = list(_NAMED.finditer(subject)), list(_NUMBER.finditer(subject))
        if titles and _BETWEEN.fullmatch(subject, titles[-1].end()):
            if _declares(subject[: titles[0].start()]):
                yield from _named(subject, sentence, day)
        elif object_.startswith("《"):
            if _declares(before) and not _is_matter(object_):
                yield from _named(object_[: _end_of_run(object_)], sentence, day)
        elif not titles and numbers and _stands_before_verb(subject, numbers[-1]) and _declares(subject):
            for place, number in enumerate(numbers):
                written = _CONJUNCTION.sub("", number[0]) if place else number[0]
                yield Repeal("", written, sentence.strip(), day)


def _declares(before: str) -> bool:
    """Whether nothing in the clause that leads to the verb, or to its titles, takes the declaration back."""
    return not _DECLARES_NOTHING.search(_clause(before))


def _clause(before: str) -> str:
    """The last clause, without the titles in it."""
    return _CLAUSE.split(re.sub(r"《[^《》]*》", "", before))[-1]


def _is_matter(object_: str) -> bool:
    return bool(_MATTER.match(object_, _end_of_run(object_)))


def _end_of_run(object_: str) -> int:
    """Where 《甲》、《乙》 ends: in 废止《甲》，执行《丙》 the last is not repealed."""
    end = 0
    for found in _NAMED.finditer(object_):
        if not _JOINED.fullmatch(object_, end, found.start()):
            break
        end = found.end()
    return end


def _stands_before_verb(subject: str, number: re.Match[str]) -> bool:
    """国发〔2020〕5号文件同时废止; in 国发〔2020〕5号文件规定的补贴停止执行 it is the allowance that ends."""
    behind = _AFTER_NUMBER.match(subject, number.end())
    return behind is not None and bool(_BETWEEN.fullmatch(subject, behind.end()))


def _named(subject: str, quote: str, day: date | None) -> Iterator[Repeal]:
    for found in _NAMED.finditer(subject):
        number = _NUMBER.search(found[2] or "")
        yield Repeal(found[1].strip(), number[0] if number else "", quote.strip(), day)


def _repealed_from(text: str) -> date | None:
    found = FROM_DAY.search(text)
    return parse_date(found[1]) if found else None
