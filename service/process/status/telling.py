"""Where applications stand, in Chinese Markdown: which node, who, since when, how long, what came before."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from service.process.escaping import in_line
from service.process.status.applications import Application, Outcome, Person, Status, Step
from service.process.status.query import Days
from service.process.status.workdays import WorkDays

MOST_TOLD = 5
LONGEST_TEXT = 120  # characters of a title or a comment
_CHINESE = re.compile("[\u4e00-\u9fff]")

STATUS_WORDS = {
    Status.RUNNING: "审批中",
    Status.RETURNED: "已退回修改",
    Status.APPROVED: "已办结",
    Status.REJECTED: "已驳回",
    Status.WITHDRAWN: "已撤回",
}
OUTCOME_WORDS = {
    Outcome.SUBMITTED: "提交",
    Outcome.APPROVED: "同意",
    Outcome.REJECTED: "驳回",
    Outcome.RETURNED: "退回",
    Outcome.TRANSFERRED: "转交",
    Outcome.WITHDRAWN: "撤回",
}


@dataclass(frozen=True, slots=True)
class Teller:
    """`contact` is whom to ask when the approval system cannot tell."""

    workdays: WorkDays
    contact: str

    def one(self, application: Application, today: date) -> str:
        lines = [f"{_named(application)}：{self.standing(application, today)}。"]
        if application.timeline:
            lines += ["", "经过："]
            lines += [f"{number}. {_step(step)}" for number, step in enumerate(application.timeline, 1)]
        if advice := _advice(application):
            lines += ["", advice]
        return "\n".join(lines)

    def several(self, applications: Sequence[Application], today: date, heading: str) -> str:
        told = applications[:MOST_TOLD]
        lines = [heading]
        lines += [
            f"{number}. {_named(each)}：{self.standing(each, today)}" for number, each in enumerate(told, 1)
        ]
        if more := len(applications) - len(told):
            lines += ["", f"另有 {more} 个没有列出，说出编号就能查。"]
        return "\n".join(lines)

    def standing(self, application: Application, today: date) -> str:
        """In one clause, without a full stop."""
        since = self._since(application.since, today)
        if application.status is Status.RUNNING:
            return f"{_where(application)}{since}"
        if application.status is Status.RETURNED:
            return f"已退回给申请人修改{since}"
        if application.status is Status.UNKNOWN:
            word = _cut(application.status_word) or "不明"
            where = f"，{_where(application)}" if application.current_node else ""
            return f"审批系统里的状态是“{word}”{where}{since}"
        ended = f"（{_at(application.since)}）" if application.since else ""
        return f"{_status(application)}{ended}"

    def _since(self, since: datetime | None, today: date) -> str:
        if since is None:
            return ""
        days = self.workdays.between(since.date(), today)
        length = f"到今天 {days} 个工作日" if days else "还不到 1 个工作日"
        return f"，{_at(since)} 起，{length}"

    def none(self, days: Days | None, process_named: bool, window_days: int | None) -> str:
        """That there are no applications of this person; `window_days` is how far back was looked."""
        said = f"{days.said if days else ''}提交的"
        what = "这类申请" if process_named else "申请"
        back = f"（只查了最近 {window_days} 天）" if window_days else ""
        ask = f"知道申请编号的，把编号发给我再查；仍查不到的，请联系{self.contact}。"
        return f"没有查到您{said}{what}{back}。{ask}"

    def absent(self, application_id: str) -> str:
        """The same for one that does not exist and one that is not this person's to see."""
        return (
            f"没有查到编号为 {_cut(application_id)} 的申请，或者您不是它的申请人、办理人。"
            f"请核对编号；需要帮助请联系{self.contact}。"
        )

    def not_connected(self) -> str:
        return f"还没有接上审批系统，查不到申请的进度。请在审批系统里查看，或者联系{self.contact}。"

    def nobody(self) -> str:
        return f"您的账号没有登记到人员对照表，查不到您在审批系统里的申请。请联系{self.contact}登记。"


def _named(application: Application) -> str:
    title = f"，{_cut(application.title)}" if application.title else ""
    process = _cut(application.process) or "申请"
    return f"{process}（{_cut(application.shown_id)}{title}）"


def _status(application: Application) -> str:
    """The approval system's own word when it is Chinese, e.g. 已付款."""
    own = application.status_word
    return _cut(own) if _CHINESE.search(own) else STATUS_WORDS[application.status]


def _where(application: Application) -> str:
    node = f"在「{_cut(application.current_node)}」环节" if application.current_node else "审批中"
    people = _people(application.approvers)
    return f"{node}，等{people}办理" if people else node


def _people(people: Sequence[Person]) -> str:
    return "、".join(_cut(person.shown) for person in people if person.shown)


def _step(step: Step) -> str:
    at = f"{_at(step.at)} " if step.at else ""
    who = f"{_cut(step.person.shown)} " if step.person and step.person.shown else ""
    own = _cut(step.word)
    word = own if _CHINESE.search(own) else OUTCOME_WORDS.get(step.outcome, own)
    node = f"「{_cut(step.node)}」" if step.node and step.outcome is not Outcome.SUBMITTED else ""
    comment = f"：{_cut(step.comment)}" if step.comment else ""
    return f"{at}{who}{node}{word}{comment}"


def _advice(application: Application) -> str:
    people = _people(application.approvers)
    if application.status is Status.RUNNING and people:
        return f"要催办请直接联系{people}。"
    if application.status is Status.RETURNED:
        return "按退回意见改好后，在审批系统里重新提交。"
    return ""


def _cut(text: str) -> str:
    """What somebody has written, on one line, not too long for a list, and no Markdown of theirs."""
    line = " ".join(text.split())
    return in_line(line if len(line) <= LONGEST_TEXT else f"{line[:LONGEST_TEXT]}…")


def _at(moment: datetime | None) -> str:
    """In the time zone of the approval system, to the minute."""
    return f"{moment.year}年{moment.month}月{moment.day}日 {moment:%H:%M}" if moment else ""
