"""What came out of a meeting: its decisions and action items, each with the words it was read from."""

from ingestion.minutes.outcome import Outcome, OutcomeKind
from service.store.meetings import Said, StoredMeeting
from service.ui.elements import box, facts, link, words
from service.ui.minutes_addresses import Place, meeting_address
from service.ui.minutes_words import OUTCOMES
from service.wording import day_of

NOTHING = {
    OutcomeKind.DECISION: "没有读出明说的决定。",
    OutcomeKind.ACTION: "没有读出明说的待办。",
}


def show_outcomes(meeting: StoredMeeting) -> None:
    said = {each.number: each for each in meeting.record.paragraphs}
    for kind, name in OUTCOMES.items():
        found = [each for each in meeting.record.outcomes if each.kind is kind]
        with box("section", aria_labelledby=f"{kind.value}-heading"):
            words("h2", f"{name}（{len(found)}）", "section-title", id=f"{kind.value}-heading")
            if not found:
                words("p", NOTHING[kind], "list-note")
                continue
            with box("ul", "cards records"):
                for outcome in found:
                    _outcome(meeting, outcome, said.get(outcome.paragraph))


def _outcome(meeting: StoredMeeting, outcome: Outcome, said: Said | None) -> None:
    with box("li", "record"):
        words("p", outcome.quote, "outcome-words", dir="auto")
        with box("p", "outcome-foot"):
            facts(
                f"负责：{outcome.owner}" if outcome.owner else "",
                _due(outcome),
                f"发言：{outcome.speaker}" if outcome.speaker else "",
                style="facts outcome-facts",
            )
            place = _place(outcome, said)
            if place is not None:
                address = meeting_address(meeting.document.id, at=place)
                text = f"第 {outcome.paragraph} 段"
                link(text, address, aria_label=f"在全文中看{text}")


def _due(outcome: Outcome) -> str:
    if not outcome.due:
        return ""
    day = f"（{day_of(outcome.due_day)}）" if outcome.due_day else ""
    return f"期限：{outcome.due}{day}"


def _place(outcome: Outcome, said: Said | None) -> Place | None:
    return Place(said.start + outcome.start, said.start + outcome.end) if said else None
