"""The line of a document's revisions: how each stands, from when to when, which one is shown."""

from datetime import date
from urllib.parse import quote

from service.store.documents import StoredDocument, StoredRevision
from service.ui.cards import source_address, standing_tag
from service.ui.elements import PATH, box, link, words
from service.wording import term_words


def version_line(stored: StoredDocument, shown: StoredRevision) -> None:
    """Nothing where there is no other revision to open."""
    if len(stored.revisions) < 2:
        return
    with box("nav", "versions", aria_label="版本"):
        for item in stored.revisions:
            current = "page" if item is shown else False
            address = source_address(stored.document.id, item.revision.id)
            with link("", address, "version", aria_current=current):
                naming(item)
                if current:
                    words("span", "正在看", "revision-term")


def naming(item: StoredRevision) -> None:
    """How a revision stands, its name and its term."""
    standing_tag(item, date.today())
    words("span", item.revision.label or item.file_name, "revision-name")
    if term := term_words(item.revision):
        words("span", term, "revision-term")


def comparison_address(document_id: str, revision_id: str) -> str:
    """Where the console shows a revision beside the one before it."""
    return f"{PATH}/documents/{quote(document_id, safe='')}/comparison?right={quote(revision_id)}"
