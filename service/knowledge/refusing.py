"""Refusals: why there is no answer, what was nearest, and whom to ask. Fixed wording, never a guess."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from service.citations import Reference, Refusal, RefusalReason
from service.knowledge.ambiguity import find_choices
from service.knowledge.binding import reference
from service.knowledge.conflicts import Conflict, Side, find_conflict
from service.knowledge.verification import NOT_COVERED
from service.retrieval.results import Evidence, Retrieval

CONFLICTING = "几份有效的资料对这一点的规定不一致，不能替您选定其中一个，现并列如下："
AMBIGUOUS = "这个问题可能指几件不同的事，请选一项再问，或者写明是哪一件事："
UNVERIFIED = f"{NOT_COVERED}：模型写出的回答与资料核对不上，没有采用。"


def refuse(found: Retrieval, reason: RefusalReason, contact: str, told: str = "") -> Refusal:
    """`nearest` are passages that were seen and not used; they are numbered apart from citations.

    `told` replaces the wording of the reason.
    """
    nearest = found.nearest or found.evidence[:3]
    return Refusal(
        reason=reason,
        message=f"{told}{_whom(contact)}" if told else _message(found, reason, contact),
        nearest=tuple(reference(n, item) for n, item in enumerate(nearest, 1)),
        contact=contact,
    )


def unsettled(question: str, found: Retrieval, contact: str) -> Refusal | None:
    """Why the evidence that was found does not decide the question; None when it may be answered from."""
    conflict = find_conflict(question, found.tokens, found.evidence)
    if conflict is not None:
        return _conflicting(conflict, contact)
    choices = find_choices(question, found.tokens, found.evidence)
    return _ambiguous([reference(n, item) for n, item in enumerate(choices, 1)], contact) if choices else None


def _conflicting(conflict: Conflict, contact: str) -> Refusal:
    """Both sides with title, issuer, date and words; `nearest` has the same two, quoted instead of begun."""
    sides = (conflict.one, conflict.other)
    lines = [f"{n}. {_told_by(side)}：“{side.quote}”" for n, side in enumerate(sides, 1)]
    return Refusal(
        reason=RefusalReason.CONFLICTING_SOURCES,
        message="\n".join((CONFLICTING, *lines, _whom(contact))),
        nearest=tuple(
            replace(reference(n, side.evidence), snippet=side.quote) for n, side in enumerate(sides, 1)
        ),
        contact=contact,
    )


def _told_by(side: Side) -> str:
    document, revision = side.evidence.document, side.evidence.revision
    issuer = f"{document.issuer}发布" if document.issuer else "发布单位未注明"
    starts = revision.effective_from
    since = f"{starts.isoformat()} 起施行" if starts is not None else "施行日期未注明"
    return f"《{document.title}》（{issuer}，{since}）"


def _ambiguous(choices: Sequence[Reference], contact: str) -> Refusal:
    lines = [f"{choice.n}. 《{choice.document_name}》{_section(choice)}" for choice in choices]
    return Refusal(
        reason=RefusalReason.AMBIGUOUS,
        message="\n".join((AMBIGUOUS, *lines, _whom(contact))),
        nearest=tuple(choices),
        contact=contact,
    )


def _section(choice: Reference) -> str:
    """The nearest heading that says more than the title."""
    below = [part for part in choice.heading_path if part != choice.document_name]
    return f"「{below[-1]}」" if below else ""


def _message(found: Retrieval, reason: RefusalReason, contact: str) -> str:
    whom = _whom(contact)
    if found.outdated is not None:
        told = _outdated(found.outdated, reason, found.day or date.today())
        if told:
            return f"{told}{whom}"
    if reason is RefusalReason.NOTHING_FOUND:
        return f"{NOT_COVERED}：没有找到相关内容。{whom}"
    return f"{NOT_COVERED}：找到的内容都不足以作答。{whom}"


def _whom(contact: str) -> str:
    return f"如需确认，请联系{contact}。"


def _outdated(old: Evidence, reason: RefusalReason, day: date) -> str:
    """What is known of a text that is not in force on the asked day, with its own date."""
    title, revision = old.document.title, old.revision
    named = f"《{title}》" + (f"（{revision.label}）" if revision.label else "")
    starts, ends = revision.effective_from, revision.effective_to
    today = day == date.today()
    valid = "现行" if today else f"{day.isoformat()} 有效的"
    if reason is RefusalReason.ARCHIVED:
        return f"{named}已归档，不再据以作答；{valid}规定中没有该内容。"
    if reason is RefusalReason.NOT_YET_IN_FORCE and starts is not None:
        then = "现在" if today else f"{day.isoformat()} 时"
        begins = f"自 {starts.isoformat()} 起施行，{then}尚未生效，不能据以作答"
        return f"{named}{begins}；{valid}规定中没有该内容。"
    if reason is RefusalReason.REPEALED:
        since = f"已于 {ends.isoformat()} 废止" if ends is not None else "已经废止"
        return f"{named}{since}，{valid}规定中没有该内容。"
    if reason is RefusalReason.ONLY_SUPERSEDED:
        since = f"自 {ends.isoformat()} 起被新版替代" if ends is not None else "已被新版替代"
        return f"只有旧版有相关内容：{named}{since}，{valid}版本中没有该内容。"
    return ""
