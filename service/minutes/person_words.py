"""Where a question names someone: names, forms of address, and the words that tell two of them apart."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from ingestion.minutes.names import is_chinese_name, without_role, words
from service.minutes.person_boundaries import is_form, is_latin, is_name
from service.minutes.person_labels import called, full_forms, spelled, surname
from service.minutes.plain import plain
from service.minutes.roster import Roster

LONGEST_PLACE = 8  # characters of the words that tell two people apart
MOST_THOSE = 20  # 那位 that are looked at; nobody asks about more people at once

_TITLES = ("总经理", "董事长", "副总", "总监", "经理", "主任", "部长", "组长", "律师", "总", "工", "董")
_NO_RANK = ("工", "老师")
_CLEAR_FRONT = re.compile(r"(?:^|[,。?!:;、\s]|[和与跟对给找问让由听谁的])$")
_LINK = re.compile(r"(?:部门?|公司|中心|组)?(?:的|那边的?|这边的?|的?那[位个])?$")
_THAT_ONE = re.compile(r"(?:的|那边的?|这边的?)?那[位个]")


@dataclass(frozen=True, slots=True)
class Named:
    """`persons`: all whom the words may mean, nobody for 王总 where no 王 is known. `places`: the words that
    told which of them it is. Offsets in the question."""

    start: int
    end: int
    persons: tuple[str, ...]
    places: tuple[tuple[int, int], ...] = ()


class Directory:
    """Names and forms of address, and whom they may mean."""

    def __init__(self, roster: Roster, persons: Mapping[str, str]) -> None:
        """`persons`: the canonical name for each label of the archive."""
        self._listed = bool(roster.people)
        self._forms = _forms(roster, persons)
        written = (person.written for person in roster.people)
        self._names = frozenset(plain(without_role(name)) for name in (*written, *persons, *persons.values()))
        self._places = {person.name: _parts(person.department) for person in roster.people}
        self._families = _families(self._forms)
        longest_first = sorted(self._forms, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")
        self._titled = _titled_pattern()

    def named(self, text: str) -> list[Named]:
        """In `plain` text, in order, none within another."""
        return _identified(text, [self._told_apart(text, found) for found in _clear(self._found(text))])

    def _found(self, text: str) -> Iterator[Named]:
        for match in self._pattern.finditer(text):
            if self._stands_alone(text, match):
                yield Named(match.start(), match.end(), self._forms[match.group()])
        for match in self._titled.finditer(text):
            start, end = match.span()
            if _CLEAR_FRONT.search(text[max(0, start - 1) : start]) and is_form(text, start, end):
                yield Named(start, end, self._by_family(match.group()))

    def _by_family(self, form: str) -> tuple[str, ...]:
        """Without a roster 叶经理 may be any 叶 of the archive. With one, a rank that it lacks is nobody's;
        彭工 and 彭老师 say no rank, and may be any 彭."""
        ranked = self._listed and not form.endswith(_NO_RANK)
        return () if ranked else self._families.get(surname(form), ())

    def _stands_alone(self, text: str, match: re.Match[str]) -> bool:
        form = match.group()
        if form.isascii():
            return is_latin(text, *match.span())
        named = form in self._names and is_chinese_name(form) and not self._titled.fullmatch(form)
        return is_name(text, *match.span()) if named else is_form(text, *match.span())

    def _told_apart(self, text: str, found: Named) -> Named:
        """生产的曹经理, 曹经理……我说的是成都那位: by words of the department that only one of them has."""
        if len(found.persons) < 2:
            return found
        own = {person: self._own(person, found) for person in found.persons}
        for start, end in _said_places(text, found):
            fitting = [person for person in found.persons if text[start:end] in own[person]]
            if len(fitting) == 1:
                return replace(found, persons=(fitting[0],), places=((start, end),))
        return found

    def _own(self, person: str, found: Named) -> frozenset[str]:
        others = (self._places.get(other, frozenset()) for other in found.persons if other != person)
        return self._places.get(person, frozenset()).difference(*others)


def _forms(roster: Roster, persons: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Whom each form may mean; forms of one character are none."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for person in roster.people:
        for form in (person.written, person.name, *called(person), *full_forms(person), *spelled(person)):
            found[plain(form)][person.name] = None
    for label, name in persons.items():
        for form in (label, without_role(label)):
            found[plain(form)][name] = None
    return {form: tuple(names) for form, names in found.items() if len(form) > 1}


def _families(forms: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """Persons of each surname."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for form, persons in forms.items():
        if is_chinese_name(form) and form.removeprefix(surname(form)) not in words().titles:
            found[surname(form)].update(dict.fromkeys(persons))
    return {family: tuple(persons) for family, persons in found.items()}


def _parts(department: str) -> frozenset[str]:
    """All parts of two characters or more: 生产, 运营, 生产运营部."""
    runs = re.findall(r"[㐀-鿿\w]+", plain(department))
    return frozenset(
        run[start:end] for run in runs for start in range(len(run)) for end in range(start + 2, len(run) + 1)
    )


def _titled_pattern() -> re.Pattern[str]:
    families = "|".join((*words().compound_surnames, f"[{''.join(sorted(words().surnames))}]"))
    return re.compile(rf"(?:{families})(?:{'|'.join(_TITLES)})")


def _said_places(text: str, found: Named) -> Iterator[tuple[int, int]]:
    """Longest first: words right before the form, then those of a 「成都那位」 anywhere."""
    those = islice(_THAT_ONE.finditer(text), MOST_THOSE)
    ends = [len(_LINK.sub("", text[: found.start])), *(match.start() for match in those)]
    for end in ends:
        for size in range(min(LONGEST_PLACE, end), 1, -1):
            yield end - size, end


def _identified(text: str, found: list[Named]) -> list[Named]:
    """曹经理曹敏, 曹经理（曹敏）: a form beside the name of one of those it may mean is that person's."""
    certain = {one.persons[0]: one for one in found if len(one.persons) == 1}
    made = []
    for one in found:
        beside = [
            person
            for person in one.persons
            if person in certain and re.fullmatch(r"[(,]?|就是", text[one.end : certain[person].start])
        ]
        made.append(replace(one, persons=(beside[0],)) if len(one.persons) > 1 and len(beside) == 1 else one)
    return made


def _clear(found: Iterable[Named]) -> list[Named]:
    """The longer of two that overlap; of the same words what was found first, a form that is in use."""
    chosen: list[Named] = []
    for one in sorted(found, key=lambda one: one.start - one.end):
        if all(one.end <= other.start or other.end <= one.start for other in chosen):
            chosen.append(one)
    return sorted(chosen, key=lambda one: one.start)
