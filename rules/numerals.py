"""Exact numbers as Chinese offices write them: digits, 八万五, 捌万伍仟, 12万5, 八点五万. Nothing inexact.

Own code, since cn2an, the library for it, guesses where two numbers are possible (12万50, 两百两, 一百万五)
and knows no 万八, 两万半 or 1,200.
"""

import re
from decimal import Decimal

FORMAL = "壹贰叁肆伍陆柒捌玖貳參叄陸弍"
DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"两": 2, "幺": 1}
DIGITS |= dict(zip(FORMAL, (1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 3, 6, 2), strict=True))
EXPONENTS = {"十": 1, "百": 2, "千": 3, "万": 4, "亿": 8, "拾": 1, "佰": 2, "仟": 3}
_FORMAL_UNITS = str.maketrans("拾佰仟", "十百千")
_ARABIC = re.compile(r"(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?")
_LONGEST = 15  # digits and point; with 万亿 behind they stay within the 28 digits that decimals keep
_LONGEST_NUMERAL = 48  # characters; 千 to 万亿 written out with 角 and 分 takes fewer
_MYRIAD = 4  # 万; below it numbers are read unit by unit


def read_numeral(text: str) -> Decimal | None:
    """The number that folded `text` writes as a whole, or None when it writes none or not one for certain.

    A digit after a unit stands for the unit below it: 一百二 is 120, 一百零二 is 102.
    """
    if len(text) > _LONGEST_NUMERAL:
        return None
    text = text.translate(_FORMAL_UNITS)
    if text[:1] in ("负", "-"):
        value = read_numeral(text[1:]) if text[1:2] not in ("负", "-") else None
        return None if value is None else -value
    if "点" in text:
        return _with_point(text)
    value = _integer(text, shortened=True, at_start=True)
    return None if value is None else without_exponent(value)


def without_exponent(value: Decimal) -> Decimal:
    """The same number, written without an exponent: 80000, not 8E+4."""
    return Decimal(f"{value:f}")


def arabic(text: str) -> Decimal | None:
    """Digits with an optional point; commas only where they part thousands. Longer ones would be rounded."""
    plain_digits = text.replace(",", "")
    readable = len(plain_digits) <= _LONGEST and _ARABIC.fullmatch(text) and text.isascii()
    return Decimal(plain_digits) if readable else None


def read_digits(text: str) -> int | None:
    """Digits said one by one, as in years: 二零二五, 2025."""
    if text and all(char in DIGITS or (char.isascii() and char.isdigit()) for char in text):
        return int("".join(str(DIGITS.get(char, char)) for char in text))
    return None


def _with_point(text: str) -> Decimal | None:
    """八点五, 二十点一万: digits one by one after the point, then at most one run of big units."""
    before, _, after = text.partition("点")
    fraction = after.rstrip("万亿百千")
    digits = read_digits(fraction)
    whole = _integer(before, shortened=False, at_start=True)
    if digits is None or len(fraction) > _LONGEST or whole is None or whole != whole.to_integral_value():
        return None
    value = whole + Decimal(digits).scaleb(-len(fraction))
    for unit in after[len(fraction) :]:
        value = value.scaleb(EXPONENTS[unit])
    return without_exponent(value)


def _integer(text: str, *, shortened: bool, at_start: bool) -> Decimal | None:
    """`shortened`: it may end in a digit for the unit below; `at_start`: its first unit may lack a digit."""
    for unit in "亿万":
        if unit in text:
            return _above(text, unit, shortened=shortened, at_start=at_start)
    return _below(text, shortened=shortened, at_start=at_start)


def _above(text: str, unit: str, *, shortened: bool, at_start: bool) -> Decimal | None:
    """What stands before the last 亿 (or 万) times it, and the rest. 万亿 and 万万 are read, 亿亿 is not."""
    before, _, after = text.rpartition(unit)
    if unit in (before.removesuffix("万") if unit == "万" else before):
        return None
    if before:
        count = _integer(before, shortened=False, at_start=at_start)
    else:
        count = Decimal(1) if at_start else None
    return _and_rest(count, EXPONENTS[unit], after, shortened)


def _below(text: str, *, shortened: bool, at_start: bool) -> Decimal | None:
    """A number without 万 and 亿."""
    for unit in "千百十":
        if unit in text:
            before, _, after = text.partition(unit)
            return _and_rest(_count(before, unit, at_start), EXPONENTS[unit], after, shortened)
    return _digit(text) if len(text) == 1 and text in DIGITS else arabic(text)


def _count(text: str, unit: str, at_start: bool) -> Decimal | None:
    """How many 千, 百 or 十: a digit, or none before 十 (十五) and at the start (千三)."""
    if not text:
        return Decimal(1) if unit == "十" or at_start else None
    if len(text) == 1 and text in DIGITS:
        return _digit(text) or None
    return arabic(text)


def _and_rest(count: Decimal | None, exponent: int, rest: str, shortened: bool) -> Decimal | None:
    if count is None:
        return None
    value = count.scaleb(exponent)
    if not rest:
        return value
    if count != count.to_integral_value():
        return None  # 8.5万5
    if rest == "半" or _is_shortened(rest):
        lower = _lower_unit(count, exponent, rest) if shortened or exponent == 1 else None
    else:
        lower = _remainder(rest, exponent, shortened)
    return None if lower is None else value + lower


def _is_shortened(rest: str) -> bool:
    return len(rest) == 1 and rest != "零"


def _lower_unit(count: Decimal, exponent: int, digit: str) -> Decimal | None:
    """The 二 of 一百二, the 5 of 12万5, the 半 of 两万半; after 十 it is a one. 一百万五 says too little."""
    if exponent == 1:
        return None if digit == "半" else _digit(digit)
    if digit in FORMAL or digit == "两" or (count >= 100 and count % 100 == 0):
        return None
    value = Decimal(5) if digit == "半" else _digit(digit)
    return value.scaleb(exponent - 1) if value else None


def _remainder(rest: str, exponent: int, shortened: bool) -> Decimal | None:
    """What follows a unit and names its own units, or stands behind 零."""
    spaced, rest = rest.startswith("零"), rest.removeprefix("零")
    value = _tail(rest, exponent, spaced, shortened)
    if value is None or value == 0 or value != value.to_integral_value() or value >= 10**exponent:
        return None
    top = len(str(int(value))) - 1
    return value if _stands_at(top, exponent, spaced) else None


def _tail(rest: str, exponent: int, spaced: bool, shortened: bool) -> Decimal | None:
    if not rest.isdigit() or not rest.isascii():
        return _integer(rest, shortened=shortened, at_start=False)
    if rest.startswith("0"):
        return None
    complete = len(rest) == exponent or (exponent >= _MYRIAD and len(rest) == exponent - 1)
    return Decimal(rest) if spaced or complete else None


def _stands_at(top: int, exponent: int, spaced: bool) -> bool:
    """零 leaps a unit below 万 (一百零五); without it one may be leapt (一千五十), after 亿 none of 万."""
    if spaced:
        return exponent >= _MYRIAD or top <= exponent - 2
    return top >= exponent - 2 if exponent <= _MYRIAD else top >= _MYRIAD


def _digit(text: str) -> Decimal | None:
    if text in DIGITS:
        return Decimal(DIGITS[text])
    return Decimal(text) if text.isascii() and text.isdigit() else None
