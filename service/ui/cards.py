"""A document as the list shows it: its revisions, how they stand today, and what can be done with them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote, urlencode

from nicegui.element import Element

from ingestion.documents import Document, Kind, RevisionStatus
from service.access import PUBLIC
from service.standing import Standing, standing_of
from service.store.documents import StoredDocument, StoredRevision
from service.ui.elements import PATH, box, button, facts, icon, link, tag, words
from service.ui.minutes_addresses import meeting_address
from service.wording import audience_words, moment_of, standing_words, term_words

SHOWN = 3  # revisions of a document before the older ones are folded away


@dataclass(frozen=True, slots=True)
class Actions:
    report: Callable[[StoredDocument, StoredRevision], Awaitable[None]]
    change: Callable[[StoredDocument, StoredRevision, RevisionStatus], Awaitable[None]]
    delete: Callable[[StoredDocument], Awaitable[None]]


def document_card(stored: StoredDocument, today: date, actions: Actions) -> dict[str, Element]:
    """Draws the card; returns the button that changes the status of each revision."""
    document = stored.document
    buttons: dict[str, Element] = {}
    with box("li", "card", data_document=document.id):
        with box("div", "card-head"):
            with box("div", "card-name"):
                with words("h3", "", "card-title"):
                    link(document.title, source_address(document.id), "plain-link")
                if document.kind is Kind.MINUTES:
                    _meeting(document)
                audience = [audience_words(label) for label in document.labels if label != PUBLIC]
                facts(*about(document), *audience)
            remove = button("", lambda: actions.delete(stored), "icon-button", title="删除整份文档")
            remove.props["aria-label"] = f"删除《{document.title}》"
            with remove:
                icon("trash")
        with box("ul", "revisions"):
            for item in stored.revisions[:SHOWN]:
                buttons[item.revision.id] = _revision(stored, item, today, actions)
        if older := stored.revisions[SHOWN:]:
            with box("details", "older"):
                words("summary", f"另有 {len(older)} 个更早的版本")
                with box("ul", "revisions"):
                    for item in older:
                        buttons[item.revision.id] = _revision(stored, item, today, actions)
    return buttons


def _meeting(document: Document) -> None:
    with box("p", "record-line"):
        tag("会议纪要")
        address = meeting_address(document.id)
        link("看议题与全文", address, aria_label=f"看议题与全文：{document.title}")


def _revision(stored: StoredDocument, item: StoredRevision, today: date, actions: Actions) -> Element:
    revision, title = item.revision, stored.document.title
    name = revision.label or item.file_name
    with box("li", "revision", data_revision=revision.id):
        with box("div", "revision-what"):
            with box("p", "revision-line"):
                standing_tag(item, today)
                words("span", name, "revision-name")
                words("span", term_words(revision), "revision-term")
            file_name = item.file_name if revision.label else ""
            facts(file_name, f"{item.chunk_count} 个切片", f"{moment_of(item.published_at)} 入库")
        with box("div", "revision-actions"):
            link("原文", source_address(stored.document.id, revision.id), aria_label=f"原文：{title} {name}")
            button(
                "解析报告",
                lambda: actions.report(stored, item),
                "link",
                aria_label=f"解析报告：{title} {name}",
            )
            withdraws = revision.status not in (
                RevisionStatus.WITHDRAWN,
                RevisionStatus.ARCHIVED,
                RevisionStatus.DRAFT,
            )
            target = RevisionStatus.WITHDRAWN if withdraws else RevisionStatus.ACTIVE
            verb = "作废" if withdraws else "启用" if revision.status is RevisionStatus.DRAFT else "恢复"
            return button(
                verb,
                lambda: actions.change(stored, item, target),
                "link link-danger" if withdraws else "link",
                aria_label=f"{verb}：{title} {name}",
            )


def standing_tag(item: StoredRevision, today: date) -> None:
    kinds = {Standing.IN_FORCE: "active", Standing.ENDED: "superseded"}
    standing = standing_of(item.revision, today)
    tag(standing_words(item.revision, today, today), kinds.get(standing, standing.value))


def about(document: Document) -> tuple[str, ...]:
    """Which knowledge base it belongs to, who issued it and who looks after it; empty where unknown."""
    return (
        f"知识库：{document.knowledge_base}",
        f"发文：{document.issuer}" if document.issuer else "",
        f"责任：{document.owner}" if document.owner else "",
    )


def source_address(document_id: str, revision_id: str = "", chunk_id: str = "") -> str:
    """Where the console shows a document's text, at a chunk if one is named."""
    asked = {name: value for name, value in (("revision", revision_id), ("chunk", chunk_id)) if value}
    address = f"{PATH}/documents/{quote(document_id, safe='')}"
    return f"{address}?{urlencode(asked)}" if asked else address


def original_address(document_id: str, revision_id: str) -> str:
    """Where the console hands out a revision's original."""
    return f"{PATH}/documents/{quote(document_id, safe='')}/original?{urlencode({'revision': revision_id})}"
