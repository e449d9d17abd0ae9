"""The account of how a file was read: what was kept, what was left out and why, what a person should know."""

from ingestion.documents import FileState, ParseReport
from service.store.documents import Content
from service.ui.elements import Dialog, box, button, icon, words
from service.wording import STATES, drop_words


def show_report(content: Content) -> None:
    dialog = Dialog("解析报告", "dialog dialog-wide")
    with dialog.content():
        words("p", f"{content.file_name} · {STATES[FileState(content.state)]}", "dialog-lead")
        _account(content.report)
        if content.report.dropped:
            _losses(content.report)
        for title, lines in (
            ("需要留意", content.report.findings),
            ("版本依据", content.revision.evidence_of_version),
        ):
            if lines:
                words("h3", title)
                with box("ul", "bullets"):
                    for line in lines:
                        words("li", line)
        with box("div", "dialog-actions"):
            button("关闭", dialog.close, autofocus=True)


def _account(report: ParseReport) -> None:
    lost = report.chars_in - report.chars_kept
    share = f"（{report.chars_kept / report.chars_in:.1%}）" if report.chars_in else ""
    with box("dl", "account-sum"):
        for name, value in (
            ("读入", f"{report.chars_in:,} 字"),
            ("保留", f"{report.chars_kept:,} 字{share}"),
            ("丢弃", f"{lost:,} 字"),
        ):
            with box("div"):
                words("dt", name)
                words("dd", value)
    if not report.balanced:
        with box("p", "problem", role="alert"):
            icon("warning")
            words("span", "账目不平：保留与丢弃相加不等于读入，请把这个文件告诉管理员。")


def _losses(report: ParseReport) -> None:
    with box("div", "table-scroll", tabindex="0", role="region", aria_label="丢弃的文字"), box("table"):
        words("caption", "丢弃的文字", "visually-hidden")
        with box("thead"), box("tr"):
            for name in ("原因", "字数", "样例"):
                words("th", name, scope="col")
        with box("tbody"):
            for loss in sorted(report.dropped, key=lambda one: -one.chars):
                with box("tr"):
                    words("th", drop_words(loss.reason), scope="row")
                    words("td", f"{loss.chars:,}", "number")
                    words("td", loss.sample or "—")
