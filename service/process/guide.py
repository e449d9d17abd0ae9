"""One turn of the process path: what lies open and a message in, a question, a card or an honest no out.

    hearing: what it does, of which process -> pieces -> values -> what is missing -> the tables -> a reply

No I/O, no clock, no randomness, so that every turn can be replayed. A value that cannot be used leaves the
old one in place, and no card is given while anything is open.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ingestion.analyzer import Analyzer
from rules.conditions import Truth
from rules.engine import Status
from rules.flow import needed, required, route
from rules.mentions.quantities import read_integers
from rules.table import Facts, Field, FieldType, Process, Required
from service.process import wording
from service.process.acts import Act, Acts
from service.process.card import Change, StepCard, card_of
from service.process.case import Case, Desk, Refused, Slot, Stage, Unfit
from service.process.extraction import Piece
from service.process.filling import (
    Profile,
    carried_over,
    changes_between,
    facts_of,
    filled,
    from_profile,
    other_total,
    shown_values,
)
from service.process.grammar import Context
from service.process.hearing import Heard, Hearing, Version
from service.process.reply import Action, Chip, Does, Reply
from service.process.values import worth

_NUMERIC = (FieldType.AMOUNT, FieldType.INTEGER)
_OF_THE_CASE = (Act.CANCEL, Act.RESUME, Act.CORRECT, Act.UNSURE, Act.THANKS)


@dataclass(frozen=True, slots=True)
class Read:
    """A message, read once: what was heard, the pieces that the grammar found, and whether it `concerns` what
    lay open: says a value, yes or no, a doubt, what to do."""

    heard: Heard
    pieces: tuple[Piece, ...]
    concerns: bool


class Guide:
    """Over one set of published processes, on one day. Does not change; may be shared by threads."""

    def __init__(
        self,
        processes: Sequence[Process],
        acts: Acts,
        analyzer: Analyzer,
        day: date,
        new_id: Callable[[], str],
        version: Version = lambda _id, _digest: None,
    ) -> None:
        self._acts = acts
        self._day = day
        self._new_id = new_id
        self._hearing = Hearing(processes, acts, analyzer, day, version)

    def turn(self, desk: Desk, message: str, profile: Profile | None = None) -> tuple[Desk, Reply]:
        """The whole turn by the offline grammar."""
        known = profile or Profile()
        read = self.read(desk, message, known)
        return self.advance(read.heard, read.pieces, known)

    def read(self, desk: Desk, message: str, profile: Profile) -> Read:
        """What a message does and says, before a model looks at it; nothing is decided yet."""
        heard = self._hearing.hear(desk, message)
        process, case = heard.process, heard.desk.case
        pieces = self._pieces(process, case, heard, profile) if process is not None else ()
        return Read(heard, pieces, self._concerns(desk, heard, pieces, profile))

    def _concerns(self, desk: Desk, heard: Heard, pieces: tuple[Piece, ...], profile: Profile) -> bool:
        message = heard.message
        if self._acts.is_answer(message) or any(self._acts.says(act, message) for act in _OF_THE_CASE):
            return True
        process = self._hearing.process_of(desk.case)
        if process is None:
            return bool(desk.offered and heard.named.process_ids)
        if heard.desk.case is not desk.case or heard.process is not process:
            pieces = self._pieces(process, desk.case, heard, profile)
        return bool(pieces)

    def _pieces(
        self, process: Process, case: Case | None, heard: Heard, profile: Profile
    ) -> tuple[Piece, ...]:
        """What the offline grammar finds for a process."""
        asked = process.field(case.asked) if case and case.asked else None
        known = {*from_profile(process, profile), *(case.slots if case else ())}
        context = Context(self._day, asked, frozenset(known))
        return self._hearing.grammar(process).pieces(heard.utterance, context)

    def usable(self, process: Process, pieces: Sequence[Piece]) -> tuple[Piece, ...]:
        """Those that are values of their fields."""
        vocabulary = self._hearing.grammar(process).vocabulary
        fields = {field.name: field for field in process.fields}
        return tuple(
            piece
            for piece in pieces
            if piece.field in fields
            and isinstance(worth(piece, fields[piece.field], vocabulary, self._acts, self._day), Slot)
        )

    def card(self, case: Case) -> StepCard | None:
        """The card of a case that was answered with one."""
        process = self._hearing.process_of(case)
        if process is None or case.stage is not Stage.ANSWERED:
            return None
        found = route(process, facts_of(process, case), case.day)
        matched = found.status is Status.MATCHED
        return card_of(process, found, shown_values(process, case)) if matched else None

    def advance(self, heard: Heard, pieces: Sequence[Piece], profile: Profile) -> tuple[Desk, Reply]:
        """Read the pieces, whoever found them, and say what follows."""
        process = heard.process
        if heard.settled is not None or process is None:
            return heard.desk, heard.settled or self._hearing.refusal(heard.desk)
        said, refused = self._values(process, pieces)
        if not said and not refused and self._strays(heard):
            return heard.desk, self._hearing.refusal(heard.desk)
        before = heard.desk.case or Case(self._new_id(), process.id, process.digest, self._day)
        before = carried_over(process, before)
        case = replace(before, slots=filled(process, {**before.slots, **said}, profile))
        turn = _Turn(heard, process, case, refused, changes_between(process, before, case))
        unread = heard.does is Does.CORRECT and heard.desk.case is not None and not said and not refused
        reply = self._unchanged(turn) if unread else self._reply(turn)
        return Desk(reply.case, heard.desk.aside), reply

    def _unchanged(self, turn: "_Turn") -> Reply:
        """To a correction of which nothing was read: what was asked is asked again, and no card looks as if
        it had taken the correction in."""
        text = wording.no_change(turn.process)
        if turn.case.stage is Stage.COLLECTING:
            asked = self._reply(turn)
            return replace(asked, text=f"{text}\n\n{asked.text}")
        return Reply(Action.ASK, Does.CORRECT, text, case=turn.case, process=turn.process)

    def _strays(self, heard: Heard) -> bool:
        """Nothing of the message is of the case, and it neither corrects nor doubts nor tries to answer what
        was asked."""
        if heard.desk.case is None or heard.does is not Does.APPLY or self._tries(heard):
            return False
        return not self._acts.says(Act.UNSURE, heard.message) and not heard.named.process_ids

    def _tries(self, heard: Heard) -> bool:
        """Whether a number was asked for, and there is one that cannot be used."""
        case, process = heard.desk.case, heard.process
        asked = process.field(case.asked) if case and process else None
        if asked is None or asked.type not in _NUMERIC:
            return False
        return any(map(str.isdecimal, heard.message)) or bool(read_integers(heard.message))

    def _values(
        self, process: Process, pieces: Sequence[Piece]
    ) -> tuple[dict[str, Slot], tuple[Refused, ...]]:
        """One value a field; two that differ are none."""
        slots: dict[str, Slot] = {}
        refused: dict[str, Refused] = {}
        vocabulary = self._hearing.grammar(process).vocabulary
        for piece in pieces:
            field = process.field(piece.field)
            if field is None:
                continue
            read = worth(piece, field, vocabulary, self._acts, self._day)
            if isinstance(read, Refused):
                refused.setdefault(field.name, read)
            elif field.name in slots and slots[field.name].value != read.value:
                both = f"{slots[field.name].text}、{read.text}"
                refused[field.name] = Refused(field.name, Unfit.SEVERAL, both)
            else:
                slots.setdefault(field.name, read)
        for name in refused:
            slots.pop(name, None)
        return slots, tuple(refused.values())

    def _reply(self, turn: "_Turn") -> Reply:
        process, case = turn.process, turn.case
        facts = facts_of(process, case)
        missing = needed(process, facts)
        idle = _idle(process, facts)
        refused = tuple(one for one in turn.refused if one.field not in idle or one.field in case.slots)
        left = tuple(one for one in turn.refused if one not in refused)
        heard = replace(turn.heard, does=_does(turn, refused))
        turn = replace(turn, heard=heard, refused=refused)
        if missing or refused:
            return _ask(turn, missing)
        found = route(process, facts, case.day)
        if found.status is Status.MISSING:
            return _ask(turn, tuple(field for field in process.fields if field.name in found.undecided))
        settled = replace(case, stage=Stage.ANSWERED, asked="", tries={})
        told = Reply(
            Action.NO_MATCH,
            turn.heard.does,
            "",
            case=settled,
            process=process,
            refused=refused,
            changes=turn.changes,
            route=found,
        )
        if found.status is Status.MATCHED:
            card = card_of(process, found, shown_values(process, settled), turn.changes)
            text = wording.card(card, process, left, other_total(process, settled.slots))
            return replace(told, action=Action.CARD, text=text, card=card)
        if found.status is Status.CONFLICT:
            return replace(told, action=Action.CONFLICT, text=wording.conflict(process, found))
        return replace(told, text=wording.no_match(process, found, turn.changes))


@dataclass(frozen=True, slots=True)
class _Turn:
    """One message with its values read and merged."""

    heard: Heard
    process: Process
    case: Case
    refused: tuple[Refused, ...]
    changes: tuple[Change, ...]


def _idle(process: Process, facts: Facts) -> frozenset[str]:
    """Fields that decide nothing here: not asked for in this combination, or optional and in no table."""
    deciding = {column.field for table in process.tables for column in table.inputs}
    return frozenset(
        field.name
        for field in process.fields
        if required(field, facts) is Truth.FALSE
        and (field.required is Required.WHEN or field.name not in deciding)
    )


def _does(turn: _Turn, refused: Sequence[Refused]) -> Does:
    """A value that was there and is another now, or should be, was corrected, whatever words said so."""
    if turn.heard.does not in (Does.APPLY, Does.CORRECT):
        return turn.heard.does
    corrects = bool(turn.changes) or any(one.field in turn.case.slots for one in refused)
    return Does.CORRECT if corrects else Does.APPLY


def _ask(turn: _Turn, missing: tuple[Field, ...]) -> Reply:
    """Ask for the first that is missing, or again for the one whose new value could not be used.

    An answer that corrects another field, or asks for the materials, is no failed try.
    """
    case, process = turn.case, turn.process
    again = next((process.field(one.field) for one in turn.refused), None)
    first = missing[0] if missing else again
    if first is None:
        raise ValueError("nothing is missing and nothing was refused")
    strays = case.asked == first.name and turn.heard.does is Does.APPLY
    failed = strays or any(one.field == first.name for one in turn.refused)
    tries = {**case.tries, first.name: case.tries.get(first.name, 0) + failed}
    asking = replace(case, stage=Stage.COLLECTING, asked=first.name, tries=tries)
    values = shown_values(process, case)
    return Reply(
        Action.ASK,
        turn.heard.does,
        wording.ask(process, first, turn.refused, turn.changes, tries[first.name], values),
        case=asking,
        process=process,
        asked=first,
        missing=missing,
        refused=turn.refused,
        changes=turn.changes,
        chips=tuple(Chip(answer, answer) for answer in wording.answers(first)),
    )
