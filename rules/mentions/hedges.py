"""Words around an amount that make it a bound or an estimate: 不超过, 至少, 左右, 以上.

以上, 以下 and 以内 include the number, 不满, 超过 and 以外 leave it out (Civil Code, article 1259).
"""

import re
from dataclasses import dataclass

from rules.mentions.figures import Op
from rules.numerals import DIGITS

_FRONT = {
    Op.MORE: "超过 高于 大于 多于 高出 超出 不止 不只 逾 突破 破 >",
    Op.AT_LEAST: "不低于 不少于 不小于 不下于 不下 至少 最少 最低 起码 少说 达到 满"
    " 大于等于 大于或等于 大于或者等于 ≥ >= ≧",
    Op.AT_MOST: "不超过 不高于 不大于 不多于 不超 没超过 未超过 别超过 不要超过 不能超过 不会超过 不得超过"
    " 不应超过 不得高于 别超 不要超 不能超"
    " 最多 至多 顶多 最高 上限 封顶 撑死 限额 限价 最高限价 控制价"
    " 控制 小于等于 小于或等于 小于或者等于 ≤ <= ≦",
    Op.LESS: "低于 少于 小于 不到 不足 不满 未满 不及 没到 未到 未达 不够 没有 没满 没 <",
    Op.ABOUT: "大约 约莫 大概 大致 大体 差不多 将近 接近 估计 估摸 粗估 暂估 预估 估算 粗略"
    " 可能 也许 或许 兴许 恐怕 怕是 没准 说不定 好像 似乎 左右 上下 约 近 快 小 ± ~ ≈",
}
_UNLESS_BEHIND = {
    "约": "合节签预公违条契制简解邀",
    "近": "最附靠",
    "快": "尽赶加很飞凉愉爽明",
    "小": "大",
    "满": "不未没",
    "破": "打",
}
_UNLESS_BEHIND |= {"没": "有", "没有": "有"}
# These say it of the whole clause: 最多我们部门能批8万.
_FAR = (
    "大约 约莫 大概 大致 差不多 估计 估摸 可能 也许 或许 兴许 恐怕 怕是 没准 说不定 好像 似乎"
    " 至少 最少 起码 最多 至多 顶多 不超过 超过 不到 低于 高于"
)
_LINK = (
    r"(?:了|过|是|为|在|有|要|需|需要|花|费|用|得|就|也|到|达|给|批|会|能|只|才|于|将|等于|或等于|仅|可|"
    r"总共|一共|共计|合计|总计|共|预算|金额|价格|总价|总额|费用|的|[:) ])*"
)
_AT_ONCE = re.compile(r"(?:大概|大约|差不多|估计|可能)(?:吧|是|的话)?[, ]+$")  # 大概吧，8万

_DIGITS = "".join(DIGITS)
_INCLUDED = r"(?P<kind>[(](?P<out>不)?含(?:本数|税)?[)])?"
_BEHIND = {
    Op.AT_LEAST: r"(?:及|或|或者|和|乃至|甚至)?(?:以上|之上|往上|朝上|更多|更高)"
    r"|起步|打底|保底|及其以上|(?:就?是|为|算)?(?:底线|下限|最低|最少|起码)|起(?![诉草来码重初动用作因])|[+]",
    Op.AT_MOST: r"(?:及|或|或者|和)?(?:以下|之下|往下)|以内|之内|内(?![部存网容线控地])"
    r"|封顶|打住|为限|顶天|到顶|撑死|(?:就?是|为|算)?(?:上限|限额|极限|最高|最多|到头)",
    Op.MORE: r"(?:及)?(?:以外|之外)|出头|冒头|开外|挂零|有余|(?:都)?不止|还多|多(?:一?点|些)?(?![少功媒种])",
    Op.LESS: rf"(?:(?:都|还)?不到(?![位账期])|不足(?!以)|(?:还)?不满|未满|弱(?!电))(?! *[\d¥${_DIGITS}])",
    Op.ABOUT: r"左右|上下|前后|光景|附近|(?:的|这)?样子|这样|不等(?!于)|浮动|±"
    r"|(?:之?前|以前)(?:左右|上下|的样子)|[, ]*(?:可能|恐怕|怕|不一定)(?:还|都|是)?不?够"
    r"|[吧, ]*(?:应该)?(?:大概|差不多|估计|左右|上下|预估|估算|暂估)(?:吧|的样子)?(?=$|[,。!?;)吧])",
}
_EXCLUDED = {Op.AT_LEAST: Op.MORE, Op.AT_MOST: Op.LESS}


def _front(words: str) -> str:
    parts = []
    for word in sorted(words.split(), key=len, reverse=True):
        kept_from = _UNLESS_BEHIND.get(word)
        parts.append((f"(?<![{kept_from}])" if kept_from else "") + re.escape(word))
    return "|".join(parts)


_OPS = {word: op for op, words in _FRONT.items() for word in words.split()}
_TOUCHING = " ".join(word for word in _OPS if len(word) == 1)
_LINKED = " ".join(word for word in _OPS if len(word) > 1)
_NEAR = re.compile(rf"(?:(?P<word>{_front(_LINKED)}){_LINK}|(?P<sign>{_front(_TOUCHING)}) *(?:人民币)?)$")
_FAR_OFF = re.compile("|".join(sorted(_FAR.split(), key=len, reverse=True)))
_NOUN = r"(?:的?(?:预算|价格|价位|价钱|金额|费用|水平|标准))?"  # 8万预算左右
_SUFFIXES = [
    (op, re.compile(rf" *{_INCLUDED}{_NOUN} *[(]?(?:{pattern})[)]?")) for op, pattern in _BEHIND.items()
]
_NOTE = re.compile(r" *[(]不?含(?:本数|税)?[)]")
_CLAUSE = re.compile(r"[,。;!?、\n]")


@dataclass(frozen=True, slots=True)
class Hedge:
    """`at`: where the amount together with this word begins (in front) or ends (behind).

    `touching`: nothing stands between the two.
    """

    op: Op
    at: int
    touching: bool = True


def hedge_in_front(text: str, start: int, floor: int) -> Hedge | None:
    """What the words before the number at `start` make of it; nothing before `floor` is looked at.

    A word further off in the clause makes it an estimate at least, which is asked about.
    """
    stops = [match.end() for match in _CLAUSE.finditer(text, floor, start)]
    clause_start = stops[-1] if stops else floor
    clause = text[clause_start:start]
    if match := _NEAR.search(clause):
        word = match["word"] or match["sign"]
        return Hedge(
            _OPS[word], clause_start + match.start(), touching=match.start() + len(word) == len(clause)
        )
    far = _FAR_OFF.search(clause) or (not clause.strip() and _AT_ONCE.search(text[floor:start]))
    return Hedge(Op.ABOUT, start, touching=False) if far else None


def hedge_behind(text: str, end: int) -> Hedge | None:
    """What the words behind the number that ends at `end` make of it."""
    for op, pattern in _SUFFIXES:
        if match := pattern.match(text, end):
            return Hedge(_EXCLUDED.get(op, op) if match["out"] else op, match.end())
    return None


def note_behind(text: str, end: int) -> int:
    """Where (含) or (不含) ends that stands at `end`; `end` when none does."""
    match = _NOTE.match(text, end)
    return match.end() if match else end
