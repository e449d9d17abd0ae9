"""Whether characters that spell a name are one: 高峰期 names no 高峰, 工程总投资 no 程总, 张维加 no 张维."""

import re

# Words that end in a surname and would lend it to what follows.
_WORDS = (
    r"[工流过课全日议行里规章进专前远历旅]程|[阶手时路地片分波一两几]段|[一二三两几每半数这那紧主夸扩开纸慌伸嚣]张|[任如为]何"
    r"|[每本上下这一二三两四几双多周]周|[提较最新升增崇]高|[明空表黑坦]白|[也允或少许兴]许|[照回不环兼]顾|[茶树枝红]叶|[低高升降体室]温"
    r"|[东西南北双多各地对甲乙官]方|[资黄奖基现]金|[完达变组形生]成|[小当及随按准临]时|[正日平经非异]常|[平不保治公]安|[说证声]明"
    r"|[副正代]董"
)
_LOOKED_BACK = 4  # characters; no word of the lists is longer
_BEFORE = re.compile(rf"(?:{_WORDS})$")
_BEFORE_NAME = re.compile(r"(?:[早晚]|用电|客流|网络|流量)$")
_AFTER_NAME = re.compile(r"期|时[段间候]|值|论坛|季|流量|皑皑|公主|节|塔")
_LONGER_NAME = re.compile(
    r"[㐀-鿿](?:怎么|如何|为什么|认为|觉得|反对|赞成|同意|主张|支持|是怎么|是不是|说过|对.{1,12}怎么)"
)
_FOLLOWS = re.compile(
    r"[,。?!:、;\s）)]|$|怎么|如何|为|对|说|讲|提|谈|认|觉|的|是|有|在|和|与|跟|同|会|要|不|没|能|可|应|反|赞|主|支|去|今|最|自"
    r"|后|当|现|也|又|还|都|就|到|究|曾|过|负|答|承|什|一|总|您|你|这|那|几|交|建|担|强|批|表|决|解|回|谁|哪|把|两"
)
_AFTER_BOSS = re.compile(
    r"结(?!论)|[价数额量部共账]|计(?!划)|体(?![会谅])|表(?![态示达])|投资|成本|长(?!期)|公司|工会"
)
_AFTER_WORKER = re.compile(r"[作单程序具厂人资期地艺业]")
_AFTER_TITLE = re.compile(r"办公|助理|秘书|室|会(?=上|议|定|的)")


def is_name(text: str, start: int, end: int) -> bool:
    """Of `plain` text; a Chinese name there."""
    if end - start > 2:
        return True
    if _BEFORE.search(_front(text, start + 1)) or _BEFORE_NAME.search(_front(text, start)):
        return False
    if _AFTER_NAME.match(text, end):
        return False
    return _FOLLOWS.match(text, end) is not None or _LONGER_NAME.match(text, end) is None


def is_form(text: str, start: int, end: int) -> bool:
    """A form of address there, 张总, which neither begins in another word nor ends in one."""
    if _BEFORE.search(_front(text, start + 1)) or text.endswith("副", 0, start):
        return False
    if text[end - 1] == "总" and _AFTER_BOSS.match(text, end):
        return False
    if text[end - 1] == "工" and _AFTER_WORKER.match(text, end):
        return False
    return _AFTER_TITLE.match(text, end) is None


def _front(text: str, end: int) -> str:
    return text[max(0, end - _LOOKED_BACK) : end]


def is_latin(text: str, start: int, end: int) -> bool:
    """No part of a longer word in Latin letters."""
    around = text[max(0, start - 1) : start] + text[end : end + 1]
    return not any(char.isascii() and char.isalnum() for char in around)
