"""A sum at one place: sign, currency, figure, 角 and 分. Two of them as a range share unit and currency."""

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from rules.mentions.currencies import HOME, UNSETTLED, Currency, currency_behind, currency_in_front
from rules.mentions.figures import Figure, Op, figure_at
from rules.mentions.measures import unit_at
from rules.numerals import DIGITS, EXPONENTS, read_numeral, without_exponent


@dataclass(frozen=True, slots=True)
class Sum:
    """`low` None: a number that cannot be read for certain. `named`: its currency is said."""

    start: int
    end: int
    figure: Figure
    op: Op
    low: Decimal | None
    high: Decimal | None
    currency: str
    named: bool


_D = "".join(DIGITS)
_DIGIT = rf"[1-9{_D}]"
_SIGN = re.compile(r"(?:负|(?<![\w)%.~])-) *")
_MINOR = re.compile(
    rf"(?: *[又零]?(?P<jiao>{_DIGIT}) *[角毛](?:(?P<short>{_DIGIT})(?=$|[,。!?;、 吧的了]))?)?"
    rf"(?: *[又零]?(?P<fen>\d{{1,2}}|{_DIGIT}) *(?:分|美分|欧分)(?![钟之]))?(?:钱)?"
)
_SHORT = re.compile(rf"(?P<jiao>[1-9{_D}])(?=$|[,。!?;、 吧的了左上以])")
_SMALL = re.compile(
    rf"(?P<jiao>\d{{1,2}}|{_DIGIT})(?P<unit>[角毛])(?:(?P<fen>{_DIGIT})分?)?(?:钱)?(?![\w])"
    rf"|(?P<only>\d{{1,2}}|{_DIGIT})分钱"
)
_WHOLE = re.compile(r" *(?:整(?![体个套理])|正(?!\w))")
_TRAILING = re.compile(r"[十百千万亿]+$")  # 百万 of 五百万
_INNER = re.compile(rf"(?:[\d.]+|[{_D}])([百千万亿]+)")  # 万 of 五万五
_CENTS = 2  # decimals
_MYRIAD = 4
_DATES = ("年", "月", "日", "号")


def sum_at(text: str, start: int) -> Sum | None:
    """The sum that begins at `start` of folded `text`, sign and currency included; None where none begins."""
    if text[start : start + 1] == " ":
        return None
    minus = _SIGN.match(text, start)
    front = currency_in_front(text, minus.end() if minus else start)
    at = front.end if front else minus.end() if minus else start
    if front and not minus and (minus := _SIGN.match(text, at)):
        at = minus.end()
    if small := _SMALL.match(text, at):
        return _small(text, start, small)
    figure = figure_at(text, at)
    if figure is None or (front and front.end == at and figure.start != at):
        return None
    found = _with_currency(text, start, figure, front)
    return _negative(found) if minus else found


def _with_currency(text: str, start: int, figure: Figure, front: Currency | None) -> Sum:
    behind = currency_behind(text, figure.end)
    end = behind.end if behind else figure.end
    code, settled = _settled(figure, front, behind)
    low = figure.low if settled and _fits(figure, money=bool(front or behind)) else None
    named = front is not None or behind is not None
    found = Sum(start, end, figure, figure.op, low, figure.high, code, named)
    if behind and found.op is Op.EXACT:
        found = _with_minor(text, found, behind)
    whole = _WHOLE.match(text, found.end)
    return replace(found, end=whole.end()) if whole else found


def _settled(figure: Figure, front: Currency | None, behind: Currency | None) -> tuple[str, bool]:
    """The currency, and whether front and back agree: 新台币177亿元 do, 美元5万日元 do not."""
    if front and behind and not behind.generic and "," in figure.numeral:
        return front.code, False  # $20，300美元 may be two
    if front and behind and front.code != behind.code and not behind.generic:
        return UNSETTLED, False
    named = front or behind
    return named.code if named else HOME, True


def _fits(figure: Figure, *, money: bool) -> bool:
    """Money without a unit has at most two decimals: 1.200元 may be 1200."""
    _, point, decimals = figure.numeral.partition(".")
    return not (money and point and decimals.isdigit() and len(decimals) > _CENTS)


def _with_minor(text: str, major: Sum, behind: Currency) -> Sum:
    """十块五毛, 二十元零五分, 三块二."""
    match = _MINOR.match(text, major.end)
    if match and (match["jiao"] or match["fen"]):
        if major.low is None:
            return replace(major, end=match.end())
        minor = _cents(match["jiao"], match["fen"] or match["short"])
        return replace(major, end=match.end(), low=major.low + minor)
    short = _SHORT.match(text, major.end) if behind.word == "块" else None
    if short and major.low is not None:
        return replace(major, end=short.end(), low=major.low + _cents(short["jiao"], None))
    return major


def _small(text: str, start: int, match: re.Match[str]) -> Sum:
    """八毛五, 六角, 5分钱."""
    value = _cents(None, match["only"]) if match["only"] else _cents(match["jiao"], match["fen"])
    figure = Figure(match.start(), match.end(), match[0], Op.EXACT, value)
    return Sum(start, match.end(), figure, Op.EXACT, value, None, HOME, named=True)


def _cents(jiao: str | None, fen: str | None) -> Decimal:
    tenths = read_numeral(jiao) if jiao else None
    hundredths = read_numeral(fen) if fen else None
    return (tenths or Decimal(0)).scaleb(-1) + (hundredths or Decimal(0)).scaleb(-2)


def _negative(found: Sum) -> Sum:
    if found.op is not Op.EXACT or found.low is None:
        return replace(found, low=None)
    return replace(found, low=-found.low)


def shared(text: str, first: Sum, second: Sum, end: int) -> Sum:
    """From the one to the other. Where that cannot be, `first` alone, or a sum that cannot be read."""
    unread = replace(first, end=end, low=None, figure=second.figure)
    if first.low is None or second.low is None or Op.AT_LEAST in (first.op, second.op):
        return unread
    low, high = _in_units_of(first, second), second.low if second.high is None else second.high
    if low is None or (first.named and second.named and first.currency != second.currency):
        return unread
    if low >= high:
        apart = (
            second.named
            or second.figure.magnitude > 0
            or unit_at(text, second.end)
            or text[second.end : second.end + 1] in _DATES
        )
        return first if apart else unread
    currency = second.currency if second.named and not first.named else first.currency
    named = first.named or second.named
    return Sum(first.start, end, second.figure, Op.RANGE, low, high, currency, named)


def _in_units_of(first: Sum, second: Sum) -> Decimal | None:
    """三 in 三到五万 is 30000, 一千 in 一千到两千万 千万; 五千 in 五千到一万 stays. None for 三到五十万."""
    low, high = first.low, second.low
    if low is None or high is None or first.named or first.figure.magnitude >= _MYRIAD:
        return low
    trailing = _TRAILING.search(second.figure.numeral) or _INNER.match(second.figure.numeral)
    units = (trailing[1] if trailing.re is _INNER else trailing[0]) if trailing else ""
    big = units.lstrip("十百千")
    if not first.figure.magnitude and units != big and low * _size(units) < high:
        return None if "十" in units else low * _size(units)
    return low * _size(big) if low * _size(big) < high else low


def _size(units: str) -> Decimal:
    return without_exponent(Decimal(1).scaleb(sum(EXPONENTS[unit] for unit in units)))
