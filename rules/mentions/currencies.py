"""Names and signs of currencies, by ISO 4217; XXX stands for one that its name alone does not settle."""

import re
from dataclasses import dataclass

HOME = "CNY"
UNSETTLED = "XXX"

_AFTER = {
    "CNY": "块钱 元钱 块 元 圆 人民币 RMB CNY yuan ¥",
    "USD": "美元 美金 美圆 美刀 美钞 刀 USD US$ $ dollars dollar",
    "HKD": "港币 港元 港圆 港纸 HKD HK$",
    "EUR": "欧元 欧 EUR € euros euro",
    "JPY": "日元 日圆 日币 円 JPY",
    "GBP": "英镑 英磅 镑 GBP £",
    "KRW": "韩元 韩币 韩圆 KRW ₩",
    "AUD": "澳元 澳币 澳大利亚元 AUD",
    "CAD": "加元 加币 加拿大元 CAD",
    "TWD": "新台币元 新台币 台币 台元 TWD NTD NT$",
    "SGD": "新加坡元 新元 新币 坡币 SGD",
    "NZD": "新西兰元 纽元 NZD",
    "CHF": "瑞士法郎 瑞郎 CHF",
    "RUB": "俄罗斯卢布 卢布 RUB ₽",
    "THB": "泰铢 THB ฿",
    "MOP": "澳门元 澳门币 MOP",
    "INR": "印度卢比 INR ₹",
    "VND": "越南盾 VND ₫",
    "IDR": "印尼盾 印尼卢比 IDR",
    "MYR": "林吉特 马来西亚元 马币 MYR",
    "PHP": "菲律宾比索 PHP",
    "AED": "迪拉姆 AED",
    "NGN": "奈拉 NGN",
    "ZAR": "兰特 ZAR",
    "TRY": "里拉 TRY",
    "BRL": "雷亚尔 BRL",
    UNSETTLED: "卢比 比索 法郎 克朗 第纳尔 盾 里亚尔 USDT 谢克尔 福林 兹罗提 格里夫纳 坚戈 塔卡",
}
_BEFORE = {
    "CNY": "¥",
    "USD": "$ US$ U.S.$ 美$",
    "EUR": "€",
    "GBP": "£",
    "KRW": "₩",
    "HKD": "HK$",
    "JPY": "JP¥",
}
_GENERIC = frozenset({"元", "圆", "块", "块钱", "元钱"})  # 新台币177亿元: also behind another currency
# What makes another word of the character: 两元素, 一块儿, 欧洲, 刀具.
_NOT = {
    "元": "素件旦宵老器组化论年",
    "块": "儿",
    "欧": "洲式盟美",
    "刀": "具片",
    "盾": "牌",
    "圆": "桌珠形规",
    "$": r"\d",
}
# 5万某某币: whatever is named like a currency is not ours.
_UNHEARD = re.compile(
    r" *(?P<word>(?:(?!人民)[^\W\d_的买做要用给和]){1,4}?(?:币|[镑磅铢盾]|法郎|克朗|比索|卢比))(?![值种])"
)
_TITLE = r"(?: *[(](?:人民币|RMB|CNY)[)]|人民币| *RMB)?"


def _words(names: dict[str, str]) -> dict[str, str]:
    return {word: code for code, words in names.items() for word in words.split()}


_CODES = _words(_AFTER) | _words(_BEFORE)


def _alternatives(words: list[str]) -> str:
    parts = [
        re.escape(word)
        + (f"(?![{_NOT[word]}])" if word in _NOT else r"(?![A-Za-z])" if word.isascii() else "")
        for word in sorted(words, key=len, reverse=True)
    ]
    return "|".join(parts)


_BEHIND = re.compile(rf" *(?P<word>{_alternatives(list(_words(_AFTER)))}){_TITLE}", re.IGNORECASE)
_FRONT_WORDS = [word for word in _words(_AFTER) if word not in _GENERIC | {"欧", "刀", "镑", "盾", "$"}]
_FRONT_NAMES = "|".join(re.escape(word) for word in sorted(_FRONT_WORDS, key=len, reverse=True))
_FRONT_SIGNS = "|".join(re.escape(word) for word in sorted(_words(_BEFORE), key=len, reverse=True))
_FRONT = re.compile(
    rf"(?P<word>(?<![A-Za-z])(?:{_FRONT_NAMES})|{_FRONT_SIGNS})(?:[(]?大写[)]?)?[: ]*", re.IGNORECASE
)
_BY_NAME = {word.upper(): code for word, code in _CODES.items()}


@dataclass(frozen=True, slots=True)
class Currency:
    code: str
    end: int
    word: str

    @property
    def generic(self) -> bool:
        return self.word in _GENERIC


def currency_behind(text: str, start: int) -> Currency | None:
    """The currency named right behind a number that ends at `start` of folded `text`."""
    found = _currency(_BEHIND.match(text, start))
    if found and found.generic and (named := _currency(_BEHIND.match(text, found.end))):
        return named  # 5万元美金
    unheard = None if found else _UNHEARD.match(text, start)
    return Currency(UNSETTLED, unheard.end(), unheard["word"]) if unheard else found


def currency_in_front(text: str, start: int) -> Currency | None:
    """The currency named at `start`, up to where its number should begin."""
    return _currency(_FRONT.match(text, start))


def _currency(match: re.Match[str] | None) -> Currency | None:
    return match and Currency(_BY_NAME[match["word"].upper()], match.end(), match["word"])
