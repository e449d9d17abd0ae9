"""A list on a page: looked up anew whenever what it shows may have changed, and shown a page at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from nicegui.element import Element
from starlette.concurrency import run_in_threadpool

from service.access import Principal, Role
from service.ui.elements import Pager, box, words
from service.ui.pages import Visit

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Found(Generic[Item]):
    """One page of a list, and how many there are on all pages."""

    items: Sequence[Item]
    total: int


class Listing(Generic[Item]):
    """`find` looks a page up, in a thread; `draw` puts its items on the page; `note` is the line above them.

    Answers can overtake each other: only that to the latest question is shown. When the last item of a page
    went, the page before it is.
    """

    def __init__(
        self,
        visit: Visit,
        page_size: int,
        *,
        find: Callable[[Principal, int, int], Found[Item]],
        draw: Callable[[Sequence[Item]], None],
        note: Callable[[int], str],
        heading: Element,
        role: Role = Role.CONTRIBUTOR,
    ) -> None:
        self._visit = visit
        self._find = find
        self._draw = draw
        self._note = note
        self._heading = heading
        self._role = role
        self._pager = Pager(page_size, self._turn)
        self._asked = 0
        self._list = box("div", "list")

    async def refresh(self) -> None:
        """The same page again."""
        self._asked += 1
        mine = self._asked
        principal = await self._visit.visitor.principal(self._role)
        number, size = self._pager.number, self._pager.page_size
        found = await run_in_threadpool(self._find, principal, number, size)
        if mine != self._asked or self._list.is_deleted:  # something newer is asked for, or the visitor left
            return
        if not found.items and number > 1:
            self._pager.number = min(number - 1, self._pager.last_of(found.total))
            await self.refresh()
            return
        self._list.clear()
        with self._list:
            words("p", self._note(found.total), "list-note", role="status")
            self._draw(found.items)
            self._pager.draw(found.total)

    async def restart(self) -> None:
        """What is looked for has changed: from the first page."""
        self._pager.reset()
        await self.refresh()

    async def _turn(self) -> None:
        await self.refresh()
        self._heading.run_method("focus")
