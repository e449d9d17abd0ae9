"""Literals 字面量: document numbers, articles, dates, amounts and codes, found before any word is cut.

Each has a normal form, so that 「五万元」 and 「50,000元」, 「第十二条」 and 「第12条」 meet. Works on text
that went through `analyzer.fold` (NFKC, simplified, lower case). Amounts and bounds are read by
`rules.mentions.amounts`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum


class LiteralKind(StrEnum):
    DOCUMENT_NUMBER = "document_number"  # 国发〔2023〕5号
    ORDINAL = "ordinal"  # 第十二条, 第三章, 第2次
    DATE = "date"
    PERCENT = "percent"
    QUANTITY = "quantity"  # a number with its unit
    NUMBER = "number"
    CODE = "code"  # GB/T-19001, PS-200, v3.2, 010-6655


@dataclass(frozen=True, slots=True)
class Literal:
    """`tokens[0]` is the normal form; the rest are coarser forms that may match too. Offsets: folded text."""

    kind: LiteralKind
    start: int
    end: int
    tokens: tuple[str, ...]

    @property
    def normal(self) -> str:
        return self.tokens[0]


_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {
    "〇": 0, "两": 2, "壹": 1, "贰": 2, "叁": 3, "肆": 4, "伍": 5, "陆": 6, "柒": 7, "捌": 8, "玖": 9,
}  # fmt: skip
_PLACES = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8}
_ZEROS = str.maketrans("○ＯOo0", "〇〇〇〇〇")
_TOKEN = re.compile(r"\d+(?:\.\d+)?|.", re.DOTALL)
_CHINESE = "零〇一二三四五六七八九十百千万亿两壹贰叁肆伍陆柒捌玖拾佰仟"
_ARABIC = r"\d+(?:,\d{3})*(?:\.\d+)?"
_MIXED = rf"{_ARABIC}(?:\s?[百千万亿]+(?:\d{{1,4}}[百千万]+)*(?:\d(?![\d.,]))?)?"  # 3万5千, 3万5
_NUMBER = rf"(?:{_MIXED}|[{_CHINESE}]+)"
_UNITS = (
    "个工作日|工作日|个自然日|个月|个小时|小时|分钟|平方米|立方米|公里|千米|公斤|千克|美元|港元|欧元|人民币|元|圆|块|"
    "年|月|周|日|天|岁|倍|人|名|户|次|份|台|件|套|辆|米|吨|克|页"
)
_SAME_UNIT = {"圆": "元", "块": "元", "人民币": "元", "个工作日": "工作日", "个自然日": "日", "天": "日",
              "个小时": "小时", "千米": "公里", "千克": "公斤"}  # fmt: skip
_MONTH_DAY = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"

_LINE = re.compile(r"^[ \t]*(?=第)", re.MULTILINE)
_REFERS = re.compile(r"第|规定|所|的|[、,]|[和与或及至到]")

_PATTERN = re.compile(
    rf"""
    (?P<document_number>[一-鿿]{{0,2}}[〔\[(【〈]\s?(?P<doc_year>(?:19|20)\d\d)年?\s?[〕\])】〉]\s?第?\s?(?P<doc_n>\d{{1,5}})\s?号)
  | (?P<ordinal>第\s?(?P<ord_n>\d+|[{_CHINESE}]+)\s?(?P<ord_unit>[条章节款项编目次届批期位名步号])
        (?:之(?P<ord_sub>\d+|[一二三四五六七八九十]+))?)
  | (?P<date>(?P<year>(?:1[0-9]|20)\d\d|[一二][〇零○o0一二三四五六七八九]{{3}})\s?年
        (?:\s?(?P<month>{_MONTH_DAY})\s?月(?:份|\s?(?P<day>{_MONTH_DAY})\s?[日号])?)?)
  | (?P<iso>(?<![\d.-])(?P<iso_y>(?:19|20)\d\d)
        (?P<iso_sep>[-/.])(?P<iso_m>\d{{1,2}})(?P=iso_sep)(?P<iso_d>\d{{1,2}})(?![\d.-]))
  | (?P<monthday>(?P<md_m>{_MONTH_DAY})\s?月\s?(?P<md_d>{_MONTH_DAY})\s?[日号])
  | (?P<percent>(?:百分之(?P<pct_zh>{_NUMBER}))|(?P<pct>{_ARABIC})\s?%)
  | (?P<code>(?<![a-z0-9])(?=[a-z0-9._/&+@-]*[a-z_@/&+-])
        (?=[a-z0-9._/&+@-]*[0-9._/&+@-])[a-z0-9]+(?:[-_./&+@]?[a-z0-9]+)+
        |(?<![\d.])\d+(?:\.\d+){{2,}}(?![\d.]))
  | (?P<quantity>(?P<qty>{_NUMBER})\s?(?P<unit>{_UNITS}))
  | (?P<number>{_MIXED}|[{_CHINESE}]{{2,}})
    """,
    re.VERBOSE,
)
_PART = re.compile(r"[a-z]+|\d+")


def parse_number(text: str) -> Decimal | None:
    """The value of an Arabic, Chinese or mixed number (3.5万, 3万5千, 五万, 二〇二三); None if it is none.

    A last digit right behind a place counts in the next lower one, as it is spoken: 一万五 is 15000, 一百零二
    is 102. Zeros may be written as circles or letters: 二0二四.
    """
    text = text.replace(",", "").replace(" ", "")
    if text[:1] not in _DIGITS and text[:1] not in ("十", "拾") and not text[:1].isdecimal():
        return None  # 万一, 千万: a word, not a value
    digits = text if text[0].isdecimal() else text.translate(_ZEROS)
    if all(c in _DIGITS for c in digits):
        return Decimal("".join(str(_DIGITS[c]) for c in digits))
    return _parse_places(text)


def _parse_places(text: str) -> Decimal | None:
    total = section = digit = Decimal(0)
    place = myriad = 1  # of the last place word, of the last 万 or 亿
    before = ""
    for token in _TOKEN.findall(text):
        if before and before[0].isdecimal() and (token in _DIGITS or token[0].isdecimal()):
            return None  # 2〇
        if token[0].isdecimal():
            digit = Decimal(token)
        elif token in _DIGITS:
            digit = Decimal(_DIGITS[token])
        elif token in _PLACES:
            place = _PLACES[token]
            section, digit = section + (digit or 1) * place, Decimal(0)
        elif token in _MYRIADS:
            place = _MYRIADS[token]
            above = total if place >= myriad else Decimal(0)  # 三万亿 is 3万 of 亿; 一亿二千万 a sum
            total += (above + section + digit) * place - above
            section, digit, myriad = Decimal(0), Decimal(0), place
        else:
            return None
        last, before = before, token
    if 0 < digit < 10 and place >= 100 and last and last in "百佰千仟万亿":
        digit *= place // 10
    return total + section + digit


def _plain(value: Decimal) -> str:
    return format(value.normalize(), "f")


def find_literals(text: str) -> Iterator[Literal]:
    """The literals of folded text, in order, not overlapping."""
    for match in _PATTERN.finditer(text):
        kind = next(name for name in _READERS if match[name] is not None)
        found = _READERS[kind](match)
        if found is not None:
            yield found


def opening_ordinals(text: str) -> frozenset[str]:
    """Normal forms of the ordinals that lines of folded text begin with: 「第十二条 职工……」 is that article.

    「第十二条规定的……」 at the beginning of a line only refers to one.
    """
    found = (_PATTERN.match(text, match.end()) for match in _LINE.finditer(text))
    read = (_ordinal(m) for m in found if m and m["ordinal"] and not _REFERS.match(text, m.end()))
    return frozenset(literal.normal for literal in read if literal is not None)


def _literal(kind: LiteralKind, match: re.Match[str], *tokens: str) -> Literal:
    return Literal(kind, match.start(), match.end(), tuple(dict.fromkeys(tokens)))


def _document_number(match: re.Match[str]) -> Literal:
    core = f"〔{match['doc_year']}〕{match['doc_n']}号"
    prefix = re.match(r"[一-鿿]*", match.group())
    head = prefix.group() if prefix else ""
    year = f"{match['doc_year']}年"
    return _literal(LiteralKind.DOCUMENT_NUMBER, match, head + core, core, *([head] if head else []), year)


def _ordinal(match: re.Match[str]) -> Literal | None:
    value = parse_number(match["ord_n"])
    if value is None:
        return None
    normal = f"第{_plain(value)}{match['ord_unit']}"
    if match["ord_sub"]:
        return _literal(LiteralKind.ORDINAL, match, f"{normal}之{_whole(match['ord_sub'])}", normal)
    return _literal(LiteralKind.ORDINAL, match, normal)


def _whole(text: str | None) -> int | None:
    value = parse_number(text) if text else None
    return None if value is None else int(value)


def _date_tokens(year: int | None, month: int | None, day: int | None) -> tuple[str, ...]:
    """Finest first: 2023年5月1日, 2023年5月, 2023年."""
    forms = []
    if year is not None:
        forms.append(f"{year}年")
    if month is not None:
        forms.append(f"{forms[-1] if forms else ''}{month}月")
    if day is not None:
        forms.append(f"{forms[-1] if forms else ''}{day}日")
    return tuple(reversed(forms))


def _date(match: re.Match[str]) -> Literal:
    tokens = _date_tokens(_whole(match["year"]), _whole(match["month"]), _whole(match["day"]))
    return _literal(LiteralKind.DATE, match, *tokens)


def _iso(match: re.Match[str]) -> Literal:
    tokens = _date_tokens(int(match["iso_y"]), int(match["iso_m"]), int(match["iso_d"]))
    return _literal(LiteralKind.DATE, match, *tokens)


def _monthday(match: re.Match[str]) -> Literal:
    tokens = _date_tokens(None, _whole(match["md_m"]), _whole(match["md_d"]))
    return _literal(LiteralKind.DATE, match, *tokens)


def _percent(match: re.Match[str]) -> Literal | None:
    value = parse_number(match["pct_zh"] or match["pct"])
    return None if value is None else _literal(LiteralKind.PERCENT, match, f"{_plain(value)}%")


def _code(match: re.Match[str]) -> Literal:
    parts = _PART.findall(match.group())
    return _literal(LiteralKind.CODE, match, match.group(), *(p for p in parts if len(p) > 1))


def _quantity(match: re.Match[str]) -> Literal | None:
    value = parse_number(match["qty"])
    if value is None:
        return None
    number, unit = _plain(value), _SAME_UNIT.get(match["unit"], match["unit"])
    bare = (number,) if len(number) > 1 else ()  # a single digit alone says nothing
    return _literal(LiteralKind.QUANTITY, match, number + unit, *bare)


def _number(match: re.Match[str]) -> Literal | None:
    text = match.group()
    if not text[0].isdigit() and not any(c in _PLACES or c in _MYRIADS for c in text):
        return None  # 一一, 三五: left to the dictionary
    value = parse_number(text)
    return None if value is None else _literal(LiteralKind.NUMBER, match, _plain(value))


_READERS = {
    "document_number": _document_number,
    "ordinal": _ordinal,
    "date": _date,
    "iso": _iso,
    "monthday": _monthday,
    "percent": _percent,
    "code": _code,
    "quantity": _quantity,
    "number": _number,
}
