"""The archive as one reader sees it: its meetings cut into utterances, and the persons who speak in them."""

from collections.abc import Callable, Sequence
from threading import Lock

from service.access import Principal
from service.minutes.people import People
from service.minutes.person_labels import called
from service.minutes.roster import Roster
from service.minutes.utterances import Heard
from service.store.meetings import MeetingStore

KEPT = 64  # meetings whose utterances are kept; of 18,000 characters each has about 1 MB
READERS = 32  # of different scopes, whose directory of persons is kept; the first read go first


class Archive:
    """Thread-safe. `version` moves with every change of what is published."""

    def __init__(self, meetings: MeetingStore, roster: Roster, version: Callable[[], int]) -> None:
        self._meetings = meetings
        self._roster = roster
        self._called = frozenset(form for each in roster.people for form in (each.written, *called(each)))
        self._version = version
        self._lock = Lock()
        self._heard: dict[str, Heard] = {}
        self._people: dict[tuple[str, ...] | None, People] = {}
        self._people_of = -1

    def heard(self, revision_ids: Sequence[str]) -> dict[str, Heard]:
        """By revision id; what is no meeting is absent. A revision never changes, so what is kept stays true.

        Who may read is settled by the search that named them.
        """
        wanted = list(dict.fromkeys(revision_ids))
        with self._lock:
            known = {key: self._heard[key] for key in wanted if key in self._heard}
        missing = [key for key in wanted if key not in known]
        read = self._meetings.meetings(missing) if missing else {}
        fresh = {key: Heard(found, self._called) for key, found in read.items()}
        with self._lock:
            for key, heard in {**known, **fresh}.items():
                self._heard.pop(key, None)
                self._heard[key] = heard  # the last used are at the end
            while len(self._heard) > KEPT:
                self._heard.pop(next(iter(self._heard)))
        return {**known, **fresh}

    def people(self, principal: Principal) -> People:
        """Those who speak in what the principal may read: no hidden meeting gives a name."""
        scopes, version = principal.scopes(), self._version()
        with self._lock:
            if version != self._people_of:
                self._people, self._people_of = {}, version
            known = self._people.get(scopes)
        if known is not None:
            return known
        together = [line.speakers for line in self._meetings.lines(principal)]
        labels = dict.fromkeys(label for labels in together for label in labels)
        people = People.of(self._roster, labels, together)
        with self._lock:
            if version == self._people_of:
                self._people[scopes] = people
                while len(self._people) > READERS:
                    self._people.pop(next(iter(self._people)))
        return people
