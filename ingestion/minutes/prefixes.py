"""What may be a prefix of a line: a name, a time, or both. Whether it is a speaker is judged in `speakers`.

Read are 张总：… | [00:12:03] 李四: … | 00:12:03 李四: … | 李四(00:12:03): … | 李四 00:12:03 … | <v 李四>…
and, as lines of their own, 李四 00:12, [李四] 00:12:03 and 00:12:03 李四. Colons and brackets are of full or
half width, and a date may stand before the time.
"""

import re
from dataclasses import dataclass

from ingestion.minutes.names import is_anonymous, without_role
from ingestion.minutes.transcript import Paragraph

LONGEST_PREFIX = 200  # characters; more are never looked at, so that a huge line costs nothing

COLONS = ":：﹕︰∶"
"""Colons behind a name: of half, full and small width, of vertical text, and the sign of a ratio."""

_CLOCK = r"\d{1,3}[:：]\d{2}(?:[:：]\d{2})?(?:[.,]\d{1,3})?"
_DAY = r"\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?[ \t]+"
_SPAN = rf"(?:{_DAY})?{_CLOCK}(?:\s*(?:-->|[-–—~至])\s*{_CLOCK})?"
_NAME = (
    r"[^\W\d_][^:：﹕︰∶,，。；;！!？?、\"“”<>《》|#=/\\\n\[\]【】()（）]{0,29}?"
    r"(?:\s*[（(【\[](?!\s*\d+[:：])"
    r"(?:[^（）()【】\[\]]|[（(][^（）()【】\[\]]{0,60}[）)]){1,80}[）)】\]])?"
)
_SIGN = r"\s*(?:[-*•·●]\s*)?"

_VOICE = re.compile(r"\s*<v(?:\.[\w.-]+)*[ \t]+(?P<name>[^<>]{1,160})>\s*")
_TIME = re.compile(
    rf"{_SIGN}(?:[\[(（【]\s*(?P<inside>{_SPAN})\s*[\])）】]|(?P<bare>{_SPAN})(?![\d:：]))\s*"
)
_NAME_TIME = re.compile(
    rf"{_SIGN}[【\[]?(?P<name>{_NAME})[】\]]?\s*"
    rf"(?:[\[(（【]\s*(?P<inside>{_SPAN})\s*[\])）】]|(?<=\s)(?P<bare>{_SPAN})(?![\d:：]))\s*"
    r"(?P<colon>[:：﹕︰∶]?)\s*"
)
_COLON = rf"(?:(?<![\s-]\d)(?<![\s-]\d\d)[{COLONS}](?!//)|[{COLONS}](?![\d/]))"  # of no clock and no address
_NAME_COLON = re.compile(rf"{_SIGN}[【\[]?(?P<name>{_NAME})[】\]]?\s*{_COLON}\s*")
_NAME_ALONE = re.compile(rf"(?P<name>{_NAME})\s*$")


@dataclass(frozen=True, slots=True)
class Prefix:
    """`end` is where the words begin. `name` lacks a role in brackets; empty where a time stands alone."""

    name: str
    time: str
    end: int
    colon: bool
    voice: bool = False
    bare: bool = False  # a time and one word after it: 00:12 李四 heads a speech, 00:12 明白 is one


def candidate(text: str) -> Prefix | None:
    """The prefix a line may have; none when it surely has none."""
    head = text[:LONGEST_PREFIX]
    if voice := _VOICE.match(head):
        return Prefix(without_role(voice["name"]), "", voice.end(), colon=False, voice=True)
    if time := _TIME.match(head):
        return _after_time(head, len(text), time)
    if both := _NAME_TIME.match(head):
        name, stamp = without_role(both["name"]), both["inside"] or both["bare"]
        alone = both.end() == len(text)
        if both["colon"] or alone or _is_sure(name, stamp, head[both.end() - 1]):
            return Prefix(name, stamp, both.end(), bool(both["colon"]))
    if plain := _NAME_COLON.match(head):
        return Prefix(without_role(plain["name"]), "", plain.end(), colon=True)
    return None


def _is_sure(name: str, stamp: str, before_words: str) -> bool:
    """Whether 发言人1 00:12 大家好 without a colon is a prefix: 会议 10:30 开始 is none."""
    seconds = stamp.count(":") + stamp.count("：") > 1
    return before_words.isspace() and (seconds or is_anonymous(name))


def _after_time(head: str, length: int, time: re.Match[str]) -> Prefix:
    stamp = time["inside"] or time["bare"]
    if named := _NAME_COLON.match(head, time.end()):
        return Prefix(without_role(named["name"]), stamp, named.end(), colon=True)
    if len(head) == length and (alone := _NAME_ALONE.match(head, time.end())):
        return Prefix(without_role(alone["name"]), stamp, alone.end(), colon=False, bare=True)
    return Prefix("", stamp, time.end(), colon=False)


def speech(paragraph: Paragraph) -> str:
    """What was said: the text after its own prefix; empty for a line that is nothing else."""
    prefix = candidate(paragraph.text)
    if prefix is None or not (paragraph.speaker or paragraph.time):
        return paragraph.text
    if prefix.name == paragraph.speaker or (not prefix.name and prefix.time == paragraph.time):
        return paragraph.text[prefix.end :]
    time = _TIME.match(paragraph.text[:LONGEST_PREFIX])
    return paragraph.text[time.end() :] if time and prefix.time == paragraph.time else paragraph.text
