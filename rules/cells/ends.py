"""Reads one end of a comparison: 5万以上, 不超过2万, ≥30, 5万(含)."""

from dataclasses import dataclass

from rules.cells.tokens import After, Amount, Before, Bound, Cursor, Open, Side, Vague
from rules.faults import CellFault, bad_cell, bad_range, offer


@dataclass(frozen=True, slots=True)
class End:
    """One number with what is said about it. `closed` None: not said whether it belongs."""

    amount: Amount
    side: Side | None
    closed: bool | None


def read_end(cursor: Cursor) -> End:
    """Raises CellFault where a number is missing or two words about it disagree."""
    before = cursor.next_if(Before)
    amount = cursor.next_if(Amount)
    if amount is None:
        raise stuck(cursor)
    said = [cursor.next_if(Open)]
    after = cursor.next_if(After)
    vague = cursor.next_if(Vague)
    said.append(cursor.next_if(Open))
    closed = _agreed([each for each in said if each is not None], amount, cursor.text)
    bounds = [each.bound for each in (before, after) if each is not None]
    if vague is not None:
        return _vague(vague, amount, closed, bounds, cursor.text)
    return _resolved(amount, bounds, closed, may_override=before is None, text=cursor.text)


def _agreed(said: list[Open], amount: Amount, text: str) -> bool | None:
    if any(each.value not in (None, amount.value) for each in said):
        raise bad_cell(
            text, f"括号里说的不是「{amount.text}」", "请写成「5万以上(不含)」的样子，括号里不用再写数。"
        )
    flags = {each.closed for each in said}
    if len(flags) > 1:
        raise bad_cell(text, f"「{amount.text}」又写含又写不含", "请只留一个。")
    return flags.pop() if flags else None


def _vague(vague: Vague, amount: Amount, closed: bool | None, bounds: list[Bound], text: str) -> End:
    if closed is None or bounds:
        raise _either(f"「{vague.text}」没有说含不含「{amount.text}」", vague.side, amount, text)
    return End(amount, vague.side, closed)


def _resolved(
    amount: Amount, bounds: list[Bound], closed: bool | None, *, may_override: bool, text: str
) -> End:
    """含 and 不含 may decide 以上 and 以下 otherwise than the law does, but not contradict 超过 or ≥."""
    if not bounds:
        return End(amount, None, closed)
    bound = bounds[0]
    if bounds[-1] != bound:
        side = bounds[-1].side if bound.side is Side.EQUAL else bound.side
        raise _either("前后两个词说法不一致", side, amount, text)
    if closed not in (None, bound.closed) and not (may_override and bound.closed):
        raise _either("前后说法不一致", bound.side, amount, text)
    return End(amount, bound.side, bound.closed if closed is None else closed)


def _either(why: str, side: Side, amount: Amount, text: str) -> CellFault:
    signs = ("≤", "<") if side is Side.BELOW else ("≥", ">")
    corrections = tuple(f"{sign}{amount.text}" for sign in signs)
    return bad_range(text, why, offer(corrections), *corrections)


def stuck(cursor: Cursor) -> CellFault:
    """The tokens are no condition in this order."""
    example = (
        "2025-01-01~2025-12-31" if cursor.measure.days else "2万(含)~5万(不含)、20万以上且不满100万、≤30"
    )
    return bad_cell(cursor.text, "少了数字，或者词的顺序不对", f"请照这样写：{example}。")
