"""The frame around every console page: header, navigation, who is signed in, and the page's main column."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from nicegui import ui

from service.access import Principal, Role
from service.ui.elements import PATH, box, link, words
from service.wording import ROLES


@dataclass(frozen=True, slots=True)
class Room:
    name: str
    address: str
    role: Role = Role.CONTRIBUTOR


DOCUMENTS = Room("文档", PATH)
MINUTES = Room("会议纪要", f"{PATH}/minutes")
RETRIEVAL = Room("检索", f"{PATH}/retrieval")
PROCESSES = Room("流程", f"{PATH}/processes", Role.READER)
QUESTIONS = Room("提问记录", f"{PATH}/questions", Role.ADMIN)
TERMS = Room("词表", f"{PATH}/terms", Role.ADMIN)
ROOMS = (DOCUMENTS, MINUTES, RETRIEVAL, PROCESSES, QUESTIONS, TERMS)


@contextmanager
def frame(
    title: str, *, room: Room | None = None, principal: Principal | None = None, signed_in: bool = False
) -> Iterator[None]:
    """What is made inside stands below the title. Without a principal there is nothing to navigate to."""
    ui.page_title(f"{title} · 知行管理台")
    with ui.header(fixed=False, wrap=False).classes("top"), box("div", "top-inner"):
        with link("", PATH, "brand", aria_label="知行管理台"):
            words("span", "知", "brand-mark", aria_hidden="true")
            words("span", "知行", "brand-name", aria_hidden="true")
            words("span", "管理台", "brand-part", aria_hidden="true")
        if principal is not None:
            _navigation(room, principal)
            _account(principal, signed_in)
    with box("div", "page") as page:
        words("h1", title, "page-title")
        yield
    ui.skip_link("跳到正文", target=page).classes("skip-link")


def _navigation(room: Room | None, principal: Principal) -> None:
    with box("nav", "rooms", aria_label="管理台"):
        for one in ROOMS:
            if not principal.allows(one.role):
                continue
            link(one.name, one.address, "room", aria_current="page" if one is room else False)


def _account(principal: Principal, signed_in: bool) -> None:
    with box("div", "account"):
        link("聊天页", "/", "link")
        if signed_in:
            words("span", f"{principal.name}（{ROLES[principal.role]}）", "account-name")
            with box("form", method="post", action=f"{PATH}/sign-out"):
                words("button", "退出", "link", type="submit")
