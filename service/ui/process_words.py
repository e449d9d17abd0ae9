"""Chinese words for what the process pages show: findings, outcomes, how a version stands, the audit."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date

from rules.conditions import Truth
from rules.engine import Status
from rules.findings import Code, FindingJson, Severity
from service.access import LOCAL
from service.process.reply import Action
from service.store.decisions import Origin
from service.store.processes import Version, VersionState
from service.wording import day_of

SEVERITIES = {Severity.ERROR: "错误", Severity.WARNING: "警告", Severity.INFO: "提示"}
ICONS = {Severity.ERROR: "close", Severity.WARNING: "warning", Severity.INFO: "info"}
CODES = {
    Code.GAP: "空缺",
    Code.OVERLAP: "重叠",
    Code.UNREACHABLE: "不起作用的行",
    Code.BLANK_CONDITION: "空的条件格",
    Code.UNKNOWN_VALUE: "不认识的值",
    Code.UNKNOWN_MATERIAL: "没有的材料",
    Code.UNKNOWN_NODE: "没有的节点",
    Code.UNKNOWN_FIELD: "没有的字段",
    Code.UNUSED: "没有用到",
    Code.BAD_CELL: "看不懂的格",
    Code.BAD_RANGE: "说不清的范围",
    Code.BAD_SHEET: "工作表有问题",
    Code.FORMULA: "公式",
    Code.MERGED: "合并单元格",
    Code.DATE_CELL: "变成了日期",
    Code.SCIENTIFIC: "科学计数法",
    Code.DUPLICATE: "重复",
    Code.BAD_PERIOD: "有效期不对",
    Code.FAILED_CASE: "用例没有通过",
    Code.NOT_CHECKED: "没有查完",
    Code.MISSING_TEMPLATE: "缺模板",
    Code.UNREADABLE: "打不开",
}
STATUSES = {
    Status.MATCHED: "命中",
    Status.MISSING: "还缺信息",
    Status.UNCOVERED: "没有规则",
    Status.CONFLICT: "规则冲突",
}
STATUS_TAGS = {
    Status.MATCHED: "active",
    Status.MISSING: "future",
    Status.UNCOVERED: "withdrawn",
    Status.CONFLICT: "withdrawn",
}
TRUTHS = {Truth.TRUE: "符合", Truth.FALSE: "不符合", Truth.MISSING: "没有填"}
ACTIONS = {
    Action.CARD: "给出步骤卡",
    Action.ASK: "追问",
    Action.NO_MATCH: "没有规则",
    Action.CONFLICT: "规则冲突",
    Action.DISAMBIGUATE: "问是哪个流程",
    Action.STATUS: "查进度",
    Action.CANCELLED: "取消",
    Action.REFUSE: "婉拒",
    Action.END: "结束",
}
FOLLOWED = {"folder": "流程表目录", "samples": "随包样例"}  # who publishes in nobody's name
ORIGINS = {Origin.CASE: "对话", Origin.EVALUATE: "接口"}
AUDITED = {
    "process.publish": "发布",
    "process.withdraw": "撤下",
    "process.draft": "上传草稿",
    "process.discard": "丢弃草稿",
    "process.change": "变更记录",
}


def severity_of(finding: FindingJson) -> Severity:
    return Severity(finding["severity"])


def counts_words(findings: Iterable[FindingJson]) -> str:
    """2 个错误，1 个警告; empty without any."""
    counted = Counter(severity_of(each) for each in findings)
    return "，".join(f"{counted[each]} 个{SEVERITIES[each]}" for each in Severity if counted[each])


def code_words(code: str) -> str:
    """A finding stored by another version may have a code of its own."""
    return CODES[Code(code)] if code in set(Code) else code


def action_words(action: str) -> str:
    return ACTIONS[Action(action)] if action in set(Action) else action


def period_words(since: date | None, until: date | None) -> str:
    """`until` is the first day it no longer holds."""
    if since and until:
        return f"{day_of(since)}起施行，{day_of(until)}起失效"
    return f"{day_of(since)}起施行" if since else f"{day_of(until)}起失效" if until else "长期有效"


def standing_of(version: Version, serving: Version | None, today: date) -> tuple[str, str]:
    """How a version stands today, and the kind of its tag."""
    if version.state is VersionState.WITHDRAWN:
        return "已撤下", "withdrawn"
    if serving is not None and version.digest == serving.digest:
        return "现行", "active"
    if version.effective_from is not None and today < version.effective_from:
        return "尚未生效", "future"
    if version.effective_to is not None and version.effective_to <= today:
        return "已过有效期", ""
    return "已有后一版", ""


def person_words(principal_id: str, names: Mapping[str, str]) -> str:
    """A name where one is known: the id of a key tells people nothing."""
    if principal_id == LOCAL.id:
        return LOCAL.name
    if principal_id in FOLLOWED:
        return FOLLOWED[principal_id]
    return names.get(principal_id) or principal_id
