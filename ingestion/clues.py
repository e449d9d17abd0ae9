"""Clues 线索 to a document's version, validity and origin, each with the words it was read from.

Patterns only: which clue wins, and what is said about a document as a whole, is decided in `metadata`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from ingestion.dates import DATE, date_in_name, parse_date
from ingestion.literals import parse_number


class Field(StrEnum):
    """What a clue tells; the value names it for a reader."""

    TITLE = "标题"
    VERSION = "版本"
    EFFECTIVE = "生效日期"
    EXPIRES = "失效日期"
    PUBLISHED = "发布日期"
    UPDATED = "更新日期"
    ISSUER = "发布单位"
    NUMBER = "文号"
    DRAFT = "草稿标记"
    TRIAL = "试行标记"


class Origin(StrEnum):
    TEXT = "正文"
    REVISION_TABLE = "修订记录"
    FILE_NAME = "文件名"
    METADATA = "文件属性"


@dataclass(frozen=True, slots=True)
class Clue:
    """`value` is what was read (dates as YYYY-MM-DD), `quote` the words of the source it was read from."""

    field: Field
    value: str
    quote: str
    origin: Origin

    @property
    def day(self) -> date:
        """The value of a date field. Raises ValueError for other fields."""
        return date.fromisoformat(self.value)

    def __str__(self) -> str:
        return f"{self.origin}：{self.field}为{self.value}（原文“{self.quote}”）"


_IN_FORCE = r"(?:正式)?(?:施行|实施|生效|执行|试行|启用|实行)"
_EFFECTIVE = re.compile(rf"(?:自|从)\s*({DATE})\s*(?:之日)?(?:零时)?起?[，,]?\s*(?:开始)?{_IN_FORCE}")
_EFFECTIVE_BARE = re.compile(rf"({DATE})\s*起?\s*{_IN_FORCE}")
_EFFECTIVE_LABEL = re.compile(
    rf"(?:生效|施行|实施|执行|启用)(?:日期|时间|日)\s*(?:[:：为|]|\s)\s*({DATE})"
    rf"|effective(?:_date)?\s*[:：]\s*({DATE})",
    re.IGNORECASE,
)
_FROM_PUBLICATION = re.compile(rf"自(?:发布|公布|印发|颁布|下发)之日起{_IN_FORCE}")
FROM_DAY = re.compile(rf"自\s*({DATE})\s*起(?!至)")
_AMENDED = re.compile(rf"根据\s*({DATE})[^，；）)]{{0,80}}(?:修正|修订|修改)")
_OWN_SUBJECT = re.compile(rf"(?:本[一-鿿]{{1,8}}|起{_IN_FORCE})[^。]{{0,20}}$")
_OTHER_SUBJECT = re.compile(r"》[^本]{0,12}$")
_OTHER_SUBJECT_IN_HEAD = re.compile(r"》[^本。；]{0,12}[于自从]\s*$")  # 《手册》2024年…发布 is a title line
_OTHER_OBJECT = re.compile(r"\s*[的《]")  # 2020年1月1日施行的《甲办法》, …起执行的标准
NUMBER = r"[一-鿿]{1,14}\s*[〔\[【（(]\s*(?:19|20)\d{2}\s*[〕\]】）)]\s*(?:第\s*)?\d{1,5}\s*号"
CITES = r"根据|依据|按照|依照|参照|遵照|贯彻|落实|违反"
_CITED_TITLE = re.compile(rf"(?:{CITES}|现将|对|原)[^《》，,。]{{0,8}}《[^，,。]*$|废止|代替|替代")
_CITED_NUMBER = re.compile(rf"(?:{CITES})[一-鿿]{{0,20}}(?:{NUMBER})?$")
_REPEALED = re.compile(r"[^《。]{0,20}(?:废止|停止执行|失效|作废)")
_VALID_UNTIL = r"(?:有效期|试行期|执行期)限?截?(?:至|到|止)"
_EXPIRES = re.compile(
    rf"{_VALID_UNTIL}\s*[:：为]?\s*({DATE})|失效日期\s*[:：为]\s*({DATE})|执行至\s*({DATE})"
)
_EXPIRES_LABEL = re.compile(
    rf"(?:^|[\s|；;，,（(])(?:(?:{_VALID_UNTIL}|(?:失效|废止)(?:日期|时间|日))\s*[:：为|]?\s*({DATE})"
    rf"|有效期限?\s*[:：为|]\s*自?\s*(?:{DATE})\s*起?\s*[至到—–~～-]+\s*({DATE})"
    rf"|(?:expir(?:es|y)|valid_until)(?:_date)?\s*[:：]\s*({DATE}))",
    re.IGNORECASE,
)
_YEARS = re.compile(r"(?:有效期|试行期)(?:限)?(?:为)?\s*([\d一二两三四五六七八九十]{1,3})\s*年")
_PUBLISHED = re.compile(
    rf"(?:发布|印发|公布|颁布|发文|签发)(?:日期|时间)\s*(?:[:：为|]|\s)\s*({DATE})"
    rf"|({DATE})\s*(?:发布|印发|公布|颁布|通过)"
)
_UPDATED = re.compile(
    rf"(?:更新|修订|修改|编写|编制|修正)(?:日期|时间)\s*[:：为|]\s*({DATE})|({DATE})\s*(?:更新|修订|修正)"
)
_UPDATED_NAME = re.compile(r"更新|修订|修改|update", re.I)

_PARTS = r"\d+(?:\.\d+){0,3}"
_NUMBERED = rf"[Vv]?\s*{_PARTS}"
_ISSUE = r"第\s*[\d一二三四五六七八九十]+\s*版"
_EDITION = r"(?:19|20)\d{2}\s*年?(?:\d{1,2}月)?\s*(?:修订|修正)版?|(?:19|20)\d{2}\s*年?版"
_VERSION_TEXT = re.compile(
    rf"版本号?\s*[:：为]\s*({_NUMBERED}[a-zA-Z]?)(?![\d年月-])|^version\s*[:：]\s*({_NUMBERED})"
    rf"|({_ISSUE})(?!权|面|本)|[（(【\[]\s*([Vv]\s*{_PARTS})\s*[）)】\]]|[（(]\s*({_EDITION})\s*[）)]",
    re.MULTILINE | re.IGNORECASE,
)
_VERSION_CELL = re.compile(rf"{_NUMBERED}[a-zA-Z]?|{_ISSUE}")
# By what they are worth: a number says more than an edition, an edition more than 最终版.
_VERSION_NAMES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?<![A-Za-z])([Vv]\s?{_PARTS})(?![A-Za-z\d])",
        rf"({_EDITION})",
        rf"({_ISSUE})",
        r"(\d{2,4}[.．]\d{1,2}[.．]\d{1,2}\s*更新)",
        r"((?:最终|终|定稿|正式|最新)[版稿]|定稿)",
    )
)
_DRAFT_WORD = r"征求意见稿|送审稿|报批稿|讨论稿|初稿|草案|草稿"
_DRAFT = re.compile(_DRAFT_WORD)
_DRAFT_MARK = re.compile(rf"[（(【\[]\s*(?:{_DRAFT_WORD})\s*[）)】\]]|^\s*(?:{_DRAFT_WORD})\s*$")
_TRIAL = re.compile(r"[（(【\[]\s*(试行|暂行)\s*[）)】\]]|(暂行)(?:办法|规定|条例|细则)")

_NUMBER = re.compile(NUMBER)
_NUMBER_LABEL = re.compile(
    r"(?:文\s*号|发文字号|文件编号|文档编号|制度编号|文件号)\s*[:：为|]\s*([^\s，。；,;|）)]{3,40})"
)
_ISSUER_LABEL = re.compile(
    r"(?:发布|发文|印发|制定|编制|归口|颁布|主办|责任)(?:单位|机关|部门|机构|者)\s*[:：为|]\s*([^\s，。；,;|]{2,40})"
)
_LETTERHEAD = re.compile(r"^\s*([一-鿿]{2,30})文件\s*$")
_BODY_NAME = re.compile(
    r"[一-鿿（）()]{2,28}"
    r"(?:局|部|委|厅|处|科|公司|集团|办公室|院|委员会|中心|大学|学院|学校|人民政府|协会|银行)"
)


def in_text(text: str) -> Iterator[Clue]:
    """Days of validity in any paragraph or row; what another document (《…》自…起施行) has is no clue."""
    for found in _EFFECTIVE.finditer(text):
        if not (_OTHER_SUBJECT.search(text[: found.start()]) or _OTHER_OBJECT.match(text, found.end())):
            yield from _day(Field.EFFECTIVE, found[1], found[0])
    for found in _EXPIRES.finditer(text):
        if _OWN_SUBJECT.search(text[: found.start()]):
            yield from _day(Field.EXPIRES, _first(found), found[0])


def in_head(text: str) -> Iterator[Clue]:
    """What only the first lines of a document say about the document itself, not about one they cite."""
    yield from _dated(Field.EFFECTIVE, _EFFECTIVE_LABEL, text)
    yield from _dated(Field.EFFECTIVE, _EFFECTIVE_BARE, text)
    yield from _dated(Field.EXPIRES, _EXPIRES_LABEL, text)
    yield from _dated(Field.PUBLISHED, _PUBLISHED, text)
    yield from _dated(Field.UPDATED, _UPDATED, text)
    yield from _dated(Field.UPDATED, _AMENDED, text)
    if (found := _VERSION_TEXT.search(text)) and not _is_cited(text, found):
        yield Clue(Field.VERSION, _first(found), found[0].strip(), Origin.TEXT)
    if found := _NUMBER_LABEL.search(text):
        yield Clue(Field.NUMBER, found[1], found[0], Origin.TEXT)
    elif len(text) <= 60 and (found := _NUMBER.search(text)) and _is_own_number(text, found):
        yield Clue(Field.NUMBER, found[0], found[0], Origin.TEXT)
    if found := _ISSUER_LABEL.search(text) or _LETTERHEAD.search(text):
        yield Clue(Field.ISSUER, found[1], found[0].strip(), Origin.TEXT)
    if len(text) <= 60:
        yield from marks(text, Origin.TEXT)


def marks(text: str, origin: Origin) -> Iterator[Clue]:
    """征求意见稿, 送审稿, 初稿 (a draft) and 试行, 暂行 (in force on trial)."""
    found = _DRAFT.search(text) if origin is Origin.FILE_NAME else _DRAFT_MARK.search(text)
    if found and not _is_cited(text, found):
        yield Clue(Field.DRAFT, found[0].strip("（(【[）)】] \t"), found[0].strip(), origin)
    if (found := _TRIAL.search(text)) and not _is_cited(text, found):
        yield Clue(Field.TRIAL, _first(found), found[0], origin)


def in_name(stem: str) -> Iterator[Clue]:
    """Version, date and marks in a file name without its extension."""
    labels = [found for pattern in _VERSION_NAMES if (found := pattern.search(stem))]
    if labels:
        yield Clue(Field.VERSION, labels[0][1].strip(), labels[0][0], Origin.FILE_NAME)
    day = date_in_name(stem)
    if day is not None and _UPDATED_NAME.search(stem):
        yield Clue(Field.UPDATED, day.isoformat(), stem, Origin.FILE_NAME)
    elif day is not None:
        yield Clue(Field.PUBLISHED, day.isoformat(), stem, Origin.FILE_NAME)
    yield from marks(stem, Origin.FILE_NAME)


def in_revision_table(rows: Sequence[Sequence[str]]) -> Iterator[Clue]:
    """Version and date of the newest row of a revision record, which may be sorted either way."""
    entries = [row for row in rows if any(parse_date(cell) for cell in row)]
    if not entries:
        return
    newest = max(range(len(entries)), key=lambda place: (max(_days(entries[place])), place))
    row = entries[newest]
    quote = " ".join(cell for cell in row if cell)
    yield Clue(Field.UPDATED, max(_days(row)).isoformat(), quote, Origin.REVISION_TABLE)
    cells = (cell.strip() for cell in row)
    if version := next((cell for cell in cells if _VERSION_CELL.fullmatch(cell)), ""):
        yield Clue(Field.VERSION, version, quote, Origin.REVISION_TABLE)
    if found := _DRAFT.search(quote):
        yield Clue(Field.DRAFT, found[0], quote, Origin.REVISION_TABLE)


def from_publication(text: str) -> str | None:
    """The words 「自发布之日起施行」, if they are there."""
    found = _FROM_PUBLICATION.search(text)
    return found[0] if found else None


def from_day(text: str) -> Clue | None:
    """「自2024年5月6日起」 without a verb: how a notice dates its change."""
    found = FROM_DAY.search(text)
    return next(_day(Field.EFFECTIVE, found[1], found[0]), None) if found else None


def years_valid(text: str) -> int | None:
    """Years of validity of this document (本办法…有效期五年), None when it gives none."""
    for found in _YEARS.finditer(text):
        number = parse_number(found[1])
        if number and _OWN_SUBJECT.search(text[: found.start()]):
            return int(number)
    return None


def sign_off(lines: Sequence[str]) -> Iterator[Clue]:
    """The last lines of a notice: who issues it, and under it the day alone on its line."""
    for above, line in zip(("", *lines), lines, strict=False):
        day = parse_date(line) if re.fullmatch(rf"\s*(?:{DATE})\s*", line) else None
        if day is None:
            continue
        yield Clue(Field.PUBLISHED, day.isoformat(), line.strip(), Origin.TEXT)
        if _BODY_NAME.fullmatch(above.strip()):
            yield Clue(Field.ISSUER, above.strip(), above.strip(), Origin.TEXT)


def expiry(start: date, years: int) -> date:
    """The first day after `years` years of validity; from 29 February it is 1 March."""
    try:
        return start.replace(year=start.year + years)
    except ValueError:
        return start.replace(year=start.year + years, day=28) + timedelta(days=1)


def _is_cited(text: str, found: re.Match[str]) -> bool:
    """Whether what was found stands at the title of a document that the text cites or repeals."""
    return bool(_CITED_TITLE.search(text[: found.end()]) or _REPEALED.match(text, found.end()))


def _is_own_number(text: str, found: re.Match[str]) -> bool:
    """A number of the document itself stands apart: 财行〔2013〕531号规定 is another's."""
    before, apart = text[: found.end()], not re.match(r"(?!签发)[一-鿿]", text[found.end() :])
    return apart and "《" not in before and not _CITED_NUMBER.search(before)


def _dated(field: Field, pattern: re.Pattern[str], text: str) -> Iterator[Clue]:
    for found in pattern.finditer(text):
        other = _OTHER_SUBJECT_IN_HEAD.search(text[: found.start()])
        if not (other or _OTHER_OBJECT.match(text, found.end())):
            yield from _day(field, _first(found), found[0])


def _day(field: Field, written: str, quote: str) -> Iterator[Clue]:
    day = parse_date(written)
    if day is not None:
        yield Clue(field, day.isoformat(), quote.strip(), Origin.TEXT)


def _days(row: Sequence[str]) -> list[date]:
    return [day for cell in row if (day := parse_date(cell)) is not None]


def _first(found: re.Match[str]) -> str:
    return next((group for group in found.groups() if group), found[0]).strip()
