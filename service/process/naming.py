"""Which process a message speaks of: by names and aliases, and by the words of its fields."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice

from ingestion.analyzer import Analyzer
from rules.mentions.quantities import read_quantities
from rules.table import FieldType, Process
from service.process.grammar import Grammar
from service.process.places import Span, within
from service.process.vocabulary import Utterance, lowered

_NAMED = 2.0  # a name or an alias, whole
_OPTION = 1.0  # a word that answers one of its choices
_COUNTED, _ANY_MEASURE = 0.5, 0.8  # of a count in the process's own measures, and in any other
_PARTLY = 0.6  # of a name's weight in words: what is not whole must hold so much of it
_WEIGHTS = {FieldType.CHOICE: 1.0, FieldType.YES_NO: 0.5}
_LEADS = 1.25  # the best must be so much better than the next, where neither is named
_MOST_PLACES = 20  # of one process's names in a message that are looked at
_BETWEEN = r"(?:一?[个下块间台次份点趟场])?"  # 借个会场, 盖一个章
_BESIDES = re.compile(r"另外|还想|还要|还得|还有|顺便|同时|再|也要|以及|又要")
_PARTS = re.compile(r"[，。；！？、,;!?\s]+")


@dataclass(frozen=True, slots=True)
class Named:
    """`process_ids` best first. `named` are those whose name or alias stands in the message, whole, and not
    within a longer one of another process; `places` are where they stand."""

    process_ids: tuple[str, ...]
    named: tuple[str, ...]
    places: tuple[Span, ...] = ()

    @property
    def one(self) -> str:
        """The process meant, or nothing when there is none or several."""
        return self.process_ids[0] if len(self.process_ids) == 1 else ""


class Naming:
    """Made once for a set of processes."""

    def __init__(
        self, processes: Sequence[Process], grammars: Mapping[str, Grammar], analyzer: Analyzer
    ) -> None:
        self._processes = processes
        self._grammars = grammars
        self._analyzer = analyzer
        names = {
            process.id: tuple(dict.fromkeys(map(lowered, (process.name, *process.aliases))))
            for process in processes
        }
        self._patterns = {id_: re.compile("|".join(map(_loosely, said))) for id_, said in names.items()}
        self._name_tokens = {id_: [self._tokens(name) for name in said] for id_, said in names.items()}
        holding: Counter[str] = Counter()
        for of_one in self._name_tokens.values():
            holding.update({token for name in of_one for token in name})
        self._weights = {
            token: math.log(1 + len(processes) / count) for token, count in holding.items()
        }

    def closest(self, utterance: Utterance, among: Sequence[str]) -> str:
        """Of the processes that were offered, the one whose names share most with the answer; nothing when
        none or several do."""
        found = self._tokens(utterance.folded)
        shares = {id_: self._share(id_, found) for id_ in among}
        best = max(shares.values(), default=0.0)
        ahead = [id_ for id_, share in shares.items() if share == best]
        return ahead[0] if best > 0 and len(ahead) == 1 else ""

    def read(self, utterance: Utterance) -> Named:
        folded = utterance.folded
        places = self._places(folded)
        named = list(places)
        at = tuple(span for spans in places.values() for span in spans)
        if len(named) == 1 and _BESIDES.search(folded):
            named += self._besides(named[0], utterance.text)
        if len(named) > 1:
            return Named(tuple(named), tuple(named), at)
        found = self._tokens(folded)
        scores = {
            process.id: self._score(process, utterance, found) + _NAMED * (process.id in named)
            for process in self._processes
        }
        ranked = sorted((id_ for id_ in scores if scores[id_] > 0), key=lambda id_: -scores[id_])
        if len(ranked) > 1 and scores[ranked[0]] >= _LEADS * scores[ranked[1]]:
            ranked = ranked[:1]
        elif len(ranked) > 1:
            ranked = [id_ for id_ in ranked if scores[ranked[0]] < _LEADS * scores[id_]]
        return Named(tuple(ranked), tuple(named), at)

    def _places(self, folded: str) -> dict[str, list[Span]]:
        """Where names stand, by process: 资产申请 within 资产申请变更 is no name of its own."""
        found = {
            process.id: [match.span() for match in islice(pattern.finditer(folded), _MOST_PLACES)]
            for process in self._processes
            if (pattern := self._patterns[process.id]).search(folded)
        }
        every = [span for spans in found.values() for span in spans]
        whole = {id_: [span for span in spans if not _within(span, every)] for id_, spans in found.items()}
        return {id_: spans for id_, spans in whole.items() if spans}

    def _besides(self, first: str, message: str) -> list[str]:
        """What else is wanted, by words of its own in another part: 公章要盖一个，另外借个会场."""
        named = self._patterns[first]
        rest = Utterance(" ".join(part for part in _PARTS.split(message) if not named.search(lowered(part))))
        found = self._tokens(rest.folded)

        def wanted(process: Process) -> bool:
            return self._share(process.id, found) >= _PARTLY or self._own_words(process, rest) >= _OPTION

        return [process.id for process in self._processes if process.id != first and wanted(process)]

    def _score(self, process: Process, utterance: Utterance, found: Set[str]) -> float:
        """Of all but a name that stands there whole."""
        partly = self._share(process.id, found)
        said = self._own_words(process, utterance)
        counted = _COUNTED * self._counted(process, utterance.text)
        return (partly if partly >= _PARTLY else 0.0) + _OPTION * said + counted

    def _counted(self, process: Process, message: str) -> float:
        """By how much the message counts what this process counts; another measure may be meant, too."""
        grammar = self._grammars[process.id]
        if grammar.counted(message):
            return 1.0
        return _ANY_MEASURE if grammar.counts_things and read_quantities(message) else 0.0

    def _share(self, process_id: str, found: Set[str]) -> float:
        """How much of one of its names is found, by the weight of the words; 1 is a whole name."""
        names = self._name_tokens.get(process_id, ())
        return max((self._held(name, found) for name in names), default=0.0)

    def _held(self, name: Set[str], found: Set[str]) -> float:
        total = math.fsum(self._weights[token] for token in name)
        held = math.fsum(self._weights[token] for token in name & found)
        return held / total if total else 0.0

    def _own_words(self, process: Process, utterance: Utterance) -> float:
        """How many words of the process's choices stand there; yes and no weigh half."""
        mentions = utterance.mentions(self._grammars[process.id].vocabulary)
        weights = {field.name: _WEIGHTS.get(field.type, 0.0) for field in process.fields}
        return math.fsum(weights[mention.field] for mention in mentions if mention.value)

    def _tokens(self, folded: str) -> frozenset[str]:
        return frozenset(self._analyzer.tokens(folded))


def _within(span: Span, others: Sequence[Span]) -> bool:
    """Whether it lies in a longer one."""
    return within(span, (other for other in others if other != span))


def _loosely(alias: str) -> str:
    return _BETWEEN.join(map(re.escape, alias))
