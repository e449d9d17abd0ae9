"""Numbers and days as they stand in a cell: 2万, 4.5万, 1,200, 五万, 2025年1月1日. Exact, whole texts only.

Free speech (两千来块) is read in `mentions`; a table has to be certain.
"""

import re
from datetime import date, timedelta
from decimal import Decimal

from rules.numerals import read_numeral

SCALES = {
    "千": Decimal(1000),
    "k": Decimal(1000),
    "K": Decimal(1000),
    "万": Decimal(10_000),
    "w": Decimal(10_000),
    "W": Decimal(10_000),
    "十万": Decimal(100_000),
    "百万": Decimal(1_000_000),
    "千万": Decimal(10_000_000),
    "亿": Decimal(100_000_000),
}
_SCALE = "|".join(sorted(SCALES, key=len, reverse=True))
_COUNTERS = "个工作日|工作日|块钱|元整|日历天|个|台|套|件|份|人次|人|次|天|日|块|圆|元"
NUMERAL = "[零〇一二两三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟]+"
NUMBER = (
    rf"(?:[¥￥]|RMB|人民币)?(?:[+-]?(?:[0-9]+(?:,[0-9]+)*(?:\.[0-9]+)?|\.[0-9]+)(?:{_SCALE})?|{NUMERAL})"
    rf"(?:{_COUNTERS}|人民币)?"
)
_ONE_OR_TWO = "[0-9]{1,2}"
DAY = "[0-9]{4}(?:" + "|".join(rf"{c}{_ONE_OR_TWO}{c}{_ONE_OR_TWO}" for c in ("-", "/", r"\.")) + "|"
DAY += rf"年{_ONE_OR_TWO}月{_ONE_OR_TWO}日?)"

_DIGITS = re.compile(
    rf"(?:[¥￥]|RMB|人民币)?(?P<sign>[+-]?)(?P<figures>[0-9]+(?:,[0-9]+)*(?:\.[0-9]+)?|\.[0-9]+)(?P<scale>{_SCALE})?"
    rf"(?P<counter>{_COUNTERS}|人民币)?"
)
_WORDS = re.compile(rf"(?:人民币)?(?P<words>{NUMERAL})(?P<counter>{_COUNTERS})?")
_GROUPED = re.compile(r"[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|\.[0-9]+")
_LONGEST = 20  # characters of a number; longer ones are slips, and not exact any more


def read_number(text: str, scale: Decimal = Decimal(1)) -> Decimal | None:
    """`text` after NFKC; `scale` is what a number without 万 of its own is counted in (万元: 10000).

    None when it is no number, is grouped wrongly (1,20) or is a numeral that is not certain.
    """
    if len(text) > _LONGEST:
        return None
    found = _DIGITS.fullmatch(text)
    if found:
        if not _GROUPED.fullmatch(found["figures"]):
            return None
        size = Decimal(found["sign"] + found["figures"].replace(",", ""))
        own = found["scale"]
        return _bare_number(size * (SCALES[own] if own else scale))
    words = _WORDS.fullmatch(text)
    if words is None or words["words"][0] in "百佰千仟万亿":
        return None
    size_in_words = read_numeral(words["words"].replace("〇", "零"))
    if size_in_words is None:
        return None
    return _bare_number(size_in_words * (Decimal(1) if has_scale(text) else scale))


def _bare_number(value: Decimal) -> Decimal:
    """45000 for 4.5E+4 and for 45000.0, so that equal numbers are also written equally."""
    return Decimal(bare(value))


def counter_of(text: str) -> str:
    """The measure word after a number: 元, 天; empty without one."""
    found = _DIGITS.fullmatch(text) or _WORDS.fullmatch(text)
    return (found["counter"] or "") if found else ""


def has_scale(text: str) -> bool:
    """Whether the number says 千, 万 or 亿 itself."""
    found = _DIGITS.fullmatch(text)
    return bool(found and found["scale"]) or bool(_WORDS.fullmatch(text) and re.search("[千仟万亿]", text))


_FIRST_YEAR = 1000  # 0225-01-01 is a slip
_DAY_PARTS = re.compile(r"([0-9]{4})[-/.年]([0-9]{1,2})[-/.月]([0-9]{1,2})日?")


def read_day(text: str) -> date | None:
    """2025-01-31, 2025/1/31, 2025.1.31 or 2025年1月31日; a clock time of midnight may follow."""
    found = _DAY_PARTS.fullmatch(text.removesuffix("00:00:00").strip())
    if not found or int(found[1]) < _FIRST_YEAR:
        return None
    try:
        return date(*(int(part) for part in found.groups()))
    except ValueError:
        return None


_SERIAL = re.compile("[2-7][0-9]{4}")  # 1954 to 2118
_BEFORE_FIRST = date(1899, 12, 30)


def day_of_serial(text: str) -> date | None:
    """The day a spreadsheet program keeps as this number and shows so in a cell not formatted as a day."""
    return _BEFORE_FIRST + timedelta(int(text)) if _SERIAL.fullmatch(text) else None


def written(value: Decimal | date) -> str:
    """As a cell would say it, readable again: 20万, 4999.99, 2025-01-31."""
    if isinstance(value, date):
        return value.isoformat()
    for word, size in (("亿", SCALES["亿"]), ("万", SCALES["万"])):
        count = value / size
        if abs(value) >= size and count == count.quantize(Decimal("0.01")):
            return f"{bare(count)}{word}"
    return bare(value)


def bare(value: Decimal) -> str:
    """In digits alone, without an exponent and without zeros at the end of a fraction: 4500, 0.5."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text
