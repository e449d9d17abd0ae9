"""What a piece of a message is worth: a value within the field's bounds, or why it is none. Code decides.

Whoever found the piece, the grammar or a model, it is read here, by the same rules.
"""

from datetime import date
from decimal import Decimal

from rules.conditions import Value
from rules.mentions.amounts import Amount, Op, read_amount, read_amounts
from rules.mentions.counts import read_counts
from rules.mentions.currencies import HOME
from rules.mentions.dates import read_days
from rules.mentions.durations import read_durations
from rules.mentions.quantities import read_integers
from rules.table import NO, YES, Field, FieldType
from service.process.acts import Acts
from service.process.case import Refused, Slot, Source, Unfit
from service.process.extraction import Piece
from service.process.grammar import counts_days
from service.process.places import MINUS
from service.process.vocabulary import Vocabulary, doubted

_INEXACT = {Op.ABOUT: Unfit.APPROXIMATE, Op.MORE: Unfit.APPROXIMATE, Op.LESS: Unfit.APPROXIMATE}
_DAYS = ("天", "日")
_NOTHING = frozenset({"0", "０", "零"})


def worth(piece: Piece, field: Field, vocabulary: Vocabulary, acts: Acts, today: date) -> Slot | Refused:
    """The value of a piece, in the field's unit."""
    read = _value(piece.text, field, vocabulary, acts, today)
    if isinstance(read, Unfit):
        return Refused(field.name, read, piece.text)
    if not isinstance(read, str) and field.bounds is not None and read not in field.bounds:
        return Refused(field.name, Unfit.OUT_OF_RANGE, piece.text)
    return Slot(read, piece.text, Source.SAID)


def _value(text: str, field: Field, vocabulary: Vocabulary, acts: Acts, today: date) -> Value | Unfit:
    match field.type:
        case FieldType.AMOUNT:
            return _amount(text)
        case FieldType.INTEGER:
            return _integer(text, field, today)
        case FieldType.DATE:
            return _day(text, today)
        case FieldType.CHOICE | FieldType.DEPARTMENT:
            return _option(text, field, vocabulary)
        case FieldType.YES_NO:
            return _yes_or_no(text, field, vocabulary, acts)
        case FieldType.TEXT:
            return text.strip() or Unfit.UNREADABLE


def _amount(text: str) -> Value | Unfit:
    if text.strip() in _NOTHING:
        return Decimal(0)
    amount = read_amount(text)
    if amount is None:
        found = read_amounts(text, bare=True)
        if len(found) == 1 and found[0].op is not Op.EXACT:
            return _exact(found[0])
        return Unfit.RANGE if len(found) > 1 else Unfit.UNREADABLE
    return _exact(amount)


def _exact(amount: Amount) -> Value | Unfit:
    if amount.currency != HOME:
        return Unfit.CURRENCY
    if amount.op is not Op.EXACT or amount.value is None:
        return _INEXACT.get(amount.op, Unfit.RANGE)
    return Unfit.OUT_OF_RANGE if amount.value < 0 else amount.value


def _integer(text: str, field: Field, today: date) -> Value | Unfit:
    if text.startswith(MINUS):
        return Unfit.OUT_OF_RANGE
    if counts_days(field):
        return _days_passed(text, today)
    counted = read_counts(text, tuple(name for name in (field.unit, *field.aliases) if name))
    if counted:
        if inexact := next((each for each in counted if each.op is not Op.EXACT or each.value is None), None):
            return _INEXACT.get(inexact.op, Unfit.RANGE)
        amounts = {each.value for each in counted if each.value is not None}
        return Decimal(amounts.pop()) if len(amounts) == 1 else Unfit.SEVERAL
    numbers = read_integers(text)
    if len(numbers) != 1 or numbers[0].count is None:
        return Unfit.APPROXIMATE if numbers else Unfit.UNREADABLE
    return Decimal(numbers[0].count)


def _days_passed(text: str, today: date) -> Value | Unfit:
    """So many days, or the days since the one that is named."""
    counted = read_counts(text, _DAYS)
    if counted and counted[0].value is None:
        return _INEXACT.get(counted[0].op, Unfit.RANGE)
    lengths = read_durations(text)
    if lengths:
        whole = len(lengths) == 1 and lengths[0].precise and lengths[0].days is not None
        days = lengths[0].days
        if not whole or days is None or days != days.to_integral_value():
            return Unfit.APPROXIMATE
        return days
    named = read_days(text, today)
    if named:
        value = named[0].value
        if len(named) > 1 or value is None:
            return Unfit.IMPRECISE_DATE
        return Decimal((today - value).days) if value <= today else Unfit.OUT_OF_RANGE
    numbers = read_integers(text)
    if len(numbers) == 1 and numbers[0].count is not None:
        return Decimal(numbers[0].count)
    return Unfit.APPROXIMATE if numbers else Unfit.UNREADABLE


def _day(text: str, today: date) -> Value | Unfit:
    named = read_days(text, today)
    if len(named) != 1:
        return Unfit.SEVERAL if named else Unfit.UNREADABLE
    return named[0].value or Unfit.IMPRECISE_DATE


def _option(text: str, field: Field, vocabulary: Vocabulary) -> Value | Unfit:
    values = {m.value for m in vocabulary.find(text) if m.field == field.name and m.value}
    if len(values) > 1:
        return Unfit.SEVERAL
    if values:
        return values.pop()
    if field.type is FieldType.DEPARTMENT and not field.options:
        return text.strip()
    return Unfit.NOT_IN_DOMAIN


def _yes_or_no(text: str, field: Field, vocabulary: Vocabulary, acts: Acts) -> Value | Unfit:
    if doubted(text):
        return Unfit.UNREADABLE
    values = {m.value for m in vocabulary.find(text) if m.field == field.name and m.value}
    if len(values) == 1:
        return values.pop()
    answer = acts.yes_or_no(text)
    if values or answer is None:
        return Unfit.SEVERAL if values else Unfit.UNREADABLE
    return YES if answer else NO
