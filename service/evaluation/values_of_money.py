"""Money and numbers of the three sources, beside what `rules` reads."""

import re
from decimal import Decimal, InvalidOperation

from pydantic import BaseModel, JsonValue, ValidationError

from rules.mentions.amounts import Amount, Op, read_amount, read_amounts
from rules.mentions.currencies import currency_behind
from rules.mentions.figures import figure_at
from rules.mentions.folding import fold
from service.evaluation.verdicts import NOT_AIMED, Judged, judged

_CENT = Decimal("0.01")
_WRITTEN = re.compile(r"([¥$])([\d.]+)(?:~([\d.]+))?")
_SIGNS = {"¥": "CNY", "$": "USD"}


class JioMoney(BaseModel):
    """`num` with two decimals, or the two ends; `definition` accurate or a kind of blur."""

    num: str | tuple[str, str]
    case: str
    definition: str


class Entity(BaseModel):
    """A place in the text and its resolution, as Recognizers-Text gives it."""

    text: str
    start: int | None = None
    end: int | None = None
    type: str = ""
    value: dict[str, JsonValue] = {}


def entities(gold: JsonValue) -> list[Entity] | None:
    try:
        return [Entity.model_validate(item) for item in gold] if isinstance(gold, list) else None
    except ValidationError:
        return None


def money(text: str, base: JsonValue, gold: JsonValue) -> Judged:
    expected = JioMoney.model_validate(gold)
    got = read_amount(text)
    exact = got is not None and got.op is Op.EXACT
    named = currency_behind(expected.case, 0)
    right = (
        got is not None
        and named is not None
        and named.code == got.currency
        and _values(got) == _ends(expected)
        and exact == (expected.definition == "accurate")
    )
    return judged(got, right=right, exact=exact)


def _values(amount: Amount) -> tuple[Decimal, ...]:
    values = (amount.low, amount.high) if amount.op is Op.RANGE else (amount.value,)
    return tuple(value.quantize(_CENT) for value in values if value is not None)


def _ends(expected: JioMoney) -> tuple[Decimal, ...]:
    return tuple(Decimal(num) for num in ((expected.num,) if isinstance(expected.num, str) else expected.num))


def extracted(text: str, base: JsonValue, gold: JsonValue) -> Judged:
    """The same places as the source's."""
    expected = entities(gold) or []
    got = read_amounts(text)
    right = [(each.start, each.end) for each in got] == [(each.start, each.end) for each in expected]
    return judged([each.text for each in got], right=right, exact=False)


def currency(text: str, base: JsonValue, gold: JsonValue) -> Judged:
    """Values and currencies in their order, of what has a value; a bare $ is one of several dollars."""
    expected = [each for each in entities(gold) or [] if each.value.get("value") is not None]
    got = read_amounts(text)
    wanted = [(Decimal(str(each.value["value"])), each.value.get("isoCurrency", "USD")) for each in expected]
    named = [each for each in got if _names_currency(each)]
    return judged(
        [each.text for each in named] or None,
        right=[(each.value, each.currency) for each in named] == wanted,
        exact=any(each.op is Op.EXACT and (each.value, each.currency) not in wanted for each in named),
    )


def _names_currency(amount: Amount) -> bool:
    """Theirs leaves out 1600万 without 元."""
    return re.search(r"[元块角毛分圆¥￥$镑欧]|[A-Z]{3}|奈拉|台币|港币", amount.text) is not None


def number(text: str, base: JsonValue, gold: JsonValue) -> Judged:
    """A number that is the whole text; those in sentences are not aimed at, nor are fractions and powers."""
    found = entities(gold)
    if found is None or len(found) != 1 or fold(found[0].text).strip() != fold(text).strip():
        return NOT_AIMED
    if re.search(r"分 *之|/|\^|[eE]|打$|又", fold(text)):
        return NOT_AIMED
    return _number(text, str(found[0].value.get("value")))


def written_number(text: str, base: JsonValue, gold: JsonValue) -> Judged:
    return _number(text, str(gold))


def _number(text: str, expected: str) -> Judged:
    folded = fold(text).strip()
    sign = -1 if folded[:1] in ("-", "负") else 1
    start = 1 if sign < 0 else 0
    figure = figure_at(folded, start)
    try:
        wanted = Decimal(expected)
    except InvalidOperation:
        return NOT_AIMED
    if figure is None or figure.low is None or figure.end != len(folded):
        return judged(None, right=False, exact=False)
    return judged(figure.low * sign, right=figure.low * sign == wanted, exact=figure.op is Op.EXACT)


def written_money(text: str, base: JsonValue, gold: JsonValue) -> Judged:
    """¥25.3 or $8000~9000."""
    match = _WRITTEN.fullmatch(str(gold))
    if match is None:
        return NOT_AIMED
    got = read_amount(text)
    wanted = tuple(Decimal(end).quantize(_CENT) for end in match.groups()[1:] if end)
    right = got is not None and _values(got) == wanted and got.currency == _SIGNS[match[1]]
    return judged(got, right=right, exact=got is not None and got.op is Op.EXACT)
