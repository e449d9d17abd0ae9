"""Expected answer type 答案类型: what kind of value a question asks for, and whether a sentence holds one.

A passage about the right thing that names no sum of money does not answer 「多少钱」. Question classification
by patterns after Li and Roth (2002), only for kinds that can be recognised in a sentence without a model.
Works on text that went through `analyzer.fold`.
"""

import re
from enum import StrEnum


class AnswerType(StrEnum):
    MONEY = "money"
    DURATION = "duration"
    CLOCK = "clock"
    TIME = "time"  # a day, a year, a season
    RATE = "rate"
    CONTACT = "contact"
    OFFICE = "office"  # a department or a post
    COUNT = "count"  # of what the question's measure word counts
    NUMBER = "number"


_HOW_MANY = r"(?:多少|几)"
_PAID = "费|款|金|价|薪|租|工资|补贴|补助|津贴|额度|限额|预算|补偿|赔偿|罚"
_ASKED: tuple[tuple[AnswerType, re.Pattern[str]], ...] = (
    (AnswerType.CONTACT, re.compile(r"手机号|分机|内线|(?:电话|邮箱).{0,4}[是多几]|打(?:哪个|什么)电话")),
    (
        AnswerType.RATE,
        re.compile(
            rf"百分之{_HOW_MANY}|(?:率|比例|占比|百分比|折扣)[^，。,]{{0,4}}{_HOW_MANY}|{_HOW_MANY}折"
        ),
    ),
    (
        AnswerType.MONEY,
        re.compile(
            rf"{_HOW_MANY}(?:钱|元|块|万元|万块|美元|欧元)"
            rf"|(?:{_PAID})[^，。,]{{0,6}}(?:是|为|收|给|发|要|交|罚|补)?多少(?!天|日|年|岁|人|次|个)"
        ),
    ),
    (AnswerType.CLOCK, re.compile(r"几点|几时")),
    (
        AnswerType.DURATION,
        re.compile(rf"多久|多长时间|{_HOW_MANY}个?(?:工作日|自然日|天|周|星期|小时|分钟|年)|{_HOW_MANY}个月"),
    ),
    (
        AnswerType.TIME,
        re.compile(r"什么时候|何时|哪天|哪一?年|哪一[天日]|几号|几月|哪个月|什么时间|哪个日子"),
    ),
    (AnswerType.OFFICE, re.compile(r"哪[个些](?:部门|单位|机构|科室|岗位)|什么部门|找哪")),
)
_PAID_HEADER = re.compile(rf"{_PAID}|限额|标准")
_PLAIN_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_MEASURE = re.compile(r"(?<!哪)(?:几|多少)个?(?P<measure>[人名位个次台件份家页条张套辆间层门道题票枚瓶])")
_QUANTITY = re.compile(r"多少|(?<!哪)几(?![内何乎])|多大|多高|多重|多远|多宽")

_N = r"(?:\d[\d,.]*|[零〇一二三四五六七八九十百千万亿两半]+)\s?[百千万亿]*"
_HELD: dict[AnswerType, re.Pattern[str]] = {
    AnswerType.CONTACT: re.compile(r"\d{4,}|@"),
    AnswerType.RATE: re.compile(rf"[%‰]|百分之|{_N}[成折倍]|全额"),
    AnswerType.MONEY: re.compile(
        rf"{_N}[余多]?\s?(?:元|圆|块|美元|人民币|欧元|港元|英镑|日元|角|分钱)|[¥$￥]|免费|不收|全额|[百千万亿]元"
    ),
    AnswerType.CLOCK: re.compile(rf"\d{{1,2}}\s?[::]\s?\d{{2}}|{_N}[点时]"),
    AnswerType.DURATION: re.compile(
        rf"{_N}\s?[多余]?个?(?:工作日|自然日|日|天|周|星期|月|小时|分钟|年|学期|季度|秒)"
        r"|[当次][天日]|即时|永久|长期|随时|立即"
    ),
    AnswerType.TIME: re.compile(
        rf"{_N}\s?(?:年|月|日|号|世纪|点|时)|\d{{4}}[-/.]\d|(?:星期|周)[一二三四五六日天末]|每[年月周日天季]"
        rf"|[次当][年月日天]|[前后]{_N}|{_N}[^，。,]{{0,4}}[前后内]|之[前后]|[年月][底初]|随时|届满"
    ),
    AnswerType.OFFICE: re.compile(r"[部处科室局院委会]|经理|领导|负责人|主任|中心|公司|专员|主管|管理员|岗"),
    AnswerType.NUMBER: re.compile(r"\d|[一二三四五六七八九十百千万亿两半]"),
}
_CONTACTS = (  # what is asked for by name must be of that form
    (re.compile(r"手机"), re.compile(r"1\d{10}|1\d{2}[- ]\d{4}[- ]\d{4}")),
    (re.compile(r"邮箱|邮件"), re.compile(r"@")),
)
_SAME_MEASURE = {"人": "人名位", "名": "人名位", "位": "人名位", "题": "题道", "道": "题道"}


class Expected:
    """What `question` (folded) asks for; `kind` is None when it is nothing that can be recognised."""

    __slots__ = ("_held", "kind")

    def __init__(self, question: str) -> None:
        self.kind, self._held = _classify(question)

    def in_sentence(self, sentence: str) -> bool:
        """Whether the folded sentence holds such a value; never for a question without a kind."""
        return self._held is not None and self._held.search(sentence) is not None

    def in_cell(self, header: str, value: str, unit: str = "") -> bool:
        """Whether a folded table cell holds such a value; its unit may be stated elsewhere, or be left out
        under a header that names money."""
        if self.kind is AnswerType.MONEY and _PLAIN_NUMBER.fullmatch(value) and _PAID_HEADER.search(header):
            return True
        return self.in_sentence(f"{value}{unit}")


def _classify(question: str) -> tuple[AnswerType | None, re.Pattern[str] | None]:
    for kind, asked in _ASKED:
        if asked.search(question):
            return kind, _contact(question) if kind is AnswerType.CONTACT else _HELD[kind]
    measure = _MEASURE.search(question)
    if measure:
        units = _SAME_MEASURE.get(measure["measure"], measure["measure"])
        return AnswerType.COUNT, re.compile(rf"{_N}\s?[多余]?个?[{units}]")
    if _QUANTITY.search(question):
        return AnswerType.NUMBER, _HELD[AnswerType.NUMBER]
    return None, None


def _contact(question: str) -> re.Pattern[str]:
    forms = (held for asked, held in _CONTACTS if asked.search(question))
    return next(forms, _HELD[AnswerType.CONTACT])
