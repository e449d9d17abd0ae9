"""Which labels of an archive are one person's: 张启明, 张启明(总经理办公室) and 张总, if that is certain.

Two people taken for one would put words into someone's mouth; one taken for two only answers less. So a label
is joined only by the roster or by the full name, without a roster 张总 also with the only 张 of the archive,
and of two labels of one meeting never both are one person's.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from pypinyin import lazy_pinyin

from ingestion.minutes.names import (
    is_anonymous,
    is_chinese_name,
    is_group,
    is_latin_name,
    without_role,
    words,
)
from service.minutes.plain import plain
from service.minutes.roster import Person, Roster


class Ground(IntEnum):
    """Why a label is taken for a person's; the surer ones first."""

    NAME = 0
    NAME_AND_MORE = 1  # with a department, a device or a title
    FORM = 2
    SURNAME = 3
    PINYIN = 4


@dataclass(frozen=True, slots=True)
class Claim:
    person: str
    ground: Ground


def joined(roster: Roster, labels: Sequence[str], together: Iterable[Iterable[str]]) -> dict[str, str]:
    """The canonical name for each label; the label itself where nobody is certain to be meant."""
    listed = _Listed(roster)
    claims = {label: claim for label in labels if (claim := _by_roster(listed, label)) is not None}
    others = [
        label
        for label in labels
        if label not in claims and plain(without_role(label)) not in listed.written
    ]
    claims |= _by_name(others)
    if not roster.people:
        claims |= _by_surname(labels, claims)
    for meeting in together:
        for label in _in_doubt([label for label in dict.fromkeys(meeting) if label in claims], claims):
            del claims[label]
    return {label: claims[label].person if label in claims else label for label in labels}


def surname(name: str) -> str:
    """欧阳 of 欧阳明, else the first character."""
    return next((first for first in words().compound_surnames if name.startswith(first)), name[:1])


def spelled(person: Person) -> frozenset[str]:
    """The name in Latin letters, either part first, with a blank or none; of a Chinese name only."""
    if not is_chinese_name(person.written):
        return frozenset()
    family = surname(person.written)
    first, last = "".join(lazy_pinyin(family)), "".join(lazy_pinyin(person.written[len(family) :]))
    return frozenset(gap.join(pair) for gap in ("", " ") for pair in ((first, last), (last, first)))


def called(person: Person) -> tuple[str, ...]:
    """The forms of the roster, and the surname before a post that is a title: 张总经理."""
    posts = (post for post in person.post.split("、") if post in words().titles)
    return tuple(dict.fromkeys((*person.forms, *(surname(person.written) + post for post in posts))))


def full_forms(person: Person) -> frozenset[str]:
    """The name with a form or title behind it: 曹建业曹经理, 曹建业经理."""
    family = surname(person.written)
    forms = called(person)
    titles = {form.removeprefix(family) for form in forms}
    return frozenset(person.written + tail for tail in (*forms, *titles))


class _Listed:
    """The people of a roster by each way of writing them; an archive has many labels."""

    def __init__(self, roster: Roster) -> None:
        self.written = _people_by(roster, lambda person: (person.written,))
        self.titled = _people_by(roster, full_forms)
        self.formed = _people_by(roster, lambda person: person.forms)
        self.spelt = _people_by(roster, spelled)


def _people_by(
    roster: Roster, written: Callable[[Person], Iterable[str]]
) -> Mapping[str, Sequence[Person]]:
    found: dict[str, list[Person]] = defaultdict(list)
    for person in roster.people:
        for form in dict.fromkeys(map(plain, written(person))):
            found[form].append(person)
    return found


def _by_roster(listed: _Listed, label: str) -> Claim | None:
    base, more = plain(without_role(label)), _added(label)
    if named := listed.written.get(base, ()):
        fitting = [person for person in named if _fits(person, more, alone=len(named) == 1)]
        ground = Ground.NAME_AND_MORE if more else Ground.NAME
        return Claim(fitting[0].name, ground) if len(fitting) == 1 else None
    titled = listed.titled.get(base, ())
    if len(titled) == 1:
        return Claim(titled[0].name, Ground.NAME_AND_MORE)
    called_so = listed.formed.get(base, ())
    formed = [person for person in called_so if _fits(person, more, alone=len(called_so) == 1)]
    if len(formed) == 1:
        return Claim(formed[0].name, Ground.FORM)
    spelt = listed.spelt.get(base, ())
    return Claim(spelt[0].name, Ground.PINYIN) if len(spelt) == 1 else None


def _added(label: str) -> str:
    """总经理办公室 of 张启明(总经理办公室)."""
    return label.strip()[len(without_role(label)) :].strip(" （）()【】[]")


def _fits(person: Person, more: str, *, alone: bool) -> bool:
    """Whether what stands behind the name may be this person's; a department must be theirs."""
    if not more:
        return alone
    about = plain(f"{person.department}、{person.post}")
    own = plain(more) in about or any(plain(part) in plain(more) for part in about.split("、") if part)
    return own or (alone and (not is_group(more) or person.department in ("", "公司领导")))


def _by_name(labels: Sequence[str]) -> dict[str, Claim]:
    """张维 and 张维(武汉): one person, unless two different things stand behind the name somewhere."""
    same: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        if not is_anonymous(label):
            same[plain(without_role(label))].append(label)
    claims: dict[str, Claim] = {}
    for alike in same.values():
        additions = {plain(_added(label)) for label in alike} - {""}
        shaped = is_chinese_name(without_role(alike[0])) or is_latin_name(without_role(alike[0]))
        if len(additions) > 1 or not shaped:
            continue
        name = next((label for label in alike if not _added(label)), without_role(alike[0]))
        for label in alike:
            claims[label] = Claim(name, Ground.NAME_AND_MORE if _added(label) else Ground.NAME)
    return claims


def _by_surname(labels: Sequence[str], claims: Mapping[str, Claim]) -> dict[str, Claim]:
    """张总 is 张启明 where no other 张 speaks, and no other form of address for a 张 is in use."""
    persons: dict[str, set[str]] = defaultdict(set)
    titled: dict[str, set[str]] = defaultdict(set)
    for label in labels:
        base = plain(without_role(label))
        if base.removeprefix(surname(base)) in words().titles:
            titled[surname(base)].add(label)
        elif is_chinese_name(base):
            persons[surname(base)].add(claims[label].person if label in claims else label)
    return {
        next(iter(forms)): Claim(next(iter(persons[family])), Ground.SURNAME)
        for family, forms in titled.items()
        if len(forms) == 1 and len(persons[family]) == 1
    }


def _in_doubt(labels: Sequence[str], claims: Mapping[str, Claim]) -> list[str]:
    """Labels of one meeting that claim a person whom a surer label of it claims as well."""
    surest: dict[str, str] = {}
    for label in sorted(labels, key=lambda label: claims[label].ground):
        surest.setdefault(claims[label].person, label)
    return [label for label in labels if surest[claims[label].person] != label]
