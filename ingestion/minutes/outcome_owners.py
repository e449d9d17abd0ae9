"""Who is to do it: what a name of this meeting looks like, and the name beside an item."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice

from ingestion.minutes.names import is_chinese_name, is_group, is_label, is_latin_name, words
from ingestion.minutes.outcome_wordings import Wordings
from ingestion.minutes.transcript import Transcript

_GROUP_STOP = "由请让叫给和与及跟把的是在了到对为向于等各本该此我你他她它说要需全内外们两几个每、"
_VERBS = "批准|同意|通过|决定|设立|成立|组建|安排|交给|研究一|通知|联系"  # are no part of a group's name
_NO_GROUPS = {"方", "代表", "处"}  # 对方, 好处: too common in running text
_EVERYBODY = "各(?:部门|单位|小组|分公司)|相关部门"
_NAME = "[\u3400-\u9fff·]{2,4}"
# 和 stands between names and within them: without a bound 和和和… would be tried in ever more ways.
_NAMES = rf"{_NAME}(?:\s*[、，,/和&]\s*{_NAME}){{0,7}}"
_BEHIND_SIGN = re.compile(
    rf"(?:(?<![-—–])[-—–]+|@)\s*(?P<owner>{_NAMES})\s*(?:[，,][^，,。]{{0,20}})?[。.]?$"
)
_BEFORE = re.compile(
    rf"(?:@\s*(?P<called>{_NAMES})[\s，,:：]"
    rf"|(?P<owner>{_NAMES}|[A-Z][a-z]+)\s*(?:[:：]|[-—–]{{2,}}| to (?=[a-z])))"
)
_IN_BRACKETS = re.compile(
    rf"[（(]\s*(?P<owner>{_NAMES})\s*(?:[，,、；;\s][^（）()]{{0,20}})?[）)]\s*[。.；;]?$"
)
_BETWEEN = re.compile(r"\s*[、，,/和&]\s*")
_LONGEST_OWNER = 40  # characters of one label: several names
_MOST_NAMES = 400  # of one record; each is looked for at every character, and no meeting has more


def anyone_of(transcript: Transcript) -> re.Pattern[str]:
    """Finds whoever may be named: those present, 张总, 老李, 财务部."""
    lists = words()
    spoken = Counter(paragraph.speaker for paragraph in transcript.paragraphs)
    known = dict.fromkeys((*transcript.attendees, *(name for name, _ in spoken.most_common())))
    most = list(islice((name for name in known if len(name) > 1), _MOST_NAMES))
    names = [re.escape(name) for name in sorted(most, key=len, reverse=True)]
    titles = sorted(lists.titles, key=len, reverse=True)
    behind_surname = "|".join(map(re.escape, titles))
    behind_name = "|".join(re.escape(title) for title in titles if len(title) > 1)  # 车间工 is nobody
    groups = "|".join(sorted(set(lists.groups) - _NO_GROUPS, key=len, reverse=True))
    surnames = "".join(sorted(lists.surnames))
    compound = "|".join(lists.compound_surnames)
    return re.compile(
        f"{'|'.join([*names, _EVERYBODY])}|(?:[{surnames}]|{compound})"
        f"(?:{behind_surname}|[\u3400-\u9fff]{{1,2}}(?:{behind_name}))"
        f"|[老小](?!时|师|家|路|车|平|常)[{surnames}]|(?:(?![{_GROUP_STOP}]|{_VERBS})[\u3400-\u9fffA-Za-z]){{1,6}}?(?:{groups})"
    )


def labelled_owner(text: str, wordings: Wordings) -> str:
    """After 责任人： and the like."""
    found = re.search(
        rf"{wordings.owner_label.pattern}\s*[:：]\s*(?P<owner>[^\s，,。；;:：<>|（）()]{{1,{_LONGEST_OWNER}}}?)"
        rf"(?=[\s，,。；;<>|（）()]|$|{wordings.due_label.pattern})",
        text,
        re.IGNORECASE,
    )
    return found["owner"] if found else ""


def owner_beside(text: str, present: Iterable[str]) -> str:
    """The names an item ends or begins with: … -- 曹志, …（曹志，下周五）, 曹志：…, @曹志 …, Bob to …"""
    known = frozenset(present)
    before = _BEFORE.match(text)
    places = (_IN_BRACKETS.search(text), _BEHIND_SIGN.search(text), before)
    for owner in (found[found.lastgroup or 0] for found in places if found):
        names = [name for name in _BETWEEN.split(owner) if name]
        if all(name in known or (_is_somebody(name) and not is_label(name)) for name in names):
            return owner
    return ""


def _is_somebody(name: str) -> bool:
    return is_chinese_name(name) or is_latin_name(name) or is_group(name)
