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


@dataclass(frozen=True, slots=True)
class Heard:
    """`desk` is what lies open now. `process` is what the message speaks of, or else `settled` the reply."""

    message: str
    does: Does
    desk: Desk
    process: Process | None = None
    settled: Reply | None = None


Version = Callable[[str, str], Process | None]  # id and digest


class Hearing:
    """Over one set of published processes, on one day. Does not change; may be shared."""

    def __init__(
        self, processes: Sequence[Process], acts: Acts, analyzer: Analyzer, day: date, version: Version
    ) -> None:
        self.processes = tuple(processes)
        self._acts = acts
        self._day = day
        self._version = version
        self._by_id = {process.id: process for process in processes}
        self._grammars: Mapping[str, Grammar] = {p.id: Grammar(p, acts) for p in processes}
        self._naming = Naming(self.processes, self._grammars, analyzer)

    def hear(self, desk: Desk, message: str) -> Heard:
        named = self._naming.read(message)
        if settled := self._settled(desk, message, named):
            return settled
        if self._acts.says(Act.RESUME, message) and (desk.case or desk.aside):
            return self._resumed(desk, message, named)
        if desk.offered:
            return self._chosen(desk, message, named)
        process = self.process_of(desk.case)
        if process is None or self._leaves(process, message, named):
            return self._begun(desk, message, named)
        return Heard(message, self._does(desk, message), desk, process)

    def speaks_of_a_process(self, message: str) -> bool:
        return bool(self._naming.read(message).process_ids)

    def grammar(self, process: Process) -> Grammar:
        """That of this version; old ones are made when a case needs them."""
        if self._by_id.get(process.id) is process:
            return self._grammars[process.id]
        return Grammar(process, self._acts)

    def process_of(self, case: Case | None) -> Process | None:
        """The version a case began with, or what took its place."""
        if case is None:
            return None
        current = self._by_id.get(case.process_id)
        if current is not None and current.digest == case.digest:
            return current
        return self._version(case.process_id, case.digest) or current

    def _leaves(self, process: Process, message: str, named: Named) -> bool:
        """Whether a message begins something else: it names another process, and nothing of this one."""
        if process.id in named.process_ids or not named.one:
            return bool(named.named) and process.id not in named.process_ids
        mentions = self.grammar(process).vocabulary.find(message)
        return bool(named.named) or not any(mention.value for mention in mentions)

    def _settled(self, desk: Desk, message: str, named: Named) -> Heard | None:
        """What needs no values: the state of an application, cancelling, thanks, what may not be done."""
        acts, open_ = self._acts, desk.case is not None or bool(desk.offered)
        if acts.says(Act.STATUS, message):
            reply = Reply(Action.STATUS, Does.STATUS, wording.STATUS, candidates=named.process_ids[:1])
            return Heard(message, Does.STATUS, desk, settled=reply)
        if open_ and self._cancels(desk, message):
            text = wording.cancelled(self.process_of(desk.case), len(desk.aside))
            reply = Reply(Action.CANCELLED, Does.CANCEL, text)
            return Heard(message, Does.CANCEL, Desk(aside=desk.aside), settled=reply)
        if acts.says(Act.FORBIDDEN, message):
            return self._refused(desk, message, wording.FORBIDDEN)
        if self._carries(desk, message, named):
            return None
        if acts.says(Act.OUTSIDE, message):
            return self._refused(desk, message, self._outside(desk))
        if acts.says(Act.THANKS, message) and (open_ or not named.process_ids):
            reply = Reply(Action.END, Does.SMALLTALK, wording.GOODBYE)
            return Heard(message, Does.SMALLTALK, desk, settled=reply)
        return None

    def _cancels(self, desk: Desk, message: str) -> bool:
        """不要了 is an answer where yes or no was asked, and the end of the case elsewhere."""
        if self._acts.says(Act.CANCEL, message):
            return True
        process = self.process_of(desk.case)
        asked = process.field(desk.case.asked) if process and desk.case else None
        return self._acts.says(Act.DECLINE, message) and (asked is None or asked.type is not FieldType.YES_NO)

    def refused(self, desk: Desk, message: str) -> Heard:
        """A message that has nothing to do with the case or with any process."""
        return self._refused(desk, message, self._outside(desk))

    def _refused(self, desk: Desk, message: str, text: str) -> Heard:
        reply = Reply(Action.REFUSE, Does.OUT_OF_SCOPE, text)
        return Heard(message, Does.OUT_OF_SCOPE, desk, settled=reply)

    def _outside(self, desk: Desk) -> str:
        process = self.process_of(desk.case)
        return wording.outside(process if desk.case and desk.case.stage is Stage.COLLECTING else None)

    def _carries(self, desk: Desk, message: str, named: Named) -> bool:
        """Whether the message also says something of a case: it goes on then, whatever else it demands."""
        process = self.process_of(desk.case)
        candidates = [process] if process else [self._by_id[id_] for id_ in named.process_ids]
        context = Context(self._day)
        return any(self.grammar(each).said(message, context) for each in candidates)

    def _resumed(self, desk: Desk, message: str, named: Named) -> Heard:
        """Take up a case that was put aside, the named one or the last; or go on with the one at hand."""
        waiting = [*([desk.case] if desk.case else []), *desk.aside]
        case = next((case for case in waiting if case.process_id in named.process_ids), waiting[0])
        aside = tuple(other for other in waiting if other is not case)
        return Heard(message, Does.RESUME, Desk(case, aside), self.process_of(case))

    def _chosen(self, desk: Desk, message: str, named: Named) -> Heard:
        """An answer to which process it is."""
        kept = replace(desk, offered=())
        offered = [id_ for id_ in named.named if id_ in desk.offered]
        if len(offered) != 1 and (closest := self._naming.closest(message, desk.offered)):
            offered = [closest]
        offered = offered or [id_ for id_ in named.process_ids if id_ in desk.offered]
        digits = message.strip().rstrip("。.")
        if not offered and digits.isdecimal() and 0 < int(digits) <= len(desk.offered):
            offered = [desk.offered[int(digits) - 1]]
        if len(offered) != 1:
            return self._begun(kept, message, named)
        return Heard(message, Does.APPLY, kept, self._by_id[offered[0]])

    def _begun(self, desk: Desk, message: str, named: Named) -> Heard:
        does = self._does(Desk(), message)
        ids = named.process_ids
        if not ids:
            if not self._acts.says(Act.APPLY, message) and does is not Does.MATERIALS:
                return self.refused(desk, message)
            ids = tuple(process.id for process in self.processes)
        if len(ids) != 1:
            return self._which(desk, message, [self._by_id[id_] for id_ in ids])
        waits = desk.case is not None and desk.case.stage is Stage.COLLECTING
        aside = (desk.case, *desk.aside) if waits and desk.case else desk.aside
        return Heard(message, does, Desk(aside=aside), self._by_id[ids[0]])

    def _which(self, desk: Desk, message: str, processes: Sequence[Process]) -> Heard:
        ids = tuple(process.id for process in processes)
        reply = Reply(
            Action.DISAMBIGUATE,
            Does.APPLY,
            wording.which([process.name for process in processes]),
            candidates=ids,
            chips=tuple(Chip(process.name, process.name) for process in processes),
        )
        return Heard(message, Does.APPLY, replace(desk, offered=ids), settled=reply)

    def _does(self, desk: Desk, message: str) -> Does:
        if self._acts.says(Act.MATERIALS, message):
            return Does.MATERIALS
        if desk.case is not None and self._acts.says(Act.CORRECT, message):
            return Does.CORRECT
        return Does.APPLY
