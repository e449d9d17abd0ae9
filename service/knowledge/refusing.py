"""Refusals: why there is no answer, what was nearest, and whom to ask. Fixed wording, never a guess."""

from service.citations import Refusal, RefusalReason
from service.knowledge.binding import reference
from service.knowledge.verification import NOT_COVERED
from service.retrieval.results import Evidence, Retrieval

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


def _message(found: Retrieval, reason: RefusalReason, contact: str) -> str:
    whom = _whom(contact)
    if found.outdated is not None:
        told = _outdated(found.outdated, reason)
        if told:
            return f"{told}{whom}"
    if reason is RefusalReason.NOTHING_FOUND:
        return f"{NOT_COVERED}：没有找到相关内容。{whom}"
    return f"{NOT_COVERED}：找到的内容都不足以作答。{whom}"


def _whom(contact: str) -> str:
    return f"如需确认，请联系{contact}。"


def _outdated(old: Evidence, reason: RefusalReason) -> str:
    """What is known of a text that is not in force on the day, with its date."""
    title, revision = old.document.title, old.revision
    named = f"《{title}》" + (f"（{revision.label}）" if revision.label else "")
    starts, ends = revision.effective_from, revision.effective_to
    if reason is RefusalReason.NOT_YET_IN_FORCE and starts is not None:
        return f"{named}自 {starts.isoformat()} 起施行，现在尚未生效，不能据以作答；现行规定中没有该内容。"
    if reason is RefusalReason.REPEALED:
        since = f"已于 {ends.isoformat()} 废止" if ends is not None else "已经废止"
        return f"{named}{since}，现行规定中没有该内容。"
    if reason is RefusalReason.ONLY_SUPERSEDED:
        since = f"自 {ends.isoformat()} 起被新版替代" if ends is not None else "已被新版替代"
        return f"只有旧版有相关内容：{named}{since}，现行版本中没有该内容。"
    return ""
