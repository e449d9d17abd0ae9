"""Who spoke in a meeting, and how much."""

from collections.abc import Sequence
from dataclasses import dataclass

from service.store.meetings import MeetingRecord, Said
from service.ui.elements import box, words
from service.ui.minutes_words import UNKNOWN_SPEAKER


@dataclass(frozen=True, slots=True)
class Share:
    """`chars`: of what was said, without the prefixes that say by whom and when."""

    speaker: str
    paragraphs: int
    chars: int


def shares_of(paragraphs: Sequence[Said]) -> list[Share]:
    """By speaker, whoever said most first; paragraphs of nobody known last."""
    counted: dict[str, tuple[int, int]] = {}
    for said in paragraphs:
        number, chars = counted.get(said.speaker, (0, 0))
        counted[said.speaker] = (number + 1, chars + said.end - said.words)
    shares = [Share(speaker, number, chars) for speaker, (number, chars) in counted.items()]
    return sorted(shares, key=lambda share: (not share.speaker, -share.chars))


def show_speakers(record: MeetingRecord) -> None:
    with box("section", aria_labelledby="speakers-heading"):
        words("h2", f"发言人（{len(record.speakers)}）", "section-title", id="speakers-heading")
        if record.attendees:
            words("p", f"写明到会的：{'、'.join(record.attendees)}", "list-note")
        shares = shares_of(record.paragraphs)
        if shares:
            _table(shares)


def _table(shares: Sequence[Share]) -> None:
    all_chars = max(1, sum(share.chars for share in shares))
    scroll = box("div", "table-scroll", tabindex="0", role="region", aria_label="发言")
    with scroll, box("table", "usage-table"):
        words("caption", "每位发言人的段落数与字数", "visually-hidden")
        with box("thead"), box("tr"):
            for name in ("发言人", "段落", "字数", "占比"):
                words("th", name, scope="col")
        with box("tbody"):
            for share in shares:
                _row(share, all_chars)


def _row(share: Share, all_chars: int) -> None:
    part = share.chars / all_chars
    with box("tr"):
        words("th", share.speaker or UNKNOWN_SPEAKER, "speaker-name", scope="row")
        words("td", f"{share.paragraphs:,}", "number")
        words("td", f"{share.chars:,}", "number")
        with box("td"), box("div", "use"):
            words("span", f"{part:.0%}", "number")
            with box("div", "bar bar-main", aria_hidden="true"):
                box("div").style(f"width: {part:.0%}")
