"""What speaks for an utterance as an answer: numbers in 0..1, or nearly, that `weighing` puts together.

Words weigh by their idf, so that common ones count for little; a word counts where the utterance itself says
it, where it was said just before, and where the segment or the meeting is about it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ingestion.minutes.outcome import OutcomeKind
from service.minutes.people import People
from service.minutes.sought import Sought
from service.minutes.utterances import Around, Utterance
from service.minutes.wordings import Shape
from service.retrieval.probe import Probe
from service.retrieval.results import Evidence

_NUMERAL = "0-9〇零一二三四五六七八九十百千万亿两半"
_DAY = (
    rf"[{_NUMERAL}]+(?:个?月|号|日|年|季度)|[月年季][初中底末]|[明后今去](?:年|月|周)|[下这上]个?(?:年|月|周)"
    r"|周[一二三四五六日天]|星期|礼拜|春节|节前"
)
_SHAPES = {
    Shape.MONEY: re.compile(rf"[{_NUMERAL}]+(?:[万亿元块毛角]|千|百)|[{_NUMERAL}]{{3,}}"),
    Shape.DAY: re.compile(_DAY),
    Shape.NUMBER: re.compile(rf"[{_NUMERAL}]"),
    Shape.PERSON: re.compile(r"我|你|负责|[经主]理|[总工]|部|师傅|先生|女士"),
    Shape.REASON: re.compile(
        r"因为|所以|原因|由于|怕|担心|为了|不然|否则|要不|问题是|其实|结果|万一|就是|不值|划算"
    ),
    Shape.OPINION: re.compile(
        r"反对|赞成|同意|支持|主张|应该|不该|不行|不能|不要|必须|可以|我觉得|我认为|倾向|没意见|行|要|别|值"
    ),
    Shape.NAME: re.compile(r"叫|姓|公司|集团|厂|科技|软件|电子|先生|女士|师傅|[总工]|[经主]理"),
}
_CODE = re.compile(r"[a-z0-9][a-z0-9.%-]+|\d+")
_UNKNOWING = re.compile(r"不知道|不清楚|没说|没有说|没定|还没|没算|没有算|没统计|不记得|再说|再谈|再定")
_LEAST_RARE = 0.05
_SHORT = 8  # characters up to which an utterance answers little by itself
_LONG = 120

Feature = str
Features = Mapping[Feature, float]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An utterance with the text around it and the chunk it was found in."""

    utterance: Utterance
    around: Around
    chunk: Evidence
    own_likeness: float = 0.0  # cosine of the topic and the words themselves
    near_likeness: float = 0.0  # and the words with those just before
    own_words: Mapping[str, float] = field(default_factory=dict)  # how near they come to each of the topic's
    near_words: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The best that anybody said at any time: where it fits better than what the person said, or was said in
    the time, theirs is likely about something else."""

    near: float = 0.0
    own: float = 0.0


@dataclass(frozen=True)
class Measure:
    """Holds texts against the words of one topic."""

    probe: Probe
    total: float = field(init=False)
    pairs: float = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "total", self.probe.total or 1.0)
        object.__setattr__(self, "pairs", sum(self.probe.pairs.values()) or 1.0)

    def coverage(self, text: str) -> float:
        return sum(weight for word, weight in self.probe.words.items() if word in text) / self.total

    def softly(self, text: str, near: Mapping[str, float]) -> float:
        """As `coverage`, by how rare words are at large; a word of a like meaning counts in part."""
        rare = {word: max(rarity, _LEAST_RARE) for word, rarity in self.probe.general.items()}
        total = sum(rare.values())
        said = sum(rare[word] * (1.0 if word in text else near.get(word, 0.0)) for word in rare)
        return said / total if total else 0.0

    def farthest(self, text: str, near: Mapping[str, float]) -> float:
        """The rarity of the word that is least said, by itself or by a like one."""
        absent = {word: rarity for word, rarity in self.probe.general.items() if word not in text}
        return max((rarity * (1 - near.get(word, 0.0)) for word, rarity in absent.items()), default=0.0)

    def focused(self, text: str, focus: str) -> float:
        """Coverage by the words next to what asks alone; a half where none is a word of the topic."""
        words = {word: weight for word, weight in self.probe.words.items() if word in focus}
        total = sum(words.values())
        return sum(w for word, w in words.items() if word in text) / total if total else 0.5

    def elsewhere(self, around: Around) -> Elsewhere:
        return Elsewhere(near=self.coverage(around.near), own=self.coverage(around.own))

    def paired(self, text: str) -> float:
        """Pairs of neighbouring characters bridge words that are cut or shortened otherwise."""
        return sum(weight for pair, weight in self.probe.pairs.items() if pair in text) / self.pairs

    def missing(self, text: str) -> float:
        """The heaviest word that is absent, of the heaviest."""
        words = self.probe.words
        absent = max((weight for word, weight in words.items() if word not in text), default=0.0)
        return absent / max(words.values(), default=1.0)

    def lacking(self, text: str) -> float:
        """The rarest word of the language at large that is absent, 0..1."""
        return max((rarity for word, rarity in self.probe.general.items() if word not in text), default=0.0)


def features_of(
    candidate: Candidate, measure: Measure, sought: Sought, elsewhere: Elsewhere | None, people: People
) -> Features:
    """`elsewhere` is None where nothing narrowed the search down."""
    around, probe = candidate.around, measure.probe
    near_head, wide_head = f"{around.near}\n{around.head}", f"{around.wide}\n{around.head}"
    own, near = measure.coverage(around.own), measure.coverage(around.near)
    best = elsewhere or Elsewhere(near, own)
    decides = OutcomeKind.DECISION in candidate.utterance.outcomes
    return {
        "own": own,
        "near": near,
        "wide": measure.coverage(around.wide),
        "head": measure.coverage(around.head),
        "full": measure.coverage(wide_head),
        "pairs_own": measure.paired(around.own),
        "pairs_near": measure.paired(around.near),
        "pairs_wide": measure.paired(around.wide),
        "pairs_full": measure.paired(wide_head),
        "missing_near": measure.missing(near_head),
        "missing_wide": measure.missing(wide_head),
        "lacking_near": measure.lacking(near_head),
        "lacking_wide": measure.lacking(wide_head),
        "shape_own": _shaped(sought, around.own),
        "shape_near": _shaped(sought, around.near),
        "shaped": float(bool(sought.shapes)),
        "focus_own": measure.focused(around.own, sought.focus),
        "focus_near": measure.focused(around.near, sought.focus),
        "focus_wide": measure.focused(wide_head, sought.focus),
        "unit_own": _with_units(sought, around.own),
        "unit_near": _with_units(sought, around.near),
        "name_own": _with_name(sought, around.own, people),
        "shape_after": _shaped(sought, f"{around.own}\n{around.after}"),
        "unit_after": _with_units(sought, f"{around.own}\n{around.after}"),
        "codes": _with_codes(sought, wide_head),
        "preferred": _preferred(candidate, sought, people),
        "in_period": _in_period(candidate, sought),
        "unknowing": float(_UNKNOWING.search(around.own) is not None),
        "soft_own": measure.softly(around.own, candidate.own_words),
        "soft_near": measure.softly(around.near, candidate.near_words),
        "far_near": measure.farthest(near_head, candidate.near_words),
        "asks_reason": float(Shape.REASON in sought.shapes),
        "asks_opinion": float(Shape.OPINION in sought.shapes),
        "asks_name": float(Shape.NAME in sought.shapes),
        "asks_person": float(Shape.PERSON in sought.shapes),
        "asks_number": float(Shape.NUMBER in sought.shapes),
        "asks_money": float(Shape.MONEY in sought.shapes),
        "asks_day": float(Shape.DAY in sought.shapes),
        "like_own": candidate.own_likeness,
        "like_near": candidate.near_likeness,
        "vector": candidate.chunk.vector_score,
        "keyword": candidate.chunk.keyword_score,
        "confidence": candidate.chunk.score,
        "rank": 1 / candidate.chunk.rank,
        "length": min(len(around.own), _LONG) / _LONG,
        "short": float(len(around.own) < _SHORT),
        "asks": float(around.own.rstrip().endswith(("?", "吗。", "呢。"))),
        "outcome": float(bool(candidate.utterance.outcomes)),
        "decides": float(decides and sought.decided),
        "words": min(len(probe.words), 12) / 12,
        "unknown": probe.unknown,
        "rarity": probe.rarity,
        "one_person": float(bool(sought.persons)),
        "gap_near": best.near - near,
        "gap_own": best.own - own,
        "best_elsewhere": best.near,
        "asks_decision": float(sought.decided),
        "asks_change": float(sought.change),
    }


_NAMES = """
    focus_own focus_near focus_wide unit_own unit_near name_own asks_name asks_person asks_number asks_money
    asks_day soft_own soft_near far_near asks_reason asks_opinion shape_after unit_after codes preferred
    in_period unknowing
    own near wide head full pairs_own pairs_near pairs_wide pairs_full missing_near missing_wide
    lacking_near lacking_wide shape_own shape_near shaped like_own like_near vector keyword confidence
    rank length short asks outcome decides words unknown rarity one_person gap_near gap_own
    best_elsewhere asks_decision asks_change
"""
NAMES: tuple[Feature, ...] = tuple(_NAMES.split())


def _with_units(sought: Sought, text: str) -> float:
    """The share of the units asked for that a text has behind a number; a half where none is."""
    if not sought.units:
        return 0.5
    found = [re.search(rf"[{_NUMERAL}]\s*{re.escape(unit)}", text) is not None for unit in sought.units]
    return sum(found) / len(found)


def _with_codes(sought: Sought, text: str) -> float:
    """The share of the numbers and codes of the topic (g300, v3.0, 2507) that a text has; a half where it has
    none: another model or year is another matter."""
    codes = set(_CODE.findall(sought.topic))
    return sum(code in text for code in codes) / len(codes) if codes else 0.5


def _preferred(candidate: Candidate, sought: Sought, people: People) -> float:
    if not sought.preferred:
        return 0.5
    return float(people.person_of(candidate.utterance.label) in sought.preferred)


def _in_period(candidate: Candidate, sought: Sought) -> float:
    day = candidate.utterance.meeting.record.day
    if sought.period is None or day is None:
        return 0.5
    return float(sought.period.holds(day))


def _with_name(sought: Sought, text: str, people: People) -> float:
    """Whether a text names somebody whom the question does not; a half where no name is asked for."""
    if sought.shapes.isdisjoint((Shape.NAME, Shape.PERSON)):
        return 0.5
    return float(not people.named_in(text) <= sought.named)


def _shaped(sought: Sought, text: str) -> float:
    """The share of the shapes asked for that a text has; a half where none is asked for."""
    if not sought.shapes:
        return 0.5
    return sum(_SHAPES[shape].search(text) is not None for shape in sought.shapes) / len(sought.shapes)
