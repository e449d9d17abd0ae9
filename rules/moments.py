"""The day or the days that an expression at one place names: 昨天, 上周五, 3月5日, 三天前, 上个月底, 年底."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, date, timedelta

from rules.figures import Op, figure_at
from rules.months import day_of, last_day, number_of, shifted, year_of


@dataclass(frozen=True, slots=True)
class Span:
    """From `low` to `high`, both within; None: open or unknown. `exact`: said as one certain day."""

    low: date | None
    high: date | None
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    start: int
    end: int
    span: Span


_UNKNOWN = Span(None, None)
_N = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
_Y = r"(?:\d{4}|\d{2}|[零一二三四五六七八九]{4}|[零一二三四五六七八九]{2})"
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "上一年": -1, "上年": -1, "今年": 0, "本年": 0, "当年": 0}
_YEARS |= {"明年": 1, "下一年": 1, "次年": 1, "后年": 2}
_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_SHIFTS = {"上上": -2, "上": -1, "这": 0, "本": 0, "当": 0, "下": 1, "下下": 2, "": 0}
_SHIFT = r"(?P<shift>上上|下下|上|下|这|本|当)(?:一?个|一)?"
_YEAR = rf"(?:(?P<year>{_Y}) *年的? *|(?P<named>{'|'.join(sorted(_YEARS, key=len, reverse=True))})的?)"
_WEEK = r"(?:周|星期|礼拜)"
_PART = r"(?P<part>上旬|中旬|下旬|月?初|中(?!的|旬)|月?中(?=$|[,。 ])|月?底|月?末)"
_DAY_SIGN = r"[日号](?![楼线门桌院窗会柜馆厅文库店机子码])"
_FRESH = r"(?<![\d零一二三四五六七八九十百千])"
_FEASTS = (
    r"(?:(?:春节|除夕|元宵|清明|端午|七夕|中秋|重阳|腊八|国庆|元旦|五一(?=节|假|期|回|长|劳|小)|十一(?=假|期|长|回|黄)|劳动节|儿童节|双十一)"
    r"|(?:农历|阴历|旧历)(?:[^,。;]{0,10}[日号]|[^,。;]{0,8})|(?:正|腊|冬|闰[一二三四五六七八九十\d]+)月(?:初?[一二三四五六七八九十廿\d]+)?"
    rf"|{_N}月(?:初[一二三四五六七八九十]|廿[一二三四五六七八九]?))"
)

Reader = Callable[[re.Match[str], date], Span | None]


def _day(value: date | None) -> Span:
    """A day that the calendar does not have is unknown, not another one."""
    return Span(value, value, exact=value is not None)


def _year(match: re.Match[str], base: date) -> int | None:
    if match["named"]:
        return base.year + _YEARS[match["named"]]
    return year_of(match["year"], base)


def _full(match: re.Match[str], base: date) -> Span | None:
    year, month = _year(match, base), number_of(match["month"])
    return None if year is None or month is None else _day(day_of(year, month, match["day"]))


def _written(match: re.Match[str], base: date) -> Span | None:
    value = day_of(int(match["year"]), int(match["month"]), int(match["day"]))
    return None if value is None else _day(value)


def _of_year(match: re.Match[str], base: date) -> Span | None:
    """3月5日 without a year: of the base year, exact when no other year's lies nearer."""
    month = number_of(match["month"])
    if month is None:
        return None
    value = day_of(base.year, month, match["day"])
    others = [day_of(base.year + shift, month, match["day"]) for shift in (-1, 1)]
    return _nearest(value, others, base)


def _of_month(match: re.Match[str], base: date) -> Span | None:
    """5号: of the base month, exact when no other month's lies nearer."""
    value = day_of(base.year, base.month, match["day"])
    beside = [shifted(base, shift) for shift in (-1, 1)]
    return _nearest(value, [day_of(month.year, month.month, match["day"]) for month in beside], base)


def _nearest(value: date | None, others: list[date | None], base: date) -> Span:
    if value is None:
        return _UNKNOWN
    nearer = any(other and abs(other - base) < abs(value - base) for other in others)
    return Span(value, value, exact=not nearer)


def _slashed(match: re.Match[str], base: date) -> Span | None:
    """3/5 and 03-05 may be other things: named, but to be confirmed."""
    value = day_of(base.year, int(match["month"]), int(match["day"]))
    return None if value is None else Span(value, value)


def _of_named_month(match: re.Match[str], base: date) -> Span | None:
    month = shifted(base, _SHIFTS[match["shift"]])
    return _day(day_of(month.year, month.month, match["day"]))


def _relative(match: re.Match[str], base: date) -> Span | None:
    return _day(_moved(base, _DAYS[match["day"]]))


def _just_now(match: re.Match[str], base: date) -> Span | None:
    return _day(base)


def _weekday(match: re.Match[str], base: date) -> Span | None:
    monday = _moved(base, 7 * _SHIFTS[match["shift"] or ""] - base.weekday())
    if monday is None:
        return None
    if match["day"] == "末":
        return Span(_moved(monday, 5), _moved(monday, 6))
    number = 6 if match["day"] in "日天" else "一二三四五六".index(match["day"])
    value = _moved(monday, number)
    if match["shift"]:
        return _day(value)
    return _nearest(value, [_moved(monday, number + week) for week in (-7, 7)], base)


def _week(match: re.Match[str], base: date) -> Span | None:
    monday = _moved(base, 7 * _SHIFTS[match["shift"]] - base.weekday())
    return None if monday is None else Span(monday, _moved(monday, 6))


def _month(match: re.Match[str], base: date) -> Span | None:
    month = shifted(base, _SHIFTS[match["shift"]])
    return _part_of(month, match["part"])


def _month_of_year(match: re.Match[str], base: date) -> Span | None:
    year = _year(match, base) if match["named"] or match["year"] else base.year
    number = number_of(match["month"])
    first = None if year is None or number is None else day_of(year, number, 1)
    return None if first is None else _part_of(first, match["part"])


def _this_month(match: re.Match[str], base: date) -> Span | None:
    return _part_of(base.replace(day=1), match["part"])


def _part_of(first: date, part: str | None) -> Span:
    """初 is the first five days, 底 and 末 those from the 25th (as JioNLP has them); a 旬 is a third."""
    last = last_day(first.year, first.month)
    ends = {
        "上旬": (1, 10),
        "中旬": (11, 20),
        "下旬": (21, 31),
        "初": (1, 5),
        "中": (11, 20),
        "底": (25, 31),
        "末": (25, 31),
    }
    low, high = ends[part.removeprefix("月")] if part else (1, 31)
    return Span(first.replace(day=low), first.replace(day=min(high, last.day)))


def _year_part(match: re.Match[str], base: date) -> Span | None:
    year = _year(match, base) if match["named"] or match["year"] else base.year
    if year is None or not MINYEAR <= year <= MAXYEAR:
        return None
    months = {"初": (1, 2), "中": (6, 7), "底": (11, 12), "末": (11, 12), "上半": (1, 6), "下半": (7, 12)}
    low, high = months[match["half"] or match["time"] or ""] if match["half"] or match["time"] else (1, 12)
    return Span(date(year, low, 1), last_day(year, high))


def _quarter(match: re.Match[str], base: date) -> Span | None:
    year = _year(match, base) if match["named"] or match["year"] else base.year
    if year is None or not MINYEAR <= year <= MAXYEAR:
        return None
    first = 3 * "一二三四1234".index(match["number"]) % 12 + 1
    return Span(date(year, first, 1), last_day(year, first + 2))


def _named_quarter(match: re.Match[str], base: date) -> Span | None:
    first = shifted(base, 3 * _SHIFTS[match["shift"]] - (base.month - 1) % 3)
    end = shifted(first, 2)
    return Span(first, last_day(end.year, end.month))


def _vague(match: re.Match[str], base: date) -> Span | None:
    """前几天, 最近: within the last ten or thirty days; 过几天: within the next ten."""
    if match["ahead"]:
        return Span(_moved(base, 1), _moved(base, 10))
    return Span(_moved(base, -10 if match["few"] else -30), base)


def _unknown(match: re.Match[str], base: date) -> Span | None:
    return _UNKNOWN


_FORMS: list[tuple[re.Pattern[str], Reader]] = [
    (re.compile(rf"{_FRESH}{_YEAR} *(?P<month>{_N}) *月份?的? *(?P<day>{_N}) *(?:{_DAY_SIGN})?"), _full),
    (re.compile(r"(?<![\d.\-/])(?P<year>\d{4}) ?([-/.]) ?(?P<month>\d{1,2}) ?\2 ?(?P<day>\d{1,2})(?!\d|[-/.]\d)"), _written),
    (re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<month>0[1-9]|1[0-2])(?P<day>[0-3]\d)(?!\d)"), _written),
    (re.compile(rf"(?<![\d.年零一二三四五六七八九十])(?P<month>{_N}) *月份?的? *(?P<day>{_N}) *{_DAY_SIGN}"), _of_year),
    (re.compile(rf"{_SHIFT}月的? *(?P<day>{_N}) *{_DAY_SIGN}"), _of_named_month),
    (re.compile(rf"(?<![第\d月年\-~.:/到至一二三四五六七八九十])(?P<day>{_N})(?:号(?![楼线门桌院窗会柜馆厅文库店机子码])|日(?![内前后以之游均常本元报程子期]))"), _of_month),
    (re.compile(r"(?<![\d./\-:A-Za-z])(?P<month>1[0-2]|0?[1-9])/(?P<day>3[01]|[12]\d|0?[1-9])(?![\d/.%\w])"), _slashed),
    (re.compile(r"(?<![\d./\-:A-Za-z])(?P<month>1[0-2]|0[1-9])-(?P<day>3[01]|[12]\d|0[1-9])(?![\d/.%\-\w])"), _slashed),
    (re.compile(r"(?<![目以之])(?P<day>大前|大后|前|后|昨|今|明)(?:天(?![气子])|日(?![头后]))"), _relative),
    (re.compile(r"(?P<day>昨|今|明)(?:儿|晚|早|晨|夜)"), _relative),
    (re.compile(r"刚刚|刚才|本日"), _just_now),
    (re.compile(rf"(?<![每\d一二两三四五六七八九十几半隔])(?:{_SHIFT})?{_WEEK}的?{_WEEK}?(?P<day>[一二三四五六日天末])(?!年|期)"), _weekday),
    (re.compile(rf"{_SHIFT}{_WEEK}(?![转围期边])"), _week),
    (re.compile(rf"{_SHIFT}月份?的?{_PART}?"), _month),
    (re.compile(rf"(?<![\d第年零一二三四五六七八九十])(?:{_YEAR})?(?P<month>{_N}) *月(?:份|的)?{_PART}?(?![\d饼球])"), _month_of_year),
    (re.compile(r"月(?P<part>初|中|底|末)(?!的一)"), _this_month),
    (re.compile(rf"{_FRESH}{_YEAR}(?:(?P<half>上半|下半)年|年?(?P<time>[初中底末]))?(?![级代度以])"), _year_part),
    (re.compile(r"(?P<year>(?!))?(?P<named>(?!))?(?:(?P<half>上半|下半)年|年(?P<time>[初中底末]))"), _year_part),
    (re.compile(rf"(?:{_YEAR})?第?(?P<number>[一二三四1-4])季度"), _quarter),
    (re.compile(rf"{_SHIFT}季度"), _named_quarter),
    (re.compile(r"(?P<few>前[几些两]天|前两日|这[几两]天|近[几两]天|近日|日前)|(?P<ahead>过[几两]天|改天|过些天)|最近|近期|前阵子|前段时间|前一阵"), _vague),
    (re.compile(rf"(?:{_FRESH}{_YEAR})?{_FEASTS}"), _unknown),
]  # fmt: skip

_AGO = re.compile(r"个?(?P<unit>天|日|周|星期|礼拜|月|年|工作日)(?:之|以)?(?P<way>前|后)(?![台勤面期])")
_HALF = re.compile(r"(?<![个上下])半个?(?P<unit>月|年)(?:之|以)?(?P<way>前|后)(?![台勤面期])")
_LENGTHS = {"天": 1, "日": 1, "工作日": 1, "周": 7, "星期": 7, "礼拜": 7, "月": 30, "年": 365}
_FAR = 1000  # years and more are no day of an office


def moment_at(text: str, start: int, base: date) -> Moment | None:
    """The longest expression for days that begins at `start` of folded `text`; None where none begins."""
    found = _ago(text, start, base)
    for pattern, read in _FORMS:
        match = pattern.match(text, start)
        if match is None or (found and match.end() <= found.end):
            continue
        span = read(match, base)
        if span is not None and match[0].strip():
            found = Moment(start + len(match[0]) - len(match[0].lstrip()), match.end(), span)
    return found


def _ago(text: str, start: int, base: date) -> Moment | None:
    """三天前 is a day; 两周前, 几天前 and 半个月前 are about one."""
    if half := _HALF.match(text, start):
        length = _LENGTHS[half["unit"]] // 2
        return Moment(start, half.end(), _about(base, length, length, half["way"], length // 3))
    figure = None if text[start - 1 : start] in ("第", "月") else figure_at(text, start)
    match = figure and _AGO.match(text, figure.end)
    if figure is None or not match:
        return None
    if figure.low is None:
        return Moment(start, match.end(), _UNKNOWN)
    length = _LENGTHS[match["unit"]]
    low, high = figure.low * length, (figure.high or figure.low) * length
    if low != low.to_integral_value() or not 0 <= low <= high <= _FAR * 365:
        return Moment(start, match.end(), _UNKNOWN)
    if figure.op is Op.EXACT and length == 1 and match["unit"] != "工作日":
        return Moment(start, match.end(), _day(_moved(base, int(low) * (-1 if match["way"] == "前" else 1))))
    return Moment(
        start, match.end(), _about(base, int(low), int(high), match["way"], _slack(figure.op, length))
    )


def _slack(op: Op, length: int) -> int:
    return 10 * length if op in (Op.ABOUT, Op.MORE) else length // 2


def _about(base: date, low: int, high: int, way: str, slack: int) -> Span:
    sign = -1 if way == "前" else 1
    first, second = sorted((sign * (low - slack), sign * (high + slack)))
    return Span(_moved(base, first), _moved(base, second))


def _moved(base: date, days: int) -> date | None:
    """None beyond the calendar's ends."""
    try:
        return base + timedelta(days=days)
    except OverflowError:
        return None
