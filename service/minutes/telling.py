"""The words of an answer: a template around quotes, so that nobody is made to say what they did not."""

from collections.abc import Sequence

from service.citations import RefusalReason
from service.minutes.answers import Quote, Shift, Told
from service.minutes.choosing import Chosen
from service.minutes.sought import Sought

NOT_SAID = "会议纪要里没有找到"


def tell(sought: Sought, chosen: Chosen) -> str:
    """Every line but the first and the last is one quote with its [n]."""
    lines = [_opening(sought, chosen), *(_line(quote, sought) for quote in chosen.quotes)]
    if chosen.told is Told.CHANGE:
        lines.append(_closing(chosen.shifts, chosen.quotes))
    return "\n".join(lines)


def refusal_message(reason: RefusalReason, sought: Sought, contact: str) -> str:
    """What was looked for and not found, in words a person can act on."""
    whom = f"可以问{contact}。" if contact else ""
    if reason is RefusalReason.AMBIGUOUS:
        return f"这个称呼可能指{'、'.join(sought.ambiguous)}，请写全名再问一次。"
    if sought.unknown:
        return f"{NOT_SAID}“{'、'.join(sought.unknown)}”的发言。请核对姓名，或者不限发言人再问。{whom}"
    who = "、".join(sought.persons or sought.silent)
    period = sought.understood.period
    when = f"在{period}的会上" if period else ""
    if who:
        return f"{NOT_SAID}{who}{when}就此说过的话。没有说过的，不替人作答。{whom}"
    return f"{NOT_SAID}{when}就此说过的话。{whom}"


def _opening(sought: Sought, chosen: Chosen) -> str:
    if chosen.told is Told.UNDECIDED:
        return "谈到过，没有找到定下来的话。谈的时候是这样说的："
    if sought.as_speaker:
        return f"{sought.as_speaker}说过："
    if sought.silent:
        return f"会上没有{'、'.join(sought.silent)}的发言，别人提到时是这样说的："
    if chosen.told is Told.CHANGE:
        return "依时间先后是这样说的："
    return "会上是这样说的："


def _line(quote: Quote, sought: Sought) -> str:
    day = quote.day.isoformat() if quote.day else "日期不明"
    who = "" if sought.as_speaker else f"{quote.speaker or '（没有记下发言人）'}："
    return f"{day}《{quote.meeting}》{who}“{quote.text}”[{quote.n}]"


def _closing(shifts: Sequence[Shift], quotes: Sequence[Quote]) -> str:
    if not shifts:
        return "从字面上看不出说法变了；请看原话。"
    days = {quote.n: quote.day.isoformat() if quote.day else "日期不明" for quote in quotes}
    return "；".join(_turn(shift, days) for shift in shifts) + "。"


def _turn(shift: Shift, days: dict[int, str]) -> str:
    who = shift.person or "会上"
    return f"{who}的说法在 {days[shift.after]} 与 {days[shift.before]} 不同：[{shift.before}]→[{shift.after}]"
