"""Where the console shows minutes: the archive, a meeting, a place in it, and its files to download."""

import re
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from service.ui.elements import PATH

MINUTES_PATH = "/minutes"
ARCHIVE = f"{PATH}{MINUTES_PATH}"
TEXT, OUTCOMES, SPEAKERS, ACCOUNT = "text", "outcomes", "speakers", "account"
ANCHOR = "p"  # before a paragraph's number, in what follows # in an address
_PLACE = re.compile(r"(\d{1,9})-(\d{1,9})")
_ANCHOR = re.compile(rf"#{ANCHOR}(\d{{1,9}})")


@dataclass(frozen=True, slots=True)
class Place:
    """Characters `start` to `end` of a revision's canonical text."""

    start: int
    end: int

    def overlap(self, start: int, end: int) -> "Place | None":
        """The part of it between two offsets, which it may not reach."""
        first, last = max(self.start, start), min(self.end, end)
        return Place(first, last) if first < last else None


def place_of(written: str) -> Place | None:
    """Reads 123-160; None where it is nothing of the kind or holds no character."""
    found = _PLACE.fullmatch(written)
    if found is None or int(found[1]) >= int(found[2]):
        return None
    return Place(int(found[1]), int(found[2]))


def paragraph_of(fragment: str) -> int | None:
    """Reads #p12."""
    found = _ANCHOR.fullmatch(fragment)
    return int(found[1]) if found else None


def meeting_address(
    document_id: str, *, side: str = TEXT, at: Place | None = None, revision_id: str = ""
) -> str:
    """`revision_id` says whose text the place is in, so that a newer one is not marked at random."""
    asked = {"side": side} if side != TEXT else {}
    if at is not None:
        asked |= {"at": f"{at.start}-{at.end}"}
    if revision_id:
        asked |= {"revision": revision_id}
    address = f"{ARCHIVE}/{quote(document_id, safe='')}"
    return f"{address}?{urlencode(asked)}" if asked else address


def record_address(document_id: str) -> str:
    return f"{ARCHIVE}/{quote(document_id, safe='')}/record"
