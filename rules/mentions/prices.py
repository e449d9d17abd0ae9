"""Whether an amount is the price of one: 每台八千, 8000元/套, 四万一台, 单价2300."""

import re

from rules.mentions.measures import unit_at

_EACH = re.compile(r"每(?:一|1)?|单(?=[台个套件人])|(?<![\d十百千万第])[一1]|平均每?")
_LINK = re.compile(
    r"(?:的|价格?|单价|费用|预算|要价?|是|为|需要?|大?约|在|只要?|卖|报价|才|就|也|不?超过|不?到|:| )*"
)
_NAMELESS = re.compile(r"(?:单价|均价|平均|各自?)(?:是|为|约|在|要|:| )*$")
_AFTER = re.compile(r" *(?:/|每|一|1|per )")
_TIMES_FRONT = re.compile(r"[*×xX乘] *$")
_TIMES_BEHIND = re.compile(r" *(?:[*×xX]|乘以?) *\d")
_NOUN = 8  # 每台服务器4万: letters of the noun between, after 每 only
_NEAR = 20  # letters before the amount


def priced_by(text: str, start: int, end: int) -> str | None:
    """The measure word the price goes by; "" where none is named; None when it is no unit price."""
    if after := _AFTER.match(text, end):
        unit = unit_at(text, after.end())
        if unit:
            return unit
    before = text[max(0, start - _NEAR) : start]
    if _NAMELESS.search(before) or _TIMES_FRONT.search(before) or _TIMES_BEHIND.match(text, end):
        return ""
    return _in_front(before)


def each_behind(text: str, end: int) -> int:
    """Where 一台 or /台 ends that stands at `end`; `end` when none does."""
    after = _AFTER.match(text, end)
    return after.end() + len(unit_at(text, after.end())) if after and unit_at(text, after.end()) else end


def _in_front(text: str) -> str | None:
    """The nearest 每台 or 一台 in the clause before the amount."""
    clause = re.split(r"[,。;!?\n]", text)[-1]
    for each in reversed(list(_EACH.finditer(clause))):
        unit = unit_at(clause, each.end())
        between = clause[each.end() + len(unit) :]
        if not unit:
            continue
        if each[0] in "一1":  # 一台四万 opens its clause; in 申请一台4万的 it is how many
            return unit if _LINK.fullmatch(between) and not clause[: each.start()].strip() else None
        if _LINK.fullmatch(between) or len(between) <= _NOUN:
            return unit
    return None
