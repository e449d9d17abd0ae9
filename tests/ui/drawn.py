"""What a console view draws, without a browser: the elements it makes, and their texts in order."""

from collections.abc import Iterator
from contextlib import contextmanager

from nicegui import Client
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement
from nicegui.page import page


class Drawn:
    """The elements of one page."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def texts(self, tag: str = "", style: str = "") -> list[str]:
        return [one.text for one in self._found(tag, style) if isinstance(one, TextElement) and one.text]

    def all_text(self) -> str:
        return "\n".join(self.texts())

    def properties(self, name: str, tag: str = "", style: str = "") -> list[str]:
        return [str(one.props[name]) for one in self._found(tag, style) if name in one.props]

    def _found(self, tag: str, style: str) -> Iterator[Element]:
        for element in self._client.elements.values():
            if tag in ("", element.tag) and (not style or style in element.classes):
                yield element


@contextmanager
def drawing() -> Iterator[Drawn]:
    client = Client(page("/drawn"), request=None)
    with client:
        yield Drawn(client)
    client.delete()
