"""The two sides of the documents room: what is in the library, and how every file that was offered ended."""

from service.ui.elements import PATH, box, link

SECTIONS = {"文档库": PATH, "入库记录": f"{PATH}/files"}


def sections(current: str) -> None:
    with box("nav", "sections", aria_label="文档与入库记录"):
        for name, address in SECTIONS.items():
            link(name, address, "section-link", aria_current="page" if name == current else False)
