"""What a message does, and of which process it speaks, before any value of it is read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ingestion.analyzer import Analyzer
from rules.table import FieldType, Process
from service.process import wording
from service.process.acts import Act, Acts
from service.process.case import Case, Desk, Stage
from service.process.grammar import Context, Grammar
from service.process.naming import Named, Naming
from service.process.reply import Action, Chip, Does, Reply
from service.process.vocabulary import Utterance


@dataclass(frozen=True, slots=True)
class Heard:
    """`desk` is what lies open now. `process` is what the message speaks of, or else `settled` the reply.
    `named` are the processes that its words fit."""

    utterance: Utterance
    named: Named
    does: Does
    desk: Desk
    process: Process | None = None
    settled: Reply | None = None

    @property
    def message(self) -> str:
        return self.utterance.text


Version = Callable[[str, str], Process | None]  # id and digest
_LONGEST_PLACE = 4  # digits of a place in the list of processes
_OLD_KEPT = 64  # grammars of versions that serve no longer


@dataclass(frozen=True, slots=True)
class _Said:
    """A message as it comes, read once."""

    utterance: Utterance
    named: Named

    @property
    def text(self) -> str:
        return self.utterance.text

    def says(self, acts: Acts, act: Act) -> bool:
        """What is part of a process's name does nothing: 进度 in 进度款支付 asks for no state."""
        return acts.says(act, self.text, self.named.places)

    def heard(
        self, does: Does, desk: Desk, process: Process | None = None, settled: Reply | None = None
    ) -> Heard:
        return Heard(self.utterance, self.named, does, desk, process, settled)


class Hearing:
    """Over one set of published processes, on one day; may be shared by threads."""

    def __init__(
        self, processes: Sequence[Process], acts: Acts, analyzer: Analyzer, day: date, version: Version
    ) -> None:
        self._acts = acts
        self._day = day
        self._version = version
        self._by_id = {process.id: process for process in processes}
        self._grammars: Mapping[str, Grammar] = {p.id: Grammar(p, acts) for p in processes}
        self._naming = Naming(tuple(processes), self._grammars, analyzer)
        self._of_old: dict[tuple[str, str], Grammar] = {}  # by id and digest

    def hear(self, desk: Desk, message: str) -> Heard:
        utterance = Utterance(message)
        said = _Said(utterance, self._naming.read(utterance))
        if settled := self._settled(desk, said):
            return settled
        if said.says(self._acts, Act.RESUME) and (desk.case or desk.aside):
            return self._resumed(desk, said)
        if chosen := self._chosen(desk, said):
            return chosen
        return self._spoken(replace(desk, offered=()), said)

    def grammar(self, process: Process) -> Grammar:
        """That of this version; those of old ones are made when a case needs them, and kept for the next."""
        if self._by_id.get(process.id) is process:
            return self._grammars[process.id]
        key = (process.id, process.digest)
        found = self._of_old.get(key)
        if found is None:
            if len(self._of_old) >= _OLD_KEPT:
                self._of_old.clear()
            found = self._of_old[key] = Grammar(process, self._acts)
        return found

    def process_of(self, case: Case | None) -> Process | None:
        """The version a case began with, or what took its place; None when it was withdrawn altogether."""
        if case is None:
            return None
        current = self._by_id.get(case.process_id)
        if current is not None and current.digest == case.digest:
            return current
        return self._version(case.process_id, case.digest) or current

    def refusal(self, desk: Desk) -> Reply:
        """To a message that has nothing to do with the case or with any process."""
        process = self.process_of(desk.case)
        waits = desk.case is not None and desk.case.stage is Stage.COLLECTING
        return _refusal(wording.outside(process if waits else None))

    def _spoken(self, desk: Desk, said: _Said) -> Heard:
        """A message that goes on with the case, or that begins one."""
        process = self.process_of(desk.case)
        if process is None and desk.case is not None:
            return self._without_process(desk, said)
        if process is None or self._leaves(process, said):
            return self._begun(desk, said)
        return said.heard(self._does(desk, said), desk, process)

    def _without_process(self, desk: Desk, said: _Said) -> Heard:
        """The case's process was withdrawn: that is told, unless another one is named or it was done with."""
        alone = Desk(aside=desk.aside)
        done = desk.case is None or desk.case.stage is Stage.ANSWERED
        if done or said.named.process_ids:
            return self._begun(alone, said)
        return said.heard(Does.OUT_OF_SCOPE, alone, settled=_refusal(wording.WITHDRAWN))

    def _leaves(self, process: Process, said: _Said) -> bool:
        """Whether a message begins something else: it names another process, and nothing of this one."""
        named = said.named
        if process.id in named.process_ids or not named.one:
            return bool(named.named) and process.id not in named.process_ids
        mentions = said.utterance.mentions(self.grammar(process).vocabulary)
        return bool(named.named) or not any(mention.value for mention in mentions)

    def _settled(self, desk: Desk, said: _Said) -> Heard | None:
        """What needs no values: the state of an application, cancelling, thanks, what may not be done."""
        acts = self._acts
        open_ = desk.case is not None or bool(desk.offered)
        if said.says(acts, Act.STATUS):
            candidates = said.named.process_ids[:1]
            reply = Reply(Action.STATUS, Does.STATUS, wording.STATUS, candidates=candidates)
            return said.heard(Does.STATUS, desk, settled=reply)
        if not open_ and said.says(acts, Act.CANCEL) and not self._carries(desk, said):
            reply = Reply(Action.CANCELLED, Does.CANCEL, wording.NOTHING_OPEN)
            return said.heard(Does.CANCEL, desk, settled=reply)
        if open_ and self._cancels(desk, said):
            text = wording.cancelled(self.process_of(desk.case), len(desk.aside))
            reply = Reply(Action.CANCELLED, Does.CANCEL, text)
            return said.heard(Does.CANCEL, Desk(aside=desk.aside), settled=reply)
        if said.says(acts, Act.FORBIDDEN):
            return said.heard(Does.OUT_OF_SCOPE, desk, settled=_refusal(wording.FORBIDDEN))
        if self._carries(desk, said):
            return None
        if said.says(acts, Act.OUTSIDE):
            return said.heard(Does.OUT_OF_SCOPE, desk, settled=self.refusal(desk))
        if said.says(acts, Act.THANKS) and (open_ or not said.named.process_ids):
            reply = Reply(Action.END, Does.SMALLTALK, wording.GOODBYE)
            return said.heard(Does.SMALLTALK, desk, settled=reply)
        return None

    def _cancels(self, desk: Desk, said: _Said) -> bool:
        """不要了 is an answer where yes or no was asked, and the end of the case elsewhere."""
        if said.says(self._acts, Act.CANCEL):
            return True
        process = self.process_of(desk.case)
        asked = process.field(desk.case.asked) if process and desk.case else None
        return said.says(self._acts, Act.DECLINE) and (asked is None or asked.type is not FieldType.YES_NO)

    def _carries(self, desk: Desk, said: _Said) -> bool:
        """Whether the message also says something of a case: it goes on then, whatever else it demands."""
        process = self.process_of(desk.case)
        candidates = [process] if process else [self._by_id[id_] for id_ in said.named.process_ids]
        context = Context(self._day)
        return any(self.grammar(each).said(said.utterance, context) for each in candidates)

    def _resumed(self, desk: Desk, said: _Said) -> Heard:
        """Take up a case that was put aside, the named one or the last; or go on with the one at hand."""
        waiting = [*([desk.case] if desk.case else []), *desk.aside]
        case = next((case for case in waiting if case.process_id in said.named.process_ids), waiting[0])
        others = tuple(other for other in waiting if other is not case)
        process = self.process_of(case)
        if process is None:
            reply = _refusal(wording.WITHDRAWN)
            return said.heard(Does.RESUME, Desk(aside=others), settled=reply)
        return said.heard(Does.RESUME, Desk(case, others), process)

    def _chosen(self, desk: Desk, said: _Said) -> Heard | None:
        """An answer to which process it is; None when it is none. Another case that is open waits."""
        offered = [id_ for id_ in desk.offered if id_ in self._by_id]
        if not offered:
            return None
        found = [id_ for id_ in said.named.named if id_ in offered]
        if len(found) != 1 and (closest := self._naming.closest(said.utterance, offered)):
            found = [closest]
        found = found or [id_ for id_ in said.named.process_ids if id_ in offered]
        found = found or [id_ for id_ in _numbered(said.text, desk.offered) if id_ in offered]
        if len(found) != 1:
            return None
        kept = replace(desk, offered=())
        goes_on = desk.case is not None and desk.case.process_id == found[0]
        return said.heard(Does.APPLY, kept if goes_on else _put_aside(kept), self._by_id[found[0]])

    def _begun(self, desk: Desk, said: _Said) -> Heard:
        does = self._does(Desk(), said)
        ids = said.named.process_ids
        if not ids:
            if not self._acts.says(Act.APPLY, said.text) and does is not Does.MATERIALS:
                return said.heard(Does.OUT_OF_SCOPE, desk, settled=self.refusal(desk))
            ids = tuple(self._by_id)
        if len(ids) != 1:
            return self._which(desk, said, [self._by_id[id_] for id_ in ids])
        if not said.named.named and (waiting := _waiting(desk, ids[0])):
            process = self.process_of(waiting) or self._by_id[ids[0]]
            return said.heard(does, _taken_up(desk, waiting), process)
        return said.heard(does, _put_aside(desk), self._by_id[ids[0]])

    def _which(self, desk: Desk, said: _Said, processes: Sequence[Process]) -> Heard:
        ids = tuple(process.id for process in processes)
        chips = processes if len(processes) <= wording.MOST_CHIPS else ()
        reply = Reply(
            Action.DISAMBIGUATE,
            Does.APPLY,
            wording.which([process.name for process in processes]),
            candidates=ids,
            chips=tuple(Chip(process.name, process.name) for process in chips),
        )
        return said.heard(Does.APPLY, replace(desk, offered=ids), settled=reply)

    def _does(self, desk: Desk, said: _Said) -> Does:
        if said.says(self._acts, Act.MATERIALS):
            return Does.MATERIALS
        if desk.case is not None and said.says(self._acts, Act.CORRECT):
            return Does.CORRECT
        return Does.APPLY


def _refusal(text: str) -> Reply:
    return Reply(Action.REFUSE, Does.OUT_OF_SCOPE, text)


def _put_aside(desk: Desk) -> Desk:
    """Room for another case: one that still waits for answers is kept for later."""
    waits = desk.case is not None and desk.case.stage is Stage.COLLECTING
    return Desk(aside=(desk.case, *desk.aside) if waits and desk.case else desk.aside)


def _waiting(desk: Desk, process_id: str) -> Case | None:
    """The case of a process that was put aside last: a word of its fields alone begins no second one."""
    return next((case for case in desk.aside if case.process_id == process_id), None)


def _taken_up(desk: Desk, case: Case) -> Desk:
    """A case that was put aside is at hand again, and the one that was waits."""
    return Desk(case, tuple(other for other in _put_aside(desk).aside if other is not case))


def _numbered(text: str, offered: Sequence[str]) -> Sequence[str]:
    """The one whose number in the list is the whole answer: 2."""
    digits = text.strip().rstrip("。.")
    place = int(digits) if digits.isdecimal() and len(digits) <= _LONGEST_PLACE else 0
    return offered[place - 1 : place] if place else ()
