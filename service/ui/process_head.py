"""The head of a process's page: how what is shown stands, what can be done with it, what else there is."""

from datetime import date

from service.store.processes import Draft, Version
from service.ui.elements import box, facts, icon, link, tag, words
from service.ui.pages import Visit
from service.ui.process_addresses import RULES, process_address, workbook_address
from service.ui.process_publishing import discard_button, draft_tag, publish_button
from service.ui.process_shown import Shown
from service.ui.process_versions import Kept
from service.ui.process_words import period_words, standing_of

LATEST = 3  # versions and drafts offered above the page; the rest are on the side of versions


def draw_head(visit: Visit, shown: Shown, found: Kept) -> None:
    subject, process = shown.subject, shown.process
    with box("div", "source-about process-about"):
        with box("div"):
            with box("p", "revision-line"):
                if isinstance(subject, Draft):
                    draft_tag(subject)
                    period = period_words(process.effective_from, process.effective_to) if process else ""
                else:
                    tag(*standing_of(subject, found.serving, date.today()))
                    period = period_words(subject.effective_from, subject.effective_to)
                words("span", f"版本 {subject.version or '（没有写）'}", "revision-name")
                words("span", period, "revision-term")
            contact = f"流程管理员：{process.contact}" if process and process.contact else ""
            source = f"依据：{process.source}" if process and process.source else ""
            facts(f"编号：{subject.process_id}", contact, source, subject.file_name)
        with box("div", "source-actions"):
            if isinstance(subject, Draft):
                publish_button(visit, subject)
                discard_button(visit, subject)
            with link("", workbook_address(subject), "button", download=subject.file_name):
                icon("download")
                words("span", "下载工作簿")
    _offered(shown, found)


def _offered(shown: Shown, found: Kept) -> None:
    """The other drafts and latest versions to look at."""
    subjects: list[Version | Draft] = [*found.drafts[:LATEST], *found.versions[:LATEST]]
    if not any(_same(each, shown.subject) for each in subjects):
        subjects.append(shown.subject)
    if len(subjects) < 2:
        return
    with box("nav", "versions", aria_label="草稿与版本"):
        for subject in subjects:
            current = "page" if _same(subject, shown.subject) else False
            with link("", process_address(shown.id, RULES, subject), "version", aria_current=current):
                if isinstance(subject, Draft):
                    draft_tag(subject)
                else:
                    tag(*standing_of(subject, found.serving, date.today()))
                words("span", subject.version or "（没有写版本）", "revision-name")
                if isinstance(subject, Draft):
                    words("span", subject.file_name, "version-file")
                if current:
                    words("span", "正在看", "revision-term")


def _same(one: Version | Draft, other: Version | Draft) -> bool:
    if isinstance(one, Draft) or isinstance(other, Draft):
        return isinstance(one, Draft) and isinstance(other, Draft) and one.id == other.id
    return one.digest == other.digest
