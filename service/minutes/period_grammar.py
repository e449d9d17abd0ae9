"""Whether a time in a question is when a meeting was held, or belongs to what was talked about.

「2025年11月对自研做了什么决定」 wants the meetings of that month; 「2027年的收入目标」 and
「六月三十号之前谁交」 want those that spoke of it, whenever they were. Rules are asked in the order of
`_RULES`; the first that knows, decides. Where none does, the time is a hint and no bound.
"""

import re
from collections.abc import Callable
from datetime import date
from enum import StrEnum

from service.minutes.period_groups import Edge, Group


class Standing(StrEnum):
    HELD = "held"  # meetings of that time are wanted
    TOLD = "told"  # it was talked about
    UNCLEAR = "unclear"


_MEETING = (
    r"(?:会上|会里|会中|会后|会前|会议(?!室|电话)|例会|周会|办公会|专题会|评审会|复盘会|座谈会|碰头会|开会"
    r"|开(?:过|的|了)?(?:几次|两次|一次)?会|会(?=[的说定讲讨谈提决有,。?!时和与谁对]|都|关于|$))"
)
_OF_MEETING = re.compile(
    rf"的?(?:那|这)?(?:第?[几两一二三四五\d]+)?(?:[次场个回])?(?:的|在|我们|大家|公司)*[^,。?!的]{{0,6}}?{_MEETING}"
)
_TITLE = re.compile(
    r"度?的?(?:全年|年度|半年)?(?:预算|决算|管理|计划|规划|目标|工作|经营)[^,。?!的]{0,6}会"
)
_TALK = re.compile(
    r"(?<!小)说(?!明书)|讲|提(?:过|到|的|出|起|议|醒|了)|谈(?!判)|讨论|聊|商量|汇报|强调|表态|决定|决议|结论|敲定|拍板"
    r"|定(?:了|的(?!期)|下|过|为)|(?:怎么|如何)定|通过(?!率)|批(?:准|了|过|评)|(?<!相)反对|同意|赞成|主张|支持|认为|觉得"
    r"|(?:怎么|如何|么)看|看法|意见|态度|立场|想法|承诺|答应|要求|宣布|研究过|审议|纪要|口径|解释|担心|建议|表示|指出|报告(?!书|期)|反映|问过"
)
_SAID = re.compile(
    r"度?的(?:看法|意见|态度|立场|想法|说法|主张|决定|决议|结论|讨论|发言|纪要|记录|口径|建议|承诺|表态|原话)"
)
_OF = re.compile(r"(?P<between>[^,。?!]{1,10}?)的(?P<noun>[^,。?!]{0,8})")
_EVENT = re.compile(
    r"施行|实施|修订|调减|上线|发布|签(?!字)|下发|到期|入职|离职|生效|废止|停运|起停|停(?!车)|动工|开工|投产|量产|交付|交货|完成"
    r"|验收|启用|执行|印发|截止|出(?:样机|图)"
)
_HAPPENING = re.compile(
    r"(?:那|这)[次场回]|演练|评价|活动|开放日|盘点|检查|考核|招聘|培训|事故|故障|召回|投诉|调研|测试|试点|审计|展会"
)
_FIGURES = re.compile(
    r"度?的?(?P<between>[^,。?!的]{0,6}?)(?:收入|预算|目标|利润|编制|奖金|指标|计划|授权|合同|协议|订单|费用|电费|回款|人数|产量"
    r"|(?:\d+号)?文件|办法|规定|通知|标准|制度|细则|规划|产品|型号)"
)
_INTENDED = re.compile(r"[需将]?要|将|准备|计划|打算|预计")
_MOVED = re.compile(
    r"(?:推|改|延|拖|提前|推迟|延期|延长|顺延|挪|免|续|签|排|干|用|做|等|定|订|放|安排|计划|预计)[到至在于]?$"
)
_MOVES = re.compile(r"(?:推迟?|改|延期?|延长|拖|挪|调整?)[到至成]")
_PUT_OFF = re.compile(r"再(?!次)|才|同期")
_GUESSED = re.compile(r"(?:吗|对吗|是吗|对吧|是吧|吧)")
_WHOSE = re.compile(r"[^,]是谁$")  # 三月召回是谁提的: of a matter
_OFFICER = (
    r"[^,。?!的]{1,3}?(?:总|经理|工|董事长|主任|师傅)(?<![动开完施竣停员职加分返手]工)(?![投价结部额程作])"
)
_SUBJECT = re.compile(
    r"[,的]?(?:关于|对于?|就(?!是)|有没有|有无|是否|谁|大家|我们|公司|领导|都|又|还|再|曾|是怎么|怎么|有什么"
    rf"|{_OFFICER})"
)
_REASON = re.compile(rf"{_OFFICER}[是又]?(?:为什么|为何|怎么)|[是又]怎么(?:评价|解释|总结|回答|回应|处理)")


def standing(text: str, group: Group, today: date) -> Standing:
    """Of `plain` text."""
    known = (rule(text, group, today) for rule in _RULES)
    return next((found for found in known if found is not None), Standing.UNCLEAR)


def _rest(text: str, group: Group) -> str:
    """The sentence behind the time, without the next sentence."""
    return re.split(r"[。?!;]", text[group.end :], maxsplit=1)[0]


def _to_come(text: str, group: Group, today: date) -> Standing | None:
    begins = [part.first for part in group.parts if part.first]
    return Standing.TOLD if begins and all(first > today for first in begins) else None


def _in_a_title(text: str, group: Group, today: date) -> Standing | None:
    """2027年预算启动会 was held in 2026, 2024年度管理复盘会 in 2025."""
    return Standing.TOLD if group.mention.whole_year and _TITLE.match(_rest(text, group)) else None


def _of_a_meeting(text: str, group: Group, today: date) -> Standing | None:
    match = _OF_MEETING.match(_rest(text, group))
    return Standing.HELD if match and not _EVENT.search(match.group()) else None


def _moved_to(text: str, group: Group, today: date) -> Standing | None:
    """推到十月三十号, 从九月三十号推到…"""
    moves = _MOVED.search(text[: group.start]) or _MOVES.match(_rest(text, group))
    return Standing.TOLD if moves else None


def _put_off_or_guessed(text: str, group: Group, today: date) -> Standing | None:
    """十二月再定, 去年同期, and a guess at an answer: 什么时候定稿，十二月十五号吗"""
    rest = _rest(text, group)
    guessed = group.start > 0 and _GUESSED.fullmatch(rest)
    return Standing.TOLD if guessed or _PUT_OFF.match(rest) else None


def _bound_of_a_matter(text: str, group: Group, today: date) -> Standing | None:
    """六月三十号之前谁交; 2025年11月之前讨论过自研吗 wants meetings."""
    rest = _rest(text, group)
    if group.edge is Edge.UNTIL:
        return Standing.TOLD
    if group.edge is Edge.STARTING:
        return Standing.UNCLEAR if _SUBJECT.match(rest) and _TALK.search(rest) else Standing.TOLD
    if group.edge is Edge.BEFORE:
        return None if _TALK.search(rest) and not _EVENT.match(rest) else Standing.TOLD
    return None


def _attribute(text: str, group: Group, today: date) -> Standing | None:
    """What the time is an attribute of: 2026年的授权, 去年签的合同, 去年讨论的方案."""
    rest = _rest(text, group)
    if _SAID.match(rest):
        return Standing.HELD
    if rest.startswith(("的", "度的", "版")):
        return Standing.UNCLEAR if _HAPPENING.search(rest[:8]) else Standing.TOLD
    figures = _FIGURES.match(rest)
    if figures and not _SUBJECT.match(rest) and not _TALK.search(figures["between"]):
        return Standing.TOLD
    match = _OF.match(rest)
    if match is None or _SUBJECT.match(rest) or _TALK.search(match["between"]):
        return None
    told = _EVENT.search(match["between"]) or _INTENDED.match(match["between"])
    return Standing.TOLD if told else None


def _day_of_an_event(text: str, group: Group, today: date) -> Standing | None:
    """合同3月31日到期以后怎么办."""
    return Standing.TOLD if group.mention.one_day and _EVENT.match(_rest(text, group)) else None


def _talked(text: str, group: Group, today: date) -> Standing | None:
    """A leading adverbial of a sentence about what was said, with nothing that happened in between."""
    rest = _rest(text, group)
    talk = _TALK.search(rest) or _REASON.match(rest)
    if talk is None:
        return None
    if _WHOSE.search(rest[: talk.start()]):
        return Standing.UNCLEAR
    if _SUBJECT.match(rest) or not _EVENT.search(rest[: talk.start()]):
        return Standing.HELD
    return Standing.UNCLEAR


def _going_on(text: str, group: Group, today: date) -> Standing | None:
    """年底能量产吗, 今天星期几: what is not over and not said to be talked about; 今年 alone stays a hint."""
    lasts = [part.last for part in group.parts if part.last]
    unfinished = bool(lasts) and max(lasts) >= today and not group.mention.whole_year
    return Standing.TOLD if unfinished and not group.mention.vague else None


_RULES: tuple[Callable[[str, Group, date], Standing | None], ...] = (
    _to_come,
    _in_a_title,
    _of_a_meeting,
    _moved_to,
    _put_off_or_guessed,
    _bound_of_a_matter,
    _attribute,
    _day_of_an_event,
    _talked,
    _going_on,
)
