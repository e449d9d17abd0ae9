"""Chinese words for the codes, dates and places of the service: one set for the console and the commands."""

from datetime import date, datetime

from ingestion.documents import Anchor, FailureReason, FileState, Revision, RevisionStatus
from ingestion.minutes.segmentation import OFFLINE
from service.access import PUBLIC, Principal, Role
from service.citations import RefusalReason
from service.retrieval.results import Cut
from service.standing import Standing, standing_of

STATES = {
    FileState.PARSED: "已入库",
    FileState.PARSED_PARTLY: "部分入库",
    FileState.NEEDS_OCR: "需要 OCR",
    FileState.NEEDS_PASSWORD: "需要密码",
    FileState.UNSUPPORTED: "不支持",
    FileState.FAILED: "失败",
}
# Of a file that was only looked at: nothing was taken in.
READINGS = STATES | {FileState.PARSED: "读得完整", FileState.PARSED_PARTLY: "只读出一部分"}
FAILURES = {
    FailureReason.ENCRYPTED: "文件加密",
    FailureReason.EMPTY: "没有文字",
    FailureReason.CORRUPT: "文件损坏",
    FailureReason.TOO_LARGE: "文件过大",
    FailureReason.UNSAFE: "内容不安全",
    FailureReason.TOO_COMPLEX: "结构过于复杂",
    FailureReason.WRONG_TYPE: "类型不符",
    FailureReason.UNSUPPORTED: "格式不支持",
    FailureReason.TIMEOUT: "读取超时",
}
STANDINGS = {
    Standing.IN_FORCE: "现行",
    Standing.FUTURE: "尚未生效",
    Standing.ENDED: "已被取代或过期",
    Standing.WITHDRAWN: "已作废",
    Standing.ARCHIVED: "历史归档",
    Standing.DRAFT: "草案",
}
DROP_REASONS = {
    "running_header": "页眉",
    "running_footer": "页脚",
    "page_number": "页码",
    "table_of_contents": "目录",
    "revision_record": "修订记录",
    "attachment_list": "附件清单",
    "repeated_table_header": "重印的表头",
    "watermark": "水印",
    "garbled": "乱码",
    "invisible": "看不见的字",
    "tracked_deletion": "修订中删除的文字",
    "hidden": "隐藏文字",
    "field_code": "域代码",
    "ruby": "注音",
    "fallback_twin": "为旧版软件存的副本",
    "alternative_twin": "邮件正文的另一种写法",
    "unreferenced_note": "未引用的脚注",
    "hidden_sheet": "隐藏的工作表",
    "hidden_slide": "隐藏的幻灯片",
    "page_title": "网页标题栏",
    "navigation": "网页导航",
    "page_footer": "网页页脚",
    "aside": "网页侧栏",
    "script": "脚本与样式",
    "not_shown": "不显示的元素",
    "comment": "注释",
    "table_markup": "夹在表格里的字",
    "front_matter": "文件头",
    "link_definition": "链接定义",
    "markup": "标记符号",
    "merged_cell": "被合并盖住的字",
    "unread": "未能读出",
}
CUTS = {
    Cut.FILTER: "不符合筛选条件",
    Cut.NOT_IN_FORCE: "当日不在有效期",
    Cut.POOL: "排在候选范围之外",
    Cut.DUPLICATE: "与更靠前的内容重复",
    Cut.THRESHOLD: "置信度低于门槛",
    Cut.TOP_K: "超出取用条数",
    Cut.OTHER_PROVISION: "问的是另一条规定",
}
FILTERS = {
    "labels": "可见范围",
    "statuses": "版本状态",
    "in_force_on": "有效期",
    "knowledge_bases": "知识库",
    "kinds": "内容类型",
    "document_ids": "文档",
    "revision_ids": "版本",
    "business_lines": "业务线",
    "issuers": "发文单位",
    "owners": "责任部门",
    "speakers": "发言人",
    "meetings": "会议",
    "meeting_from": "会议日期的起点",
    "meeting_to": "会议日期的终点",
    "source_updated_from": "更新日期的起点",
    "source_updated_to": "更新日期的终点",
    "effective_since": "施行日期",
}
REFUSALS = {
    RefusalReason.NOTHING_FOUND: "没有找到相关资料",
    RefusalReason.BELOW_THRESHOLD: "找到的资料不足以作答",
    RefusalReason.ONLY_SUPERSEDED: "只有已被取代的旧版本",
    RefusalReason.NOT_YET_IN_FORCE: "相关规定尚未生效",
    RefusalReason.REPEALED: "相关规定已经废止",
    RefusalReason.ARCHIVED: "相关资料已归档",
    RefusalReason.CONFLICTING_SOURCES: "几份资料的说法互相矛盾",
    RefusalReason.AMBIGUOUS: "问题有多种理解",
}
ROLES = {
    Role.READER: "读者",
    Role.CONTRIBUTOR: "资料维护员",
    Role.PROCESS_ADMIN: "流程管理员",
    Role.ADMIN: "管理员",
}


def cut_words(cut: Cut | None, condition: str) -> str:
    """What became of a candidate; `condition` is the field of the filter that took it out."""
    if cut is None:
        return "取用"
    return f"{CUTS[cut]}：{FILTERS[condition]}" if cut is Cut.FILTER and condition else CUTS[cut]


def drop_words(reason: str) -> str:
    """Why text was dropped; a report stored by another version may hold a reason of its own."""
    return DROP_REASONS.get(reason, reason)


def day_of(day: date | None) -> str:
    """2025年1月1日; empty without a day."""
    return f"{day.year}年{day.month}月{day.day}日" if day else ""


def moment_of(moment: datetime | None) -> str:
    """In local time, to the minute."""
    return f"{moment.astimezone():%Y-%m-%d %H:%M}" if moment else ""


def standing_words(revision: Revision, day: date, today: date) -> str:
    """How a revision stands on `day`: what ended is told apart from what was replaced."""
    standing = standing_of(revision, day)
    if standing is Standing.IN_FORCE:
        return "现行" if day == today else "当时有效"
    if standing is Standing.ENDED:
        return "已被取代" if revision.status is RevisionStatus.SUPERSEDED else "已过有效期"
    return STANDINGS[standing]


def term_words(revision: Revision) -> str:
    """From when to when; the last day is the day before the end."""
    since, until = day_of(revision.effective_from), day_of(revision.effective_to)
    if since and until:
        return f"{since}起施行，{until}起失效"
    return f"{since}起施行" if since else f"{until}起失效" if until else ""


def place_words(anchor: Anchor) -> str:
    """第 3 页, 工作表「标准」 B4:F4."""
    sheet = f"工作表「{anchor.sheet}」" if anchor.sheet else ""
    parts = (
        f"第 {anchor.page_label or anchor.page} 页" if anchor.page else "",
        f"第 {anchor.slide} 张幻灯片" if anchor.slide else "",
        f"{sheet} {anchor.cell_range}" if sheet and anchor.cell_range else sheet,
        f"第 {anchor.paragraph} 段" if anchor.paragraph else "",
    )
    return "，".join(part for part in parts if part)


def engine_words(engine: str) -> str:
    """Of one, or of two where one took over from the other; a model's name stays as it is."""
    return " + ".join("离线引擎" if part == OFFLINE else part for part in engine.split("+"))


def audience_words(label: str) -> str:
    """Who may read what carries this label."""
    kind, _, name = label.partition(":")
    if label == PUBLIC:
        return "全员可见"
    return {"department": f"{name} 可见", "group": f"{name} 组可见", "user": "个人可见"}.get(kind, label)


def audiences_of(principal: Principal) -> dict[str, str]:
    """The labels a principal can give without typing one, each with its words."""
    own = {f"user:{principal.id}": "仅自己可见"}
    if principal.department:
        own = {f"department:{principal.department}": f"仅 {principal.department} 可见"} | own
    return {PUBLIC: "全员可见"} | own
