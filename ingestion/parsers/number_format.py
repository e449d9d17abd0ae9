"""Shows a spreadsheet value as a person sees it: number format codes of ECMA-376 part 1, 18.8.30 and 18.8.31.

Covers digits, thousands, percent, scaling, literals, currency, sign sections, dates, times and durations.
Fractions, scientific notation and conditions fall back to the plain number, which loses nothing.
"""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation, localcontext
from functools import lru_cache

CellValue = int | float | str | bool | date | datetime | time | timedelta

GENERAL = "General"
LONGEST_CODE = 255  # characters: no office program stores more
CODES = 512  # remembered format codes; a workbook has some dozens
EXACT = 10**15  # beyond 15 digits a spreadsheet does not compute exactly, and formats are of no use
LONG_DATE = 'yyyy"年"m"月"d"日"'
LONG_TIME = "h:mm:ss"

# Built-in formats whose look depends on the locale: as a Chinese Excel shows them (18.8.30, zh-cn).
CHINESE_BUILT_IN: dict[int, str] = {
    14: "yyyy/m/d",
    22: "yyyy/m/d h:mm",
    27: 'yyyy"年"m"月"',
    28: 'm"月"d"日"',
    29: 'm"月"d"日"',
    30: "m-d-yy",
    31: LONG_DATE,
    32: 'h"时"mm"分"',
    33: 'h"时"mm"分"ss"秒"',
    34: 'h"时"mm"分"',
    35: 'h"时"mm"分"ss"秒"',
    36: 'yyyy"年"m"月"',
    50: 'yyyy"年"m"月"',
    51: 'm"月"d"日"',
    52: 'yyyy"年"m"月"',
    53: 'm"月"d"日"',
    54: 'm"月"d"日"',
    55: 'h"时"mm"分"',
    56: 'h"时"mm"分"ss"秒"',
    57: 'yyyy"年"m"月"',
    58: 'm"月"d"日"',
}

_LITERAL = r'"[^"]*"|\\.'
_QUOTED = re.compile(_LITERAL)
_LAYOUT = re.compile(
    r"_.|\*.|\[(?:Black|Blue|Cyan|Green|Magenta|Red|White|Yellow|Color\s?\d+|DBNum\d|[<>=][^\]]*)\]", re.I
)
_CURRENCY = re.compile(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
_DATE_CODE = re.compile(r"[yYdD]|[hH]|[sS]|[mM]|上午/下午|AM/PM|aaa")
_DIGITS = re.compile(r"[#0?][#0?,]*(?:\.[#0?]*)?,*")
_TOKEN = re.compile(
    rf"{_LITERAL}|\[[hms]+\]|y+|m+|d+|a{{3,4}}|h+|s+(?:\.0+)?|AM/PM|A/P|上午/下午|.", re.IGNORECASE
)
_WEEKDAYS = "一二三四五六日"


def displayed(value: CellValue, code: str = GENERAL, *, epoch_1904: bool = False) -> str:
    """The text of a cell with value `value` under the format `code`; an unknown format shows the value."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return value
    if isinstance(value, (date, time, timedelta)):
        return _moment(value, code)
    moment = _from_serial(float(value), epoch_1904) if is_date_code(code) else None
    return _moment(moment, code) if moment is not None else _number(value, code)


@lru_cache(maxsize=CODES)
def is_date_code(code: str) -> bool:
    """Whether a number under this format is a moment or a duration."""
    plain = _QUOTED.sub("", _CURRENCY.sub("", _LAYOUT.sub("", code.split(";")[0])))
    if plain.lower() == "general" or not _DATE_CODE.search(plain):
        return False
    return not re.search(r"[#0?]", re.sub(r"(?<=[sS])\.0+", "", plain))  # ss.00 are parts of a second


def plain_number(value: int | float) -> str:
    """At most 15 significant digits, as spreadsheets compute; never in scientific notation."""
    try:
        shown = format(Decimal(format(value, ".15g")), "f")
    except InvalidOperation:  # inf, nan: no office program writes them, a damaged file may
        return str(value)
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


@dataclass(frozen=True, slots=True)
class _Section:
    """One section of a number format. Without `placeholders` it is a fixed text, or no format we apply."""

    before: str
    placeholders: str
    after: str
    scale: Decimal  # the value is multiplied by it: percent signs and trailing commas


def _number(value: int | float, code: str) -> str:
    sections = _sections(code)
    place = 1 if value < 0 and len(sections) > 1 else 2 if value == 0 and len(sections) > 2 else 0
    section = sections[place]
    if section is None or abs(value) > EXACT:
        return plain_number(value)
    if not section.placeholders:
        return section.before or plain_number(value)
    body = _digits(Decimal(format(abs(value), ".15g")) * section.scale, section.placeholders)
    sign = "-" if value < 0 and place == 0 and body.strip("0.,") else ""
    return sign + (section.before + body + section.after).strip()


@lru_cache(maxsize=CODES)
def _sections(code: str) -> tuple[_Section | None, ...]:
    """The sections for positive (or all) values, negative ones, zero; None = show the plain number."""
    if len(code) > LONGEST_CODE:
        return (None,)
    return tuple(_section(part) for part in re.split(r";(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", code))


def _section(part: str) -> _Section | None:
    part = _LAYOUT.sub("", _CURRENCY.sub(lambda m: f'"{m[1]}"', part))
    bare = _QUOTED.sub(lambda m: "\x00" * len(m[0]), part)
    digits = _DIGITS.search(bare)
    if digits is None:
        return _Section(_unquote(part).strip(), "", "", Decimal(1)) if '"' in part else None
    if re.search(r"General|[#0?]\s*/|E[+-]|@", bare, re.IGNORECASE):
        return None
    placeholders = digits[0].rstrip(",")
    scale = Decimal(100) ** bare.count("%") / Decimal(1000) ** (len(digits[0]) - len(placeholders))
    return _Section(_unquote(part[: digits.start()]), placeholders, _unquote(part[digits.end() :]), scale)


def _digits(amount: Decimal, placeholders: str) -> str:
    whole, _, fraction = placeholders.partition(".")
    with localcontext(prec=max(amount.adjusted(), 0) + len(fraction) + 2):
        rounded = amount.quantize(Decimal(1).scaleb(-len(fraction)), ROUND_HALF_UP)
    text = format(rounded, ",f" if "," in whole else "f")
    integer, _, decimals = text.partition(".")
    least = whole.count("0")
    if "," not in whole:
        integer = integer.zfill(least) if least else integer.lstrip("0")
    while decimals and decimals.endswith("0") and fraction[len(decimals) - 1] in "#?":
        decimals = decimals[:-1]
    return f"{integer}.{decimals}" if decimals else integer


def _unquote(part: str) -> str:
    return _QUOTED.sub(lambda m: m[0][1:].rstrip('"') if m[0][0] == '"' else m[0][1:], part).strip("?")


def _from_serial(days: float, epoch_1904: bool) -> datetime | None:
    """The moment of a serial day number, None for a number that is no date of the calendar."""
    epoch = datetime(1904, 1, 1) if epoch_1904 else datetime(1899, 12, 30)
    try:
        return epoch + timedelta(seconds=round(days * 86_400))
    except OverflowError:
        return None


def _moment(value: date | time | timedelta, code: str) -> str:
    section = code.split(";")[0]
    if "-F800]" in section.upper():
        section = LONG_DATE
    elif "-F400]" in section.upper():
        section = LONG_TIME
    section = re.sub(r"\[\$[^\]]*\]", "", _LAYOUT.sub("", section))
    if isinstance(value, timedelta):
        return _duration(value)
    if isinstance(value, time):
        value = datetime.combine(date(1899, 12, 31), value)
    moment = value if isinstance(value, datetime) else datetime.combine(value, time())
    if not is_date_code(section):
        return moment.strftime("%Y-%m-%d" if moment.time() == time() else "%Y-%m-%d %H:%M")
    return _render(moment, section)


def _duration(value: timedelta) -> str:
    seconds = round(value.total_seconds())
    hours, rest = divmod(abs(seconds), 3600)
    sign = "-" if seconds < 0 else ""
    return f"{sign}{hours}:{rest // 60:02d}" + (f":{rest % 60:02d}" if rest % 60 else "")


def _render(moment: datetime, code: str) -> str:
    tokens = _TOKEN.findall(code)
    half_day = any(token.upper() in {"AM/PM", "A/P"} or token == "上午/下午" for token in tokens)
    return "".join(
        _field(moment, token, _is_minute(tokens, place), half_day) for place, token in enumerate(tokens)
    ).strip()


def _is_minute(tokens: list[str], place: int) -> bool:
    """`m` is a minute after hours or before seconds, else a month."""
    before = next((t[0].lower() for t in reversed(tokens[:place]) if t[0].lower() in "ymdhs["), "")
    after = next((t[0].lower() for t in tokens[place + 1 :] if t[0].lower() in "ymdhs"), "")
    return before in {"h", "["} or after == "s"


def _field(moment: datetime, token: str, minute: bool, half_day: bool) -> str:
    kind, length = token[0].lower(), len(token)
    if kind in '"\\':
        return _unquote(token)
    if token == "上午/下午":
        return "上午" if moment.hour < 12 else "下午"
    if token.upper() in {"AM/PM", "A/P"}:
        return "AM" if moment.hour < 12 else "PM"
    match kind:
        case "y":
            return f"{moment.year:04d}" if length > 2 else f"{moment.year % 100:02d}"
        case "m" if minute:
            return f"{moment.minute:0{min(length, 2)}d}"
        case "m":
            return f"{moment.month:0{min(length, 2)}d}" if length < 3 else f"{moment.month}月"
        case "d":
            return f"{moment.day:0{length}d}" if length < 3 else f"星期{_WEEKDAYS[moment.weekday()]}"
        case "a" if length >= 3:
            return ("星期" if length > 3 else "") + _WEEKDAYS[moment.weekday()]
        case "h" | "[":
            hour = (moment.hour % 12 or 12) if half_day else moment.hour
            return f"{hour:0{min(length, 2)}d}" if kind == "h" else str(hour)
        case "s":
            return f"{moment.second:0{min(length, 2)}d}"
        case _:
            return token
