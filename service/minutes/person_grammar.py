"""What someone named in a question does in it: speaks, is spoken to, acts, or is only mentioned."""

import re
from collections.abc import Sequence
from enum import StrEnum

from service.minutes.person_words import Named


class Part(StrEnum):
    """Of a person in a question."""

    ADDRESSED = "addressed"  # 张总，停车费能报销吗
    SPEAKS = "speaks"  # 张总怎么看
    ACTS = "acts"  # 黎晓调研了几家
    MENTIONED = "mentioned"  # 谁去找张总


_GREETING = re.compile(r"(?:请问一?下?|想?请教一?下?|您好|你好|嗨|喂|那|@|尊敬的|想问一?下?|[,! ])*")
_CALLED = re.compile(r" *(?:您?好)?[,:!?。]| +(?![对的])|[您你]")
_LOOKED_BACK = 16  # characters; greetings and verbs before a name are shorter
_PAUSE = re.compile(r"[,。?!] *$")
_END = re.compile(r"[。?!,吗呢吧 ]*")
_AND = re.compile(r" *(?:和|与|跟|同|以及|还有|、|还是|或者?|,)? *")  # or nothing: 张总韩总
_OBJECT = re.compile(
    r"(?:告诉|告知|通知|提醒|(?<!内)给|抄送|找过?|(?<!请)问(?:过|了|一下)?|请示|向|跟|被|把|将|除了?|除开|派|催|骂|批评|等|陪|替|帮"
    r"|(?<!相)反对|支持|赞成|同意|(?<!针)对|代表|让|叫|请|求|见|送)$"
)
_LETS_SPEAK = re.compile(r"(?:请|让|叫)$")
_SAID_OF = (
    r"看法|意见|态度|立场|说法|想法|主张|理由|观点|条件|要求|建议|承诺|底线|担心|顾虑|判断|结论|原话|话|提醒|保证|口径|决定|表态"
    r"|发言|解释|回答|回应|反对|评价|思路|倾向|打算"
)
_OF = re.compile(rf"的(?![^,。?!]{{0,4}}?(?:{_SAID_OF}))|(?:团队|小组|那组|手下|部门|秘书|办公室)")
_TALK = re.compile(
    rf"{_SAID_OF}|(?:么|如何|来|会|是)看|说(?!明书)|讲|提(?:过|到|的|出|起|议|醒|了)|谈|认为|觉得|主张|同意|赞成|支持|不赞|答应|强调"
    r"|批评|反复|接受|愿意|怎么想|汇报|分歧|统一|表示|点名|拍板|抱怨|总结|指出|反映|问过"
)
_WHY = re.compile(r"[是又]?(?:怎么(?!分)|为什么|为何|凭什么|如何)")
_NEEDS = re.compile(r"(?:需?要|须|得|经过?|通过)$")
_APPROVES = re.compile(r"(?:来|先)?(?:批准|审批|签字|审核|点头|同意|过目|拍板)")
_HEARD = re.compile(r"(?:听|据|为什么|为何|凭什么)$")
_TELLS = re.compile(r"(?:是?怎么)?(?:说|讲|吵|汇报|解释|保证|交代)")
_CLAUSE = re.compile(r"[。?!;]")


def parts(text: str, found: Sequence[Named]) -> list[Part]:
    """One for each of `found`, which stand in `plain` text in their order."""
    made: list[Part] = []
    for run in _runs(text, found):
        until = next((one.start for one in found[len(made) + len(run) :][:1]), len(text))
        behind = _CLAUSE.split(text[run[-1].end : until], maxsplit=1)[0]
        before: Part | None = None
        for one in run:
            before = _part(text, one, behind, before)
            made.append(before)
    return made


def _runs(text: str, found: Sequence[Named]) -> list[list[Named]]:
    """张总和沈总对价格…: those named in one breath; what stands behind the last is said of all."""
    runs: list[list[Named]] = []
    for one in found:
        if runs and _AND.fullmatch(text[runs[-1][-1].end : one.start]):
            runs[-1].append(one)
        else:
            runs.append([one])
    return runs


def _part(text: str, one: Named, behind: str, before: Part | None) -> Part:
    """`behind`: the clause behind the run it is in; `before`: the part of the one before in that run."""
    start = min((span[0] for span in one.places if span[1] <= one.start), default=one.start)
    front = text[max(0, start - _LOOKED_BACK) : start]
    if _is_called(text, front, one) or (before is Part.ADDRESSED and _CALLED.match(text, one.end)):
        return Part.ADDRESSED
    if before is Part.MENTIONED:
        return Part.MENTIONED
    speaks = any((_HEARD.search(front), _WHY.match(behind), _TALK.search(behind)))
    if before is None and _OBJECT.search(front):
        return Part.SPEAKS if speaks and _LETS_SPEAK.search(front) else Part.MENTIONED
    if before is not None and front.endswith("跟") and _TELLS.match(behind):
        return Part.MENTIONED
    if _OF.match(behind) or (_NEEDS.search(front) and _APPROVES.match(behind)):
        return Part.MENTIONED
    return Part.SPEAKS if speaks else Part.ACTS


def _is_called(text: str, front: str, one: Named) -> bool:
    if len(front) < _LOOKED_BACK and _GREETING.fullmatch(front) and (match := _CALLED.match(text, one.end)):
        return bool(text[match.end() :].strip())
    return _PAUSE.search(front) is not None and _END.fullmatch(text, one.end) is not None
