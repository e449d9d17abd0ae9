"""Cues 答语线索: the wordings that answer a kind of question which no value can be recognised for."""

import re
from dataclasses import dataclass

_N = r"[\d一二三四五六七八九十百千两半]"


@dataclass(frozen=True, slots=True)
class _Cue:
    asked: re.Pattern[str]
    held: re.Pattern[str]


def _cue(asked: str, held: str) -> _Cue:
    return _Cue(re.compile(asked), re.compile(held))


_CUES = (
    _cue(r"为什么|为何|原因|因何|为啥", r"因|由于|为了|导致|使得|缘故|[从故]而"),
    _cue(
        r"谁|哪位|何人|什么人|哪些人",
        r"人为|姓名为|[由经报][^,。]{1,16}(?:审批|批准|负责|保管|办理|审核|同意)|经理|主任|负责人|专员",
    ),
    _cue(
        r"哪里|哪儿|何处|何地|什么地方|在哪|地址|位置",
        r"位于|地处|在[^,。]{1,16}[层座楼室口厅省市县区镇路]|[层座楼]",
    ),
    _cue(
        r"什么是|是什么意思|定义|含义|指的?是|何谓|怎么算|算不算",
        r"是指|指的?是|所称|称为|^[^,。]{1,24}(?:\([^)]*\))?,?[是为]",
    ),
    _cue(
        r"最[多长高大晚迟]|上限|限额|不能超过|之内|以内",
        r"不(?:得|应|能)?(?:超过|高于|多于)|最[多长高]|以内|上限|限额|之前",
    ),
    _cue(r"最[少低短小早]|至少|起码|下限", r"不(?:得|应)?(?:少于|低于|短于)|至少|最[少低短]|以上"),
    _cue(r"提前", rf"提前|前{_N}"),
    _cue(r"施行|执行|实施|生效|开始", r"起(?:施行|执行|实施|生效)"),
    _cue(r"材料|单据|证件|资料|凭证|附", r"附|提交|提供|出具|携带|[凭持][^,。]{1,12}"),
    _cue(r"哪些|哪几|几种|几类|包括", r"包括|分为|下列|以下|如下|[^、]、[^、]+、|[^、]、[^、]+[和与及]"),
)
_EXTENT = re.compile(
    r"最[多少长短高低大小早晚迟]|至少|起码|正好|刚好|大约|大概|一共|总共|一般|需要|可以|是否|能够"
)


def asked_cues(question: str) -> tuple[re.Pattern[str], ...]:
    """What a sentence may hold that answers the folded question's way of asking."""
    return tuple(cue.held for cue in _CUES if cue.asked.search(question))


def without_extent(question: str) -> str:
    """The question without the words that only tell how much, which are in sentences about anything."""
    return _EXTENT.sub(" ", question)
