"""The offline extractor: amounts, counts, days, options, yes and no, departments, in the workbook's words.

    words of the workbook -> counts, days -> amounts -> what an answer says of the field asked -> the object

It finds pieces; `values` says what each is worth, by the same rules as for a piece that a model found.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from rules.mentions.amounts import Amount, read_amount, read_amounts
from rules.mentions.counts import Count, read_counts
from rules.mentions.dates import Day, read_days
from rules.mentions.durations import Duration, read_durations
from rules.mentions.figures import Op
from rules.mentions.measures import measure_at
from rules.mentions.quantities import Quantity, read_integers, read_quantities
from rules.table import Field, FieldType, Process, Required
from service.process.acts import Act, Acts
from service.process.extraction import Piece
from service.process.places import MINUS, Span, behind_filler, clauses, core, free, same_clause, stops
from service.process.sums import changed_by, sums_said
from service.process.vocabulary import Mention, Utterance, Vocabulary, asks, is_unit, lowered, names_of

CHOICES = frozenset({FieldType.CHOICE, FieldType.DEPARTMENT})
_DENIED = re.compile(r"(?:不是|并非|而不是|别写|不要写|不用|用不[着了到]|不需要|不至于)$")
_REPLACED = re.compile(r"(?:改成|改为|改到|换成|换为|应该是|应当是|更正为|调整为|变成)")
_BARE = re.compile(r"[\d０-９.．,，]+")
_DEPARTMENT = re.compile(r"[一-鿿A-Za-z]{1,8}?(?:部|处|科|室|中心|办公室|办|分公司|公司|院|所|局|组)")
_BELONGS = re.compile(r"(?:$|[，。；！,;!\s的要想需申办来借用买采报盖出付])")
_VERB = re.compile(
    r"申请|购买|采购|添置|买|添|借用|借|租(?!金)|订|盖|换|领(?!导)|用(?!户|途|于)|要(?!求|是|么|紧)"
)
_NOUN = re.compile(r"[一-鿿A-Za-z]{2,10}")
_TAIL = re.compile(r"(?:了|吧|呢|啊|哈|一下)+$")
_SAYS = r"(?:改成|改为|应该是|应该填|应填|是|按|为|填|写|就|共|有|：|:|\s)*"
_SHORTEST = 2  # characters of what is applied for
_FIGURE = re.compile(r"[\d二两三四五六七八九十百千万]")
_COLLECTIVE = frozenset("批些组堆")  # measures of an uncounted lot
_MULTIPLE = frozenset("打双对")  # measures of more than one piece
_ONE = frozenset("一1")  # 一台8万 names a count, and no price
_NUMBER = re.compile(r"[\d０-９一二两三四五六七八九十百几]+")
_TIMES = frozenset("年季月周天日时晚夜")
_LEAST_SUM = 100  # yuan: a bare number below it may be so many 万, or anything
_SHORT = 12  # characters of an answer that is nothing but the value
_DAYS = "天"


_Spanned: TypeAlias = Count | Quantity | Day | Duration


@dataclass(frozen=True, slots=True)
class Context:
    """What is known when a message comes: the field just asked, the fields that have values, the day."""

    today: date
    asked: Field | None = None
    filled: frozenset[str] = frozenset()


class Grammar:
    """One process's extractor."""

    def __init__(self, process: Process, acts: Acts) -> None:
        self._process = process
        self._acts = acts
        self.vocabulary = Vocabulary(process)
        self._amounts = [field for field in process.fields if field.type is FieldType.AMOUNT]
        self._prices = [field for field in self._amounts if is_price(field)]
        self._rates = {per for field in self._prices for per in _rates(field)}
        self._sums = [field for field in self._amounts if field not in self._prices]

    def pieces(self, utterance: Utterance, context: Context) -> tuple[Piece, ...]:
        message, mentions = utterance.text, utterance.mentions(self.vocabulary)
        if self._is_text(message, context):
            return tuple(self._answer(message, (), context))
        found = [_piece(message, each.field, each.start, each.end) for each in mentions if each.value]
        counts = self._numbers(utterance, context)
        found += counts
        found += self._sums_said(utterance, counts, context)
        found = _replacing(message, found)
        found += self._departments(message, mentions, found, context)
        found += self._answer(message, found, context)
        found += self._object(message, mentions, found, context)
        return tuple(sorted(dict.fromkeys(found), key=lambda piece: (piece.start, piece.end, piece.field)))

    def _is_text(self, message: str, context: Context) -> bool:
        """A text was asked for: what it says of numbers and options is said within it (坏了两次)."""
        asked = context.asked is not None and context.asked.type is FieldType.TEXT
        return asked and not self._acts.says(Act.CORRECT, message)

    def said(self, utterance: Utterance, context: Context) -> bool:
        """Whether a message names a value: an option, an amount, a count or a day."""
        if any(mention.value for mention in utterance.mentions(self.vocabulary)):
            return True
        counts = self._numbers(utterance, context)
        return bool(counts) or bool(sums_said(utterance.text, _spans(counts)))

    def counted(self, message: str) -> bool:
        """Whether a message counts what the process counts: 两台, 三十人."""
        fields = [field for field in self._of(FieldType.INTEGER) if not counts_days(field)]
        return any(read_counts(message, _units(field)) for field in fields)

    @property
    def counts_things(self) -> bool:
        """Whether something is applied for that can be counted, so and so many at a price."""
        counts = any(field.required is Required.NEVER for field in self._of(FieldType.INTEGER))
        return bool(self._prices) and counts

    def _sums_said(
        self, utterance: Utterance, counts: Sequence[Piece], context: Context
    ) -> Iterator[Piece]:
        if not self._amounts:
            return
        for said in sums_said(utterance.text, _spans(counts)):
            if _DENIED.search(utterance.folded[: said.amount.start]):
                continue
            field = self._field_of(said.amount, said.amount.start, utterance, context)
            if field is None:
                continue
            by = changed_by(utterance.text, said.start) if field.name in context.filled else None
            yield _piece(utterance.text, field.name, said.start if by is None else by, said.end)

    def _field_of(
        self, amount: Amount, start: int, utterance: Utterance, context: Context
    ) -> Field | None:
        if amount.per is not None:
            timed = amount.per[-1:] in _TIMES and amount.per not in self._rates  # 每月5000: for how long?
            return self._prices[0] if self._prices and not timed else None
        prices = {field.name for field in self._prices}
        named = [
            mention.field
            for mention in utterance.mentions(self.vocabulary)
            if not mention.value and mention.end <= start
            if mention.field not in prices or utterance.folded[mention.start] not in _ONE
            if same_clause(utterance.folded, mention.end, start)
        ]
        if named:
            return self._process.field(named[-1])
        if context.asked in self._amounts:
            return context.asked
        sure = [field for field in self._sums if field.required is Required.ALWAYS]
        if sure:
            return sure[0]
        bare = bool(_BARE.fullmatch(amount.text))
        return self._sums[0] if len(self._sums) == 1 and not bare else None

    def _numbers(self, utterance: Utterance, context: Context) -> list[Piece]:
        """Counts and days: where a field is counted, a day beside it says nothing of it."""
        counts = list(self._counts(utterance, context))
        return [*counts, *self._days(utterance, counts, context)]

    def _counts(self, utterance: Utterance, context: Context) -> Iterator[Piece]:
        message = utterance.text
        for field in self._of(FieldType.INTEGER):
            found: Sequence[_Spanned] = read_counts(message, _units(field))
            if counts_days(field):
                found = _apart([*found, *read_durations(message)])
            if not found and self.counts_things and field.required is Required.NEVER:
                counted = [each for each in read_quantities(message) if not _is_lot(each)]
                found = counted[:1]  # 一架: a measure the workbook does not list
            near = [each for each in found if _near(utterance.folded, each, field)]
            if not found:
                yield from self._named_number(utterance, field)
            elif near or not _needs_name(field) or context.asked == field:
                yield from _counted(message, field, near or found)

    def _named_number(self, utterance: Utterance, field: Field) -> Iterator[Piece]:
        """人数按300算: a number right behind the field's own name."""
        message = utterance.text
        names = [re.escape(name) for name in names_of(field) if len(name) >= _SHORTEST]
        if not names:
            return
        for match in re.finditer(rf"(?:{'|'.join(names)}){_SAYS}", utterance.folded):
            numbers = [n for n in read_integers(message[match.end() :]) if n.start == 0]
            yield from (_piece(message, field.name, match.end(), match.end() + n.end) for n in numbers)

    def _days(self, utterance: Utterance, counts: Sequence[Piece], context: Context) -> Iterator[Piece]:
        """A day said of a field that counts days (昨天回来的), or of one that is a day."""
        message = utterance.text
        days = read_days(message, context.today)
        for field in self._of(FieldType.INTEGER):
            if counts_days(field) and not any(piece.field == field.name for piece in counts):
                for day in days:
                    if context.asked == field or _near(utterance.folded, day, field):
                        yield _piece(message, field.name, day.start, day.end)
        dated = list(self._of(FieldType.DATE))
        for field in dated:
            if len(dated) == 1 or context.asked == field:
                yield from (_piece(message, field.name, day.start, day.end) for day in days)

    def _departments(
        self, message: str, mentions: Sequence[Mention], found: Sequence[Piece], context: Context
    ) -> Iterator[Piece]:
        """A department no option names: any, where the workbook lists none; else one to be asked about."""
        for field in self._of(FieldType.DEPARTMENT):
            known = field.name in context.filled or any(piece.field == field.name for piece in found)
            if known and context.asked != field:
                continue
            taken = [*((m.start, m.end) for m in mentions), *((p.start, p.end) for p in found)]
            for start, stop in clauses(message):
                match = _DEPARTMENT.match(message, behind_filler(message, start, stop), stop)
                if match is None or asks(match[0]) or self._acts.says(Act.UNSURE, match[0]):
                    continue
                if _BELONGS.match(message, match.end()) and free(match.span(), taken):
                    yield _piece(message, field.name, *match.span())
                    break

    def _answer(self, message: str, found: Sequence[Piece], context: Context) -> Iterator[Piece]:
        """What a short answer says of the field just asked, and of no other; a text may be of any length."""
        field = context.asked
        if field is None or any(piece.field == field.name for piece in found):
            return
        start, end = core(message)
        if start == end or self._acts.says(Act.UNSURE, message):
            return
        if field.type is FieldType.TEXT:
            if not found:
                yield _piece(message, field.name, 0, len(message))
        elif end - start > _SHORT:
            return
        elif field.type is FieldType.YES_NO:
            if self._acts.is_answer(message):
                yield _piece(message, field.name, 0, len(message))
        elif field.type in (FieldType.INTEGER, FieldType.AMOUNT):
            numbers = read_integers(message)[:1]
            nothing = field.type is FieldType.AMOUNT  # 填0: amounts of their own are read elsewhere
            if nothing and _is_sum(message[start:end]):
                yield _piece(message, field.name, start, end)
            kept = [n for n in numbers if not nothing or n.count == 0]
            yield from (_piece(message, field.name, n.start, n.end) for n in kept)
        elif field.type in CHOICES and not found and not self._asks_or_acts(message):
            yield _piece(message, field.name, start, end)

    def _asks_or_acts(self, message: str) -> bool:
        return asks(message) or self._acts.any_of(message)

    def _object(
        self, message: str, mentions: Sequence[Mention], found: Sequence[Piece], context: Context
    ) -> Iterator[Piece]:
        """What is applied for, when the workbook does not know it: 无人机."""
        said = {piece.field for piece in found} | context.filled
        open_ = [field for field in self._of(FieldType.CHOICE) if field.name not in said]
        if not open_:
            return
        taken = [*((m.start, m.end) for m in mentions), *((p.start, p.end) for p in found)]
        for start, stop in clauses(message):
            span = self._noun(message, start, stop, taken)
            if span is not None:
                noun = message[slice(*span)]
                ending = [f for f in open_ if any(option[-1] == noun[-1] for option in f.options)]
                yield _piece(message, (ending or open_)[0].name, *span)
                return

    def _noun(
        self, message: str, start: int, stop: int, taken: Sequence[tuple[int, int]]
    ) -> tuple[int, int] | None:
        """The words behind the first verb of a clause with an object that is not understood already."""
        for verb in _VERB.finditer(message, start, stop):
            at = verb.end()
            number = _NUMBER.match(message, at, stop)
            if number:
                at = number.end() + len(measure_at(lowered(message), number.end()))
            match = _NOUN.match(message, at, stop)
            if match is None or _VERB.match(message, at):
                continue
            noun = _TAIL.sub("", match[0].split("的")[0])
            span = (at, at + len(noun))
            if len(noun) >= _SHORTEST and free(span, taken) and not self._general(noun):
                return span
        return None

    def _general(self, noun: str) -> bool:
        """设备, 场地, 申请: words of the process itself say nothing of a field, nor does a question."""
        own = [self._process.name, *self._process.aliases, *(field.name for field in self._process.fields)]
        named = any(noun in name for name in own) or self._acts.says(Act.APPLY, noun)
        return named or asks(noun)

    def _of(self, type_: FieldType) -> Iterator[Field]:
        return (field for field in self._process.fields if field.type is type_)


def is_price(field: Field) -> bool:
    """Whether the field's own names speak of the price of one piece: 每台, 单价."""
    return any(True for _ in _rates(field))


def _rates(field: Field) -> Iterator[str]:
    """By what its names count the pieces: 台 of 每台, "" of 单价."""
    for name in (field.name, *field.aliases):
        amounts = read_amounts(f"{name}8千元")
        if amounts and amounts[0].per is not None:
            yield amounts[0].per


def counts_days(field: Field) -> bool:
    return any(_DAYS in text for text in (field.unit, field.name, *field.aliases))


def _is_sum(text: str) -> bool:
    """2026, as the whole answer to a question for a sum: in a sentence it would be a year."""
    amount = read_amount(text)
    return amount is not None and amount.value is not None and amount.value >= _LEAST_SUM


def _replacing(message: str, found: Sequence[Piece]) -> list[Piece]:
    """A把电脑换成服务器: of two pieces for one field only what stands behind the turn counts."""
    turns = [match.end() for match in _REPLACED.finditer(message)]
    if not turns:
        return list(found)
    behind = {piece.field for piece in found if piece.start >= turns[-1]}
    return [piece for piece in found if piece.start >= turns[-1] or piece.field not in behind]


def _counted(message: str, field: Field, found: Sequence[_Spanned]) -> Iterator[Piece]:
    """Up to the first one that a word further off makes an estimate of: the field is asked for then."""
    for each in found:
        start = _from(message, each, field)
        yield _piece(message, field.name, start, each.end)
        if start < each.start - 1:
            return


def _from(message: str, found: _Spanned, field: Field) -> int:
    """Where the piece begins: at a minus, or at the word further off that makes an estimate of the count."""
    start = found.start - 1 if message[: found.start].endswith(MINUS) else found.start
    if not isinstance(found, Count) or found.op is Op.EXACT:
        return start
    alone = read_counts(message[start : found.end], _units(field))
    if alone and alone[0].op is not Op.EXACT:
        return start
    return next((first for first, last in clauses(message) if first <= start < last), start)


def _spans(pieces: Sequence[Piece]) -> list[Span]:
    return [(piece.start, piece.end) for piece in pieces]


def _units(field: Field) -> tuple[str, ...]:
    return tuple(name for name in (field.unit, *field.aliases, _DAYS if counts_days(field) else "") if name)


def _needs_name(field: Field) -> bool:
    """A number of days may be of anything: 出差3天. It counts where one of the field's own words stands."""
    return counts_days(field) and any(not is_unit(lowered(alias)) for alias in field.aliases)


def _apart(found: Sequence[_Spanned]) -> list[_Spanned]:
    """Of two readings of one place the first."""
    kept: list[_Spanned] = []
    for each in found:
        if free((each.start, each.end), [(other.start, other.end) for other in kept]):
            kept.append(each)
    return kept


def _is_lot(found: Quantity) -> bool:
    """一批, 一些: nobody counted. 两打: not so many pieces."""
    return found.measure in _MULTIPLE or (
        found.measure in _COLLECTIVE and (found.count is None or found.count == 1)
    )


def _near(folded: str, found: _Spanned, field: Field) -> bool:
    """Whether one of the field's own words stands in the same clause, or alone in the one before."""
    ends = stops(folded)
    start = max((end for end in ends if end <= found.start), default=0)
    stop = min((end for end in ends if end >= found.end), default=len(folded))
    before = max((end for end in ends if end < start), default=0)
    if not _FIGURE.search(folded, before, start):  # 天数重新填一下，18天
        start = before
    clause = folded[start:stop]
    names = (name for name in names_of(field) if not is_unit(name))
    return any(re.search("[的了到]?".join(map(re.escape, name)), clause) for name in names)


def _piece(message: str, field: str, start: int, end: int) -> Piece:
    return Piece(field, message[start:end], start, end)
