"""Whether a number that could be an amount is one, by what stands beside it. In doubt it is not."""

import re
from dataclasses import dataclass

from rules.mentions.figures import Op
from rules.mentions.measures import rated_at, unit_at
from rules.mentions.sums import Sum

_LETTER = re.compile(r"[A-Za-z0-9_]")
_PARTED_LEFT = re.compile(r"\d[.:/。·~\-、]$|[.]$|(?<!\d)\d{1,3}[,]$|\d $|\d[)]$|[#@第]$|分之$|[〔\[【]$")
_PARTED_RIGHT = re.compile(r"[.:/~。、·\-]\d| \d{3,}|[〕\]】]|分之")
# A number that names something: 工号 20250012, 内线8012, 型号 R750.
_LABEL = re.compile(
    r"(?:编号|单号|工号|学号|账号|卡号|证号|文号|号码|合同号|订单号|发票号|流水号|序列号|房间号?|内线|分机|手机号|电话号"
    r"|邮编|版本|型号|车牌|身份证|传真|微信|QQ|密码|验证码|No[.]?|SN|ID|PO|IP)(?:是|为|[:： #])*$",
    re.IGNORECASE,
)
_TELEPHONE = re.compile(r"(?:电话|手机|座机|热线|联系)(?:是|为|[: ])*$")
_CUE = re.compile(
    r"(?:预算|金额|价格|单价|总价|价值|报价|标价|总额|费用|经费|款项|合同额|要价|报销|开支|支出|成本"
    r"|花了?|花费|付了?|支付|交了?|用了?|共|共计|合计|总计|改成|改为|调到|调成|按|算|就是|各"
    r"|每[\u4e00-\u9fff]|一[台个套件张部架辆把]|是|为|在|要|才|只|就|给|批|收|值|需|需要"
    r"|超过|不超过|至少|最多|大概|大约|约|左右)(?:了|是|为|在|[: ])*$"
)
_ENDS = re.compile(
    r"(?:$|[\s,。;!?:、)\]】〕\"'”’（(]|[的了吧吗嘛么呢啊呀哦嘛买购就那左上以够整行给来去和与跟或还、]|采购|申请|报销|预算|到账"
    r"|每|元|/[\u4e00-\u9fff])"
)
_PART = re.compile(
    r"的?(?:一半|零头|[\d.]+%|[一二两三四五六七八九十百千万]+分之|[\d一二三四五六七八九几.]+[成倍])"
)
_DATE = re.compile(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
_YEAR = re.compile(r"199\d|20(?!00)\d\d")
_ADVERBS = ("万一", "千一")
_MYRIAD, _HUNDRED = 4, 2
_ACCOUNT = 9  # digits in a row without commas: a telephone, an account
_SMALLEST = 100  # a plain number below it in a sentence may be anything


@dataclass(frozen=True, slots=True)
class Reading:
    """Folded text with the sum, and where its hedges end. `whole`: the text answers for an amount."""

    text: str
    start: int
    end: int
    outer_start: int
    outer_end: int
    bare: bool
    whole: bool


def is_money(reading: Reading, found: Sum, *, hedged: bool) -> bool:
    """Whether the sum stands for money there; `hedged`: a word makes it a bound or an estimate."""
    if _stands_in_another(reading) or found.figure.numeral in _ADVERBS:
        return False
    if found.figure.lone and not _counts(reading, found, hedged):
        return False
    if found.named:
        return not _is_piece(reading)
    if unit_at(reading.text, reading.end) or unit_at(reading.text, reading.outer_end):
        return False
    return _unnamed(reading, found)


def _stands_in_another(reading: Reading) -> bool:
    """Digits of a date, a version, a document number or a word; a label's number."""
    before, after = reading.text[: reading.start], reading.text[reading.end :]
    if _LETTER.match(before[-1:]) or _LETTER.match(after):
        return True
    first = reading.text[reading.start : reading.start + 1]
    if first.isdigit() and _PARTED_LEFT.search(before[-5:]):
        return True
    last = reading.text[reading.end - 1 : reading.end]
    if last.isdigit() and _PARTED_RIGHT.match(after):
        return True
    if _PART.match(after) or (first == "半" and before.endswith("个")):
        return True
    run = reading.text[reading.start : reading.end]
    return before.rstrip(" ").endswith(("第", "分之", "兆")) or _named(before[-12:], run)


def _named(before: str, run: str) -> bool:
    """工号 20250012, 内线8012; a telephone has at least five digits, so that 手机5000 may be its price."""
    telephone = run.isdigit() and len(run) > 4 and _TELEPHONE.search(before)
    return _LABEL.search(before) is not None or bool(telephone)


def _counts(reading: Reading, found: Sum, hedged: bool) -> bool:
    """百万元 is an amount, 万元户 and 千万别 are not."""
    ends = _ENDS.match(reading.text, reading.outer_end) is not None
    return ends and (hedged or (found.named and reading.whole))


def _is_piece(reading: Reading) -> bool:
    """两块硬盘, 一块去: 块 measures, unless money is plain from what follows."""
    text, end = reading.text, reading.end
    if text[end - 1] != "块":
        return False
    if unit_at(text, end - 1):
        return True
    small = len(text[reading.start : end - 1]) == 1 and not text[reading.start].isdigit()
    return small and not (reading.whole or _CUE.search(text[max(0, reading.start - 8) : reading.start]))


def _unnamed(reading: Reading, found: Sum) -> bool:
    """Without a currency 万 and w count money unless they count something else, 千 and 百 by context."""
    text = reading.text
    if text[reading.end - 1] in "kKwW" and rated_at(text, reading.end):
        return False
    if _is_number_of_something(text[reading.start : reading.end], found):
        return False
    if reading.whole:
        return True
    if text[reading.end : reading.end + 1] in ("美", "欧"):
        return False
    if found.figure.magnitude >= _MYRIAD:
        return True
    each = text[reading.outer_end : reading.outer_end + 1] in ("一", "1")
    closed = (each and unit_at(text, reading.outer_end + 1)) or _ENDS.match(text, reading.outer_end)
    cued = _CUE.search(text[max(0, reading.outer_start - 8) : reading.outer_start]) is not None
    if found.figure.magnitude >= _HUNDRED:
        return bool(closed) or cued
    run = text[reading.start : reading.end]
    plain = run.lstrip("-")[:1].isdigit() and (cued or not _YEAR.fullmatch(run))
    large = each or cued or (found.low is not None and abs(found.low) >= _SMALLEST)
    return reading.bare and bool(closed) and plain and large


def _is_number_of_something(run: str, found: Sum) -> bool:
    """0571, 20250305, 13800138000: none begins with 0, and none is that long without commas."""
    digits = run.lstrip("-")
    zero = digits[:1] == "0" and digits[1:2].isdigit()
    return (
        zero
        or _DATE.fullmatch(digits) is not None
        or (found.op is not Op.RANGE and digits.isdigit() and len(digits) >= _ACCOUNT)
    )
