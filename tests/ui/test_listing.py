"""A list shows the answer to the latest question, however the answers overtake each other."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import cast

import anyio
import pytest
from nicegui import Client, ui

from service.access import LOCAL, Principal, Role
from service.ui.elements import words
from service.ui.listing import Found, Listing
from service.ui.pages import Visit

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def client() -> Iterator[Client]:
    opened = Client(ui.page("/listing"))
    yield opened
    opened.delete()


async def somebody(role: Role) -> Principal:
    return LOCAL


@dataclass
class Shelf:
    """What a list is made of; a page is held back until it may go."""

    items: list[str]
    shown: list[str] = field(default_factory=list)
    noted: list[int] = field(default_factory=list)
    may_go: threading.Event = field(default_factory=threading.Event)
    held: bool = False

    def find(self, principal: Principal, number: int, size: int) -> Found[str]:
        found = Found(self.items[(number - 1) * size : number * size], len(self.items))
        if self.held:
            self.held = False
            self.may_go.wait(5)
        return found

    def listing(self, client: Client, size: int) -> Listing[str]:
        visit = cast(Visit, SimpleNamespace(visitor=SimpleNamespace(principal=somebody)))
        with client:
            heading = words("h2", "全部")
            return Listing(visit, size, find=self.find, draw=self._draw, note=self._note, heading=heading)

    def _draw(self, items: object) -> None:
        self.shown = list(cast(list[str], items))

    def _note(self, total: int) -> str:
        self.noted.append(total)
        return f"共 {total} 个"


async def test_an_answer_that_was_overtaken_is_not_shown(client: Client) -> None:
    shelf = Shelf(["旧"], held=True)
    listing = shelf.listing(client, 5)
    async with anyio.create_task_group() as group:
        group.start_soon(listing.refresh)
        await anyio.sleep(0.05)
        shelf.items = ["新"]
        await listing.refresh()
        shelf.may_go.set()
    assert shelf.shown == ["新"]
    assert shelf.noted == [1]


async def test_when_the_last_of_a_page_went_the_page_before_it_is_shown(client: Client) -> None:
    shelf = Shelf(["一", "二", "三"])
    listing = shelf.listing(client, 2)
    listing._pager.number = 2
    await listing.refresh()
    assert shelf.shown == ["三"]
    shelf.items.remove("三")
    await listing.refresh()
    assert shelf.shown == ["一", "二"]
    assert 0 not in shelf.noted
