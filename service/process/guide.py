"""One turn of the process path: what lies open and a message in, a question, a card or an honest no out.

    hearing: what it does, of which process -> pieces -> values -> what is missing -> the tables -> a reply

No I/O, no clock, no randomness, so that every turn can be replayed. A value that cannot be used leaves the
old one in place, and no card is given while anything is open.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from ingestion.analyzer import Analyzer
from rules.conditions import Truth, Value
from rules.engine import Status
from rules.flow import needed, required, route
from rules.table import Field, FieldType, Process, Required
from rules.wording import typed
from service.process import wording
from service.process.acts import Act, Acts
from service.process.card import Change, ShownValue, StepCard, card_of
from service.process.case import Case, Desk, Refused, Slot, Source, Stage, Unfit
from service.process.extraction import Piece
from service.process.grammar import Context, is_price
from service.process.hearing import Heard, Hearing, Version
from service.process.reply import Action, Chip, Does, Reply
from service.process.values import worth

_OF_THE_CASE = (Act.CANCEL, Act.RESUME, Act.CORRECT, Act.UNSURE, Act.THANKS)


@dataclass(frozen=True, slots=True)
class Profile:
    """What the directory says of the person who asks. `department` may be a path: 总部/财务部."""

    department: str = ""


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
        heard = self.hear(desk, message)
        return self.advance(heard, self.pieces(heard, known), known)

    def hear(self, desk: Desk, message: str) -> Heard:
        return self._hearing.hear(desk, message)

    def concerns(self, desk: Desk, message: str) -> bool:
        """Whether a message says anything of what lies open: a value, yes or no, a doubt, what to do."""
        process = self._hearing.process_of(desk.case)
        if self._acts.is_answer(message) or any(self._acts.says(act, message) for act in _OF_THE_CASE):
            return True
        if process is None:
            return bool(desk.offered) and self._hearing.speaks_of_a_process(message)
        context = Context(self._day, process.field(desk.case.asked) if desk.case else None)
        return bool(self._hearing.grammar(process).pieces(message, context))

    def pieces(self, heard: Heard, profile: Profile) -> tuple[Piece, ...]:
        """What the offline grammar finds for the process that was heard."""
        if heard.process is None:
            return ()
        case = heard.desk.case
        asked = heard.process.field(case.asked) if case and case.asked else None
        filled = {*_from_profile(heard.process, profile), *(case.slots if case else ())}
        context = Context(self._day, asked, frozenset(filled))
        return self._hearing.grammar(heard.process).pieces(heard.message, context)

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
        found = route(process, _facts(process, case), self._day)
        matched = found.status is Status.MATCHED
        return card_of(process, found, shown_values(process, case)) if matched else None

    def advance(self, heard: Heard, pieces: Sequence[Piece], profile: Profile) -> tuple[Desk, Reply]:
        """Read the pieces, whoever found them, and say what follows."""
        process = heard.process
        if heard.settled is not None or process is None:
            settled = heard.settled or self._hearing.refused(heard.desk, heard.message).settled
            if settled is None:
                raise ValueError("a message without a process has a settled reply")
            return heard.desk, settled
        said, refused = self._values(process, pieces)
        if not said and not refused and self._strays(heard):
            stray = self._hearing.refused(heard.desk, heard.message)
            return self.advance(stray, (), profile)
        before = heard.desk.case or Case(self._new_id(), process.id, process.digest, self._day)
        case = replace(before, slots=_filled(process, {**before.slots, **said}, said, profile))
        reply = self._reply(_Turn(heard, process, case, refused, _changes(process, before, case)))
        return Desk(reply.case, heard.desk.aside), reply

    def _strays(self, heard: Heard) -> bool:
        """Nothing of the message is of the case, and it neither corrects nor doubts what was asked."""
        if heard.desk.case is None or heard.does is not Does.APPLY:
            return False
        doubts = self._acts.says(Act.UNSURE, heard.message)
        return not doubts and not self._hearing.speaks_of_a_process(heard.message)

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
        facts = _facts(process, case)
        missing = needed(process, facts)
        idle = {field.name for field in process.fields if required(field, facts) is Truth.FALSE}
        refused = tuple(one for one in turn.refused if one.field not in idle or one.field in case.slots)
        heard = replace(turn.heard, does=_does(turn, refused))
        turn = replace(turn, heard=heard, refused=refused)
        if missing or any(one.field in case.slots for one in refused):
            return _ask(turn, missing)
        found = route(process, facts, self._day)
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
            return replace(told, action=Action.CARD, text=wording.card(card), card=card)
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


def _does(turn: _Turn, refused: Sequence[Refused]) -> Does:
    """A value that was there and is another now, or should be, was corrected, whatever words said so."""
    if turn.heard.does not in (Does.APPLY, Does.CORRECT):
        return turn.heard.does
    corrects = bool(turn.changes) or any(one.field in turn.case.slots for one in refused)
    return Does.CORRECT if corrects else Does.APPLY


def _ask(turn: _Turn, missing: tuple[Field, ...]) -> Reply:
    """Ask for the first that is missing, or again for the one whose new value could not be used."""
    case, process = turn.case, turn.process
    again = next((process.field(one.field) for one in turn.refused if one.field in case.slots), None)
    first = missing[0] if missing else again
    if first is None:
        raise ValueError("nothing is missing and nothing was refused")
    failed = case.asked == first.name or any(one.field == first.name for one in turn.refused)
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


def _filled(
    process: Process, slots: Mapping[str, Slot], said: Mapping[str, Slot], profile: Profile
) -> dict[str, Slot]:
    """With what the profile says, and what can be worked out."""
    filled = {**_from_profile(process, profile), **slots}
    return filled | _worked_out(process, filled, said)


def _from_profile(process: Process, profile: Profile) -> dict[str, Slot]:
    known = profile.department.rpartition("/")[2]
    return {
        field.name: Slot(known, "", Source.PROFILE)
        for field in process.fields
        if field.type is FieldType.DEPARTMENT and known and (not field.options or known in field.options)
    }


def _worked_out(process: Process, slots: Mapping[str, Slot], said: Mapping[str, Slot]) -> dict[str, Slot]:
    """A price times a count is the sum that the process asks for, unless that was said itself."""
    amounts = [field for field in process.fields if field.type is FieldType.AMOUNT]
    prices = [field.name for field in amounts if is_price(field)]
    sums = [f for f in amounts if f.name not in prices and f.required is Required.ALWAYS]
    counts = [f.name for f in process.fields if f.type is FieldType.INTEGER and f.required is Required.NEVER]
    if len(prices) != 1 or len(sums) != 1 or len(counts) != 1:
        return {}
    total, price, count = sums[0], slots.get(prices[0]), slots.get(counts[0])
    stated = slots.get(total.name)
    if price is None or count is None or (stated is not None and stated.source is not Source.DERIVED):
        return {}
    if not isinstance(price.value, Decimal) or not isinstance(count.value, Decimal):
        return {}
    value = price.value * count.value
    inside = total.bounds is None or value in total.bounds
    return {total.name: Slot(value, "", Source.DERIVED)} if inside and total.name not in said else {}


def _facts(process: Process, case: Case) -> dict[str, Value]:
    """What counts: a value of a field that is not asked for in this combination is left out."""
    values = case.values
    return {
        name: value
        for name, value in values.items()
        if (field := process.field(name)) is not None
        and (field.required is not Required.WHEN or required(field, values) is not Truth.FALSE)
    }


def _changes(process: Process, before: Case, after: Case) -> tuple[Change, ...]:
    """Values that stood and are others now."""
    return tuple(
        Change(
            field.name,
            _with_unit(before.slots[field.name].value, field),
            _with_unit(after.slots[field.name].value, field),
        )
        for field in process.fields
        if field.name in before.slots and before.slots[field.name].value != after.slots[field.name].value
    )


def shown_values(process: Process, case: Case) -> tuple[ShownValue, ...]:
    """In the order of the fields."""
    return tuple(
        ShownValue(field.name, field.code, _with_unit(slot.value, field), slot.source.value)
        for field in process.fields
        if (slot := case.slots.get(field.name)) is not None
    )


def _with_unit(value: Value, field: Field) -> str:
    return f"{typed(value)}{field.unit}" if isinstance(value, Decimal) else typed(value)
