"""The words of one process, as its workbook has them, and where they stand in a message.

Longer words win over the shorter ones inside them, whatever field they belong to: 合同 in 合同章 says nothing
of the kind of file. No word of any process stands in this code.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.mentions.folding import fold
from rules.mentions.measures import unit_at
from rules.table import NO, YES, Field, FieldType, Process


@dataclass(frozen=True, slots=True)
class Mention:
    """A word of a field in a message. `value` is the option it stands for; empty: it only names the field."""

    field: str
    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Word:
    field: str
    value: str
    text: str  # folded
    needs_end: bool = False  # a short name of a department, which other words may begin with
    loosely: re.Pattern[str] | None = None  # how a word for yes or no may stand there


_WHETHER = re.compile(r"^(?:是否|有无|是不是|有没有|能否|可否)(?:需要|要)?")
_ASKING = re.compile(r"(?P<a>[一-鿿]{1,2})[不没](?P=a)|是否|有无|能否")
_QUESTION = re.compile(r"什么|啥|怎么|怎样|如何|为何|多久|多少|几时|哪|谁|吗|干嘛|可否")
_UNSURE = re.compile(r"不清楚|不知道|不确定|说不好|不好说|没想好|拿不准|忘了|(?:还在|再|待|没|去)确认")
_CLAUSE = re.compile(r"[，。；！？,;!?\n]")
_NEGATED = re.compile(
    r"(?:不|没有?|未|无|非|别|勿|并不|并非|谈不上|算不上|称不上|说不上|不至于|没必要)(?:是)?(?:有)?(?:太|很|怎么|那么|特别|十分|非常|算|用|需要?|必|打算|想|会|可能)?$"
)
_PERHAPS = re.compile(
    r"(?:(?<!不)可能|也许|或许|说不定|没准儿?|不一定)(?:是|会|要|有|比较|就|得|算|挺|还)*"
)
_ENDS = re.compile(r"(?:$|[，。；！？、,;!?\s的要想这那需在办申借用买采报盖有来是吧呢了付出承跟和给])")
_WHOLE_NAME = re.compile(r"(?:部|处|科|室|中心|公司)$")
_LOOSE = "[也都就还]?"  # what may stand inside of a word for yes or no: 茶歇也不用
_DENIED = re.compile(r"(?:不是|并非|不要|别|而非|不用)$")
_NOTS = "不没未无非别"
_NO_TO = r"(?:不是说?|并非|不能说?|没说|不得|不会|不可能|也?不算)"
_DENIES = re.compile(_NO_TO)
_TWICE = re.compile(rf"{_NO_TO}[{_NOTS}]")  # 不是不急
_DOUBT_REACH = 12  # characters among which a word of doubt may stand
_ASKED = re.compile(r"[的了]?(?:吗|么(?!样))")
_SHORTEST = 2  # characters of a name that may stand anywhere


class Vocabulary:
    """The words of one process. `find` is thread-safe and does not change it."""

    def __init__(self, process: Process) -> None:
        words = [word for field in process.fields for word in _words(field)]
        words.sort(key=lambda word: -len(word.text))
        self._words = words

    def find(self, message: str) -> list[Mention]:
        """The mentions in a message in their order; not what it denies or asks, nor where it is unsure."""
        return self.find_folded(lowered(message))

    def find_folded(self, folded: str) -> list[Mention]:
        """As `find`, in a message that is folded already."""
        taken: list[tuple[int, int]] = list(_silent(folded))
        found: list[Mention] = []
        for word in self._words:
            for start, end in _places(folded, word):
                if any(start < other_end and other_start < end for other_start, other_end in taken):
                    continue
                if word.needs_end and not _ENDS.match(folded, end):
                    continue
                taken.append((start, end))
                found += _mentions(word, folded, start, end)
        found.sort(key=lambda mention: mention.start)
        return found


class Utterance:
    """One message of a turn: folded once, and looked up once in the words of each process that is asked."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = lowered(text)
        self._mentions: dict[Vocabulary, tuple[Mention, ...]] = {}

    def mentions(self, vocabulary: Vocabulary) -> tuple[Mention, ...]:
        found = self._mentions.get(vocabulary)
        if found is None:
            found = self._mentions[vocabulary] = tuple(vocabulary.find_folded(self.folded))
        return found


def lowered(text: str) -> str:
    """Folded, and in lower case letter for letter, so that places stay true."""
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in fold(text))


def _mentions(word: _Word, folded: str, start: int, end: int) -> Iterator[Mention]:
    if word.value in (YES, NO) and _ASKED.match(folded, end):
        return
    value, before = word.value, folded[:start]
    if value == YES and (negated := _NEGATED.search(before)):
        value, before = NO, before[: negated.start()]
    if value in (YES, NO):
        perhaps = _doubt_before(before, word.text)
        yield Mention(word.field, value, perhaps.start() if perhaps else len(before), end)
    elif not value or not _DENIED.search(before):
        yield Mention(word.field, value, start, end)


def _doubt_before(before: str, word: str) -> re.Match[str] | None:
    """可能 right in front of a word for yes or no, or 不是 in front of one that denies: 不是不急."""
    twice = _ending(_DENIES, before) if word[0] in _NOTS else None
    return twice or _ending(_PERHAPS, before)


def _ending(pattern: re.Pattern[str], before: str) -> re.Match[str] | None:
    """The match that ends where `before` does."""
    start = max(0, len(before) - _DOUBT_REACH)
    return next((m for m in pattern.finditer(before, start) if m.end() == len(before)), None)


def _silent(folded: str) -> Iterator[tuple[int, int]]:
    """Questions inside a message (急不急), and clauses that say it is not known."""
    yield from (match.span() for match in _ASKING.finditer(folded))
    start = 0
    for stop in [*(match.start() for match in _CLAUSE.finditer(folded)), len(folded)]:
        if _UNSURE.search(folded, start, stop):
            yield start, stop
        start = stop + 1


def _places(folded: str, word: _Word) -> Iterator[tuple[int, int]]:
    if word.loosely is not None:
        yield from (match.span() for match in word.loosely.finditer(folded))
        return
    at = folded.find(word.text)
    while at >= 0:
        yield at, at + len(word.text)
        at = folded.find(word.text, at + 1)


def _words(field: Field) -> Iterator[_Word]:
    seen: set[str] = set()
    for text, value, short in _said(field):
        plain = lowered(text).strip()
        if plain and plain not in seen:
            seen.add(plain)
            loose = value in (YES, NO) and len(plain) > _SHORTEST
            pattern = re.compile(_LOOSE.join(map(re.escape, plain))) if loose else None
            yield _Word(field.name, value, plain, short, pattern)


def _said(field: Field) -> Iterator[tuple[str, str, bool]]:
    """(words, option, whether they must not go on): options, their synonyms, and names of the field."""
    department = field.type is FieldType.DEPARTMENT
    if field.type in (FieldType.CHOICE, FieldType.DEPARTMENT):
        yield from ((option, option, False) for option in field.options)
    for said, option in field.synonyms.items():
        yield said, option, department and not _WHOLE_NAME.search(said)
    if field.type is FieldType.YES_NO:
        stem = _WHETHER.sub("", field.name)
        if len(stem) >= _SHORTEST:
            yield stem, YES, False
    if field.type in (FieldType.AMOUNT, FieldType.DATE, FieldType.INTEGER):
        names = (field.name, *field.aliases)
        yield from ((name, "", False) for name in names if len(name) >= _SHORTEST and not is_unit(name))


def asks(text: str) -> bool:
    """Whether a few words are a question: 为什么, 急不急, 要加急吗."""
    return _QUESTION.search(text) is not None or _ASKING.search(text) is not None


def doubted(text: str) -> bool:
    """Whether a piece is neither yes nor no: 可能急, 不是不急."""
    plain = lowered(text)
    return _PERHAPS.match(plain) is not None or _TWICE.search(plain) is not None


def is_unit(name: str) -> bool:
    """台, 小时: what stands behind a number, and names no field in front of one."""
    return unit_at(name, 0) == name


def names_of(field: Field) -> Sequence[str]:
    """What a value of the field may stand behind: its name, its aliases, and their stems."""
    stems = [re.sub(r"(?:几|多少)(?:天|个|人|元|小时)?$", "", alias) for alias in field.aliases]
    tail = field.name[-_SHORTEST:]  # 天数 of 返回天数
    return tuple(dict.fromkeys(lowered(name) for name in (field.name, *field.aliases, *stems, tail) if name))
