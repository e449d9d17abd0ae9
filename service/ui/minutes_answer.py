"""What the archive answers, drawn: what was understood, the quotes in order of time, or why there are none.

A quote is the record's own words. The `text` of an answer, which strings the quotes together, is not shown
beside the quotes themselves: so nothing stands in a person's name that they did not say.
"""

from collections.abc import Sequence

from ingestion.minutes.outcome import OutcomeKind
from service.citations import Reference, Refusal
from service.minutes.answers import MinutesAnswer, Quote, Shift, Told, Understood
from service.ui.elements import box, facts, link, tag, words
from service.ui.minutes_addresses import Place, meeting_address
from service.ui.minutes_words import NO_DAY, OUTCOMES
from service.wording import REFUSALS, day_of

TITLES = {
    Told.SAID: "说过的话",
    Told.CHANGE: "前后的说法",
    Told.OUTCOME: "决定与待办",
    Told.UNDECIDED: "谈过，没有作出决定",
}


def draw_answer(answer: MinutesAnswer) -> None:
    speaker = answer.understood.as_speaker
    with box("div", "panel verdict"):
        if answer.refusal is not None:
            _refusal(answer.refusal)
        else:
            with box("p", "verdict-line", role="status"):
                tag(f"{len(answer.quotes)} 处原话", "active")
                words("span", f"{speaker} 的原话" if speaker else _spread(answer.quotes))
        _understood(answer.understood)
        if answer.refusal is not None and answer.refusal.contact:
            facts(f"可以问：{answer.refusal.contact}")
    if answer.refusal is not None:
        _nearest(answer.refusal.nearest)
        return
    numbered = {quote.n: quote for quote in answer.quotes}
    if answer.told is Told.CHANGE and not answer.shifts:
        words("p", "从字面上看不出说法变了；请看原话。", "list-note")
    _shifts(answer.shifts, numbered)
    words("h2", f"{speaker} 说过" if speaker else TITLES[answer.told], "section-title")
    with box("ol", "cards"):
        for quote in answer.quotes:
            _quote(quote)


def _spread(quotes: Sequence[Quote]) -> str:
    meetings = len({quote.document_id for quote in quotes})
    return f"出自 {meetings} 场会议，按时间排列"


def _understood(found: Understood) -> None:
    """Always shown: who sees that the question was misread asks again."""
    days = _days(found)
    period = f"{found.period}（{days}）" if found.period and days else found.period or days
    facts(
        f"时间：{period}" if period else "时间：不限",
        f"人：{'、'.join(found.persons)}" if found.persons else "",
        f"只用 {found.as_speaker} 的原话" if found.as_speaker else "",
    )


def _days(found: Understood) -> str:
    first, last = day_of(found.first), day_of(found.last)
    if first and last:
        return first if first == last else f"{first}至{last}"
    return f"{first}起" if first else f"到{last}" if last else ""


def _refusal(refusal: Refusal) -> None:
    with box("p", "verdict-line", role="status"):
        tag("不作答", "superseded")
        words("span", REFUSALS[refusal.reason])
    words("p", refusal.message)


def _nearest(nearest: Sequence[Reference]) -> None:
    if not nearest:
        return
    words("h2", "最接近的（没有采用）", "section-title")
    with box("ul", "cards records"):
        for reference in nearest:
            with box("li", "record"):
                with box("p", "record-line"):
                    words("span", reference.document_name, "record-name")
                    link(
                        "看这场会议",
                        meeting_address(reference.document_id),
                        aria_label=f"看这场会议：{reference.document_name}",
                    )
                facts(*reference.heading_path)
                words("p", reference.snippet, "record-said")


def _shifts(shifts: Sequence[Shift], numbered: dict[int, Quote]) -> None:
    if not shifts:
        return
    words("h2", "说法变了", "section-title")
    with box("ul", "shifts"):
        for shift in shifts:
            with box("li", "change shift"):
                if shift.person:
                    words("p", shift.person, "shift-person")
                with box("dl", "shift-sides"):
                    _side("前", numbered[shift.before])
                    _side("→ 后", numbered[shift.after])


def _side(name: str, quote: Quote) -> None:
    with box("div", "shift-side"):
        with box("dt"):
            words("span", name, "shift-name")
            words("span", day_of(quote.day) or NO_DAY)
            words("span", quote.meeting)
        with box("dd"):
            words("q", quote.text, dir="auto")


def _quote(quote: Quote) -> None:
    with box("li", "card quote", data_quote=quote.n):
        with box("p", "quote-head"):
            words("span", str(quote.n), "rank", title=f"回答里的 [{quote.n}]")
            words("span", day_of(quote.day) or NO_DAY, "quote-day")
            words("span", _named(quote), "quote-speaker")
            if quote.outcome:
                tag(OUTCOMES[OutcomeKind(quote.outcome)], "active")
        words("blockquote", quote.text, "quote-words", dir="auto")
        with box("p", "outcome-foot"):
            facts(quote.meeting, quote.topic, quote.time, style="facts quote-where")
            place = Place(quote.char_start, quote.char_end)
            address = meeting_address(quote.document_id, at=place, revision_id=quote.revision_id)
            text = f"看第 {quote.paragraph} 段"
            link(text, address, aria_label=f"{text}：{quote.meeting}")


def _named(quote: Quote) -> str:
    """The person, and how the record names them where that is another name."""
    if quote.label and quote.speaker and quote.label != quote.speaker:
        return f"{quote.speaker}（记作「{quote.label}」）"
    return quote.speaker or quote.label or "没有写明发言人"
