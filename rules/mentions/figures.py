"""A figure in a sentence, exact or not: 八万五, 10w, 十来万, 五十多万, 八九万, 几千, whatever it counts."""

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from rules.mentions.measures import measure_at
from rules.numerals import DIGITS, EXPONENTS, read_numeral, without_exponent


class Op(StrEnum):
    EXACT = "="
    AT_LEAST = ">="
    MORE = ">"
    AT_MOST = "<="
    LESS = "<"
    RANGE = "range"
    ABOUT = "~"


@dataclass(frozen=True, slots=True)
class Figure:
    """`low` None: a number, but not one that can be read for certain. `high`: only of a range."""

    start: int
    end: int
    numeral: str  # without spaces and 个, w as 万 and k as 千
    op: Op = Op.EXACT
    low: Decimal | None = None
    high: Decimal | None = None

    @property
    def lone(self) -> bool:
        """A unit and no digit: 万, 千万. Alone it counts nothing (千万别, 万元户)."""
        return self.op is Op.EXACT and not self.numeral.strip("百千万亿")

    @property
    def magnitude(self) -> int:
        """Of its largest unit: 4 for 万. 0 is none."""
        return max((EXPONENTS[char] for char in self.numeral if char in EXPONENTS), default=0)


_D = "".join(DIGITS)
_NONZERO = "".join(digit for digit, value in DIGITS.items() if value)
_U = "".join(EXPONENTS)
_BIG = "百千万亿佰仟"
_FAR = 16  # 万万亿
_GROUPED = r"(?:\d{1,3}(?:,\d{3})+(?!,?\d)|\d{4,}(?=,)|\d+(?:,\d+){0,8})"  # 8000,3台 are two numbers
_DIGITS = rf"(?:零?{_GROUPED}(?:\.\d+)?|[{_D}]+(?:点[{_D}]+)?)"
_UNIT = rf"(?: *[{_U}]| *个?[wW](?![A-Za-z])|个[万亿]| *[kK](?![A-Za-z]))"
_HALF = r"半(?![天年月日个小夜价])"
_RUN = rf"(?>(?:{_DIGITS}|半(?=个?[百千万亿]))?(?:{_UNIT}(?:点[{_D}]+|{_DIGITS}|{_HALF})?)*)"
_MORE = r"(?:多(?:一点|点|些)?(?![少功媒人元种])|余(?![额款数下量])|有余|几)"

# Tried in this order; each says which of the parsers below reads it.
_SOME = re.compile(rf"(?:好几|大几|几|若干|(?<![总人份台件次个参指小基岁])数)(?P<units>[{_U}]+)多?")
_ROUGHLY = re.compile(
    rf"(?:个把(?P<few>[{_BIG}]+)"
    rf"|(?P<handful>[百千万])把(?P<times>[万亿]?)(?=[块元个万亿]|$|[,。;!? ])"
    r"|(?P<idiom>万儿?八千|千儿?八百|百八十|百十[来多]?)(?P<tail>万?)(?=[块元]|$|[,。;!? ]))"
)
_OVER = re.compile(rf"(?P<head>{_RUN}) *{_MORE}(?P<tail>{_UNIT}*)")
_SOME_TENS = re.compile(rf"(?P<head>{_RUN})来(?:(?P<tail>{_UNIT}+)|(?=[块元美欧英港日台]))")
_UPWARD = re.compile(rf"(?<![以之早晚马])上(?P<units>[{_BIG}]+)(?![{_D}度网别不要])")
_LISTED = re.compile(
    rf"(?P<first>[1-9{_NONZERO}])(?:[,、]|或者?|还是)(?P<second>[1-9{_NONZERO}])(?P<units>{_UNIT}+)(?![{_D}\d])"
)
_EXACT = re.compile(_RUN)
_WITH_ONE = re.compile("一[共起般直定些下并律切]")
_PAIR = re.compile(rf"(?<=[{_U}])[{_NONZERO}]{{2}}|^[{_NONZERO}]{{2}}(?=[{_U}]|$)")


def figure_at(text: str, start: int) -> Figure | None:
    """The longest figure that begins at `start` of folded `text`; None where none begins, as at a space."""
    if text[start : start + 1] == " ":
        return None
    if match := _SOME.match(text, start):
        return _roughly(match, match["units"])
    if match := _ROUGHLY.match(text, start):
        units = match["few"] or (match["handful"] or match["idiom"][:1]) + (
            match["times"] or match["tail"] or ""
        )
        return _roughly(match, units)
    if match := _UPWARD.match(text, start):
        return _figure(match, match["units"], Op.AT_LEAST, read_numeral(match["units"]))
    if match := _LISTED.match(text, start):
        return _listed(match)
    if (match := _OVER.match(text, start)) and match["head"]:
        return _over(match)
    if (match := _SOME_TENS.match(text, start)) and match["head"]:
        head, tail = _plain(match["head"]), _plain(match["tail"] or "")
        return _figure(match, head + tail, Op.ABOUT, _times(head, tail))
    return _run(text, start)


def _run(text: str, start: int) -> Figure | None:
    match = _EXACT.match(text, start)
    if match is None or not match[0]:
        return None
    end = _before_count(text, start, match.end())
    numeral = _plain(text[start:end])
    if pair := _PAIR.search(numeral):
        return _neighbours(start, end, numeral, pair)
    return Figure(start, end, numeral, Op.EXACT, _read(numeral))


def _before_count(text: str, start: int, end: int) -> int:
    """八千一台 is 八千 and 一台, 五万一共 is 五万: a digit that stands for a unit begins no other word,
    and no measure stands behind it."""
    digit, before, unit = text[end - 1 : end], text[end - 2 : end - 1], text[end - 3 : end - 2]
    if digit not in DIGITS or digit == "零" or end - 1 <= start:
        return end
    if not measure_at(text, end) and not _WITH_ONE.match(text, end - 1):
        return end
    shortened = before in _BIG or (unit in _BIG and before in DIGITS and not _adjacent(before, digit))
    return end - 1 if shortened else end


def _adjacent(first: str, second: str) -> bool:
    """八九 and 三五 are from the one to the other; 零一 is not."""
    low, high = DIGITS[first], DIGITS[second]
    return low > 0 and (high == low + 1 or (low, high) == (3, 5))


def _neighbours(start: int, end: int, numeral: str, pair: re.Match[str]) -> Figure:
    """八九万, 三五百, 十五六万, 一千七八: from the one to the other."""
    low, high = (_read(numeral[: pair.start()] + digit + numeral[pair.end() :]) for digit in pair[0])
    if _adjacent(pair[0][0], pair[0][1]) and low is not None and high is not None:
        return Figure(start, end, numeral, Op.RANGE, low, high)
    return Figure(start, end, numeral)


def _listed(match: re.Match[str]) -> Figure:
    """6、7万 is from 6万 to 7万; 3,5万 could be anything."""
    units = _plain(match["units"])
    low, high = _read(match["first"] + units), _read(match["second"] + units)
    if low is None or high is None or high - low != low / _value_of(match["first"]):
        return _figure(match, units, Op.EXACT, None)
    return Figure(match.start(), match.end(), match["second"] + units, Op.RANGE, low, high)


def _value_of(digit: str) -> Decimal:
    return Decimal(DIGITS.get(digit, digit))


def _over(match: re.Match[str]) -> Figure:
    """五十多万, 三千多, 十几万, 一百几十万."""
    head, tail = _plain(match["head"]), _plain(match["tail"])
    if match[0].endswith("几") and (upto := _EXACT.match(match.string, match.end())) and upto[0]:
        return _some_to(match, head, upto)
    if "几" in match[0]:
        tail = tail.lstrip("十百千")
    return _figure(match, head + tail, Op.MORE, _times(head, tail))


def _some_to(match: re.Match[str], head: str, upto: re.Match[str]) -> Figure:
    """十几二十万."""
    units = _plain(upto[0]).lstrip("十百千" + _D)
    low, high = (None, None) if units.strip(_BIG) else (_times(head, units), _read(_plain(upto[0])))
    if low is None or high is None or low >= high:
        return Figure(match.start(), upto.end(), head)
    return Figure(match.start(), upto.end(), head + units, Op.RANGE, low, high)


def _times(head: str, units: str) -> Decimal | None:
    value = _read(head)
    return None if value is None else _scaled(value, units)


def _scaled(value: Decimal, units: str) -> Decimal | None:
    """None for units stacked further than anybody counts: 几万万万万万."""
    exponent = sum(EXPONENTS[unit] for unit in units)
    return without_exponent(value.scaleb(exponent)) if exponent <= _FAR else None


def _roughly(match: re.Match[str], units: str) -> Figure:
    return _figure(match, units, Op.ABOUT, _scaled(Decimal(1), units))


def _figure(match: re.Match[str], numeral: str, op: Op, value: Decimal | None) -> Figure:
    return Figure(match.start(), match.end(), numeral, op, value)


def _plain(run: str) -> str:
    return re.sub(r"[ 个]", "", run).translate(str.maketrans("wWkK拾佰仟", "万万千千十百千"))


def _read(numeral: str) -> Decimal | None:
    """With 半万 and 半百 beside what read_numeral knows."""
    if numeral.startswith("半"):
        whole = numeral[1:]
        value = None if whole.strip(_BIG) else read_numeral(whole)
        return None if value is None else value / 2
    return read_numeral(numeral)
