"""The building blocks of console pages: plain HTML, so that labels, focus and keys work as everywhere.

What a document says reaches the browser as text or as a property's value. It is never formatted into
`.props("…")`, whose quotes it could close, nor into `ui.html`.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from nicegui import events, ui
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement

from ingestion.errors import IngestionError
from service.errors import NotAuthenticated, ZhixingError

Action = Callable[[], Awaitable[None]]
Made = TypeVar("Made", bound=Element)

PATH = "/app"
TYPING_S = 0.3  # a search runs when typing pauses

# NiceGUI keeps what happens before a page is connected, each event on a timer of its own: a submission could
# arrive before what was typed for it. Here they wait in one line.
IN_TURN = """<script>
window.inTurn = (() => {
  const line = [];
  const send = () => {
    if (!window.did_handshake) return setTimeout(send, 10);
    line.splice(0).forEach((emit) => emit());
  };
  return (emit) => line.push(emit) === 1 && send();
})();
</script>"""


def box(tag: str, style: str = "", **properties: str | int | bool) -> Element:
    """An element that holds others. `aria_label="…"` becomes `aria-label`."""
    return _dressed(Element(tag), style, properties)


def words(tag: str, text: str, style: str = "", **properties: str | int | bool) -> TextElement:
    """An element with text."""
    return _dressed(TextElement(tag=tag, text=text), style, properties)


def listen(
    element: Element, event: str, heard: Callable[..., object], value: str = "", pause: float = 0.0
) -> None:
    """Call `heard` for an element's event, in the order of what the visitor did.

    `value` is the script that reads what is sent along from `event`. With a `pause`, in seconds, only the
    last of several events is heard, when they have ceased that long.
    """
    element.on(
        event,
        heard,
        throttle=pause,
        leading_events=not pause,
        js_handler=f"(event) => {{ const sent = [{value}]; inTurn(() => emit(...sent)); }}",
    )


def link(text: str, address: str, style: str = "link", **properties: str | int | bool) -> TextElement:
    """`address` is built by the console, never taken from a document."""
    return words("a", text, style, href=address, **properties)


def go_to(address: str) -> None:
    """Open another page of the console. `address` as `link` has it: NiceGUI adds the path by itself."""
    ui.navigate.to(address.removeprefix(PATH))


def icon(name: str) -> None:
    """From the chat page's sprite; the text beside it says what it means."""
    with box("svg", "icon", aria_hidden="true"):
        box("use", href=f"/widget/icons.svg#{name}")


def button(text: str, action: Action, style: str = "button", **properties: str | int | bool) -> TextElement:
    """Runs `action` when pressed, once at a time; what goes wrong is told.

    While it runs the button is marked busy and not disabled: a disabled button would lose the focus.
    """
    pressed = words("button", text, style, type="button", **properties)
    listen(pressed, "click", once_at_a_time(pressed, action))
    return pressed


def once_at_a_time(shown: Element, action: Action, *, afterwards: bool = False) -> Action:
    """An `action` that does not begin again while it runs; `shown` is marked busy meanwhile. Who asks again
    meanwhile is heard `afterwards`, once, or not at all: a question may be put anew, a deletion not.
    """
    waiting = False

    async def run() -> None:
        nonlocal waiting
        if shown.props.get("aria-busy"):
            waiting = afterwards
            return
        shown.props["aria-busy"] = "true"
        try:
            await attempt(action)
            while waiting and not shown.is_deleted:
                waiting = False
                await attempt(action)
        finally:
            if not shown.is_deleted:
                shown.props.pop("aria-busy", None)

    return run


def tag(text: str, kind: str = "") -> TextElement:
    """A state in one word; `kind` colours it as the chat page does."""
    return words("span", text, f"tag tag-{kind}" if kind else "tag")


def facts(*texts: str, style: str = "facts") -> None:
    """Short statements in one line; empty ones are left out."""
    with box("p", style):
        for text in texts:
            if text:
                words("span", text)


async def attempt(action: Action) -> bool:
    """Whether it went well; an error a person can act on is shown, and who is signed out goes to sign in.

    Runs in the page's own context: the element that was pressed may be gone when the action ends. A crash
    goes on to the log, and the visitor is not left waiting.
    """
    problem = "这一步没有做成，原因已记入日志；请稍后重试，仍不行请联系管理员"
    with ui.context.client:
        try:
            await action()
            problem = ""
        except NotAuthenticated:
            problem = ""
            go_to(f"{PATH}/sign-in")
            return False
        except (ZhixingError, IngestionError) as error:
            problem = error.message
            return False
        finally:
            if problem:
                tell(problem, bad=True)
    return True


def tell(message: str, *, bad: bool = False) -> None:
    """A short message at the top of the page, read out by screen readers."""
    ui.notify(
        message,
        position="top",
        classes="toast toast-bad" if bad else "toast",
        timeout=8000 if bad else 4000,
        close_button="关闭" if bad else False,
    )


class Field:
    """A labelled native field. The browser holds what is typed; `value` follows it."""

    def __init__(
        self,
        label: str,
        *,
        value: str = "",
        kind: str = "text",
        hint: str = "",
        style: str = "field",
        on_change: Action | None = None,
        **properties: str | int | bool,
    ) -> None:
        self.value = value
        self._on_change = on_change
        with box("div", style) as self.row:
            title = words("label", label)
            # `defaultValue`, since a `value` would be put back whenever the page is drawn again.
            self.element = box("input", "", type=kind, defaultValue=value, **properties)
            title.props["for"] = self.element.html_id
            if hint:
                note = words("p", hint, "hint")
                self.element.props["aria-describedby"] = note.html_id
        listen(self.element, "input", self._typed, "event.target.value", TYPING_S if on_change else 0.0)

    async def _typed(self, event: events.GenericEventArguments) -> None:
        self.value = str(event.args or "")
        if self._on_change is not None:
            await attempt(self._on_change)

    def clear(self) -> None:
        self.value = ""
        ui.run_javascript(f'getHtmlElement("{self.element.html_id}").value = ""')


class Choice:
    """A labelled native selection; `options` are codes and their words."""

    def __init__(
        self,
        label: str,
        options: dict[str, str],
        *,
        value: str = "",
        style: str = "field",
        on_change: Action | None = None,
    ) -> None:
        self.value = value
        self._on_change = on_change
        with box("div", style):
            title = words("label", label)
            self.element = box("select")
            title.props["for"] = self.element.html_id
        self._options: dict[str, str] = {}
        self.offer(options)
        listen(self.element, "change", self._chosen, "event.target.value")

    def offer(self, options: dict[str, str]) -> None:
        """Add the options that are not there yet; what is chosen stays chosen."""
        with self.element:
            for code, text in options.items():
                if code not in self._options:
                    words("option", text, value=code, selected=code == self.value)
        self._options = {**self._options, **options}

    def clear(self) -> None:
        """Back to the option of no code, where there is one."""
        self.value = ""
        ui.run_javascript(f'getHtmlElement("{self.element.html_id}").value = ""')

    async def _chosen(self, event: events.GenericEventArguments) -> None:
        chosen = str(event.args or "")
        if chosen not in self._options:  # the browser sends what it likes
            return
        self.value = chosen
        if self._on_change is not None:
            await attempt(self._on_change)


class Dialog:
    """A native modal dialog: it holds the focus, closes on Escape and gives the focus back."""

    def __init__(self, title: str, style: str = "dialog") -> None:
        with ui.context.client.layout:
            self._element = box("dialog", style)
        with self._element:
            heading = words("h2", title)
        self._element.props["aria-labelledby"] = heading.html_id
        listen(self._element, "close", self._closed)

    @contextmanager
    def content(self) -> Iterator[None]:
        """What is made inside is shown when the block ends."""
        with self._element:
            yield
        self._element.run_method("showModal")

    async def close(self) -> None:
        self._element.run_method("close")

    def _closed(self) -> None:
        self._element.delete()


class Pager:
    """Which page of a list is shown. Nothing is drawn while there is only one."""

    def __init__(self, page_size: int, on_turn: Action) -> None:
        self.number = 1
        self.page_size = page_size
        self._on_turn = on_turn

    def reset(self) -> None:
        self.number = 1

    def last_of(self, total: int) -> int:
        return max(1, -(-total // self.page_size))

    def draw(self, total: int) -> None:
        last = self.last_of(total)
        if last == 1:
            return
        with box("nav", "pager", aria_label="翻页"):
            button("上一页", lambda: self._turn(-1), disabled=self.number <= 1)
            words("span", f"第 {self.number} / {last} 页", "pager-place")
            button("下一页", lambda: self._turn(1), disabled=self.number >= last)

    async def _turn(self, by: int) -> None:
        self.number = max(1, self.number + by)
        await self._on_turn()


def _dressed(element: Made, style: str, properties: dict[str, str | int | bool]) -> Made:
    if style:
        element.classes(style)
    for name, value in properties.items():
        if value is not False:
            element.props[name.replace("_", "-")] = value
    return element
