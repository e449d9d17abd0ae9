"""The sides of a room that has several: one page each, named above what is on it."""

from collections.abc import Mapping

from service.ui.elements import PATH, box, link

LIBRARY = {"文档库": PATH, "入库记录": f"{PATH}/files"}


def sections(sides: Mapping[str, str], current: str) -> None:
    """`sides` are names and addresses."""
    with box("nav", "sections", aria_label="、".join(sides)):
        for name, address in sides.items():
            link(name, address, "section-link", aria_current="page" if name == current else False)
