"""Yes/no marks in tables (是 √ ☑ 必填 / 否 × 可选) and what they say under a given heading 勾选表述."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Mark(StrEnum):
    YES = "yes"
    OPTIONAL = "optional"
    NO = "no"


_YES = re.compile(r"[√✓✔☑✅●■]|y|yes|true")
_NO = re.compile(r"[×✗✘✕❌☐□○]|x|n|no|false")
_YES_WORD = re.compile(r"是|有|对|必填|必选|必须|必交|必备|必需|需|需要|须|要|支持")
_NO_WORD = re.compile(r"否|无|错|不需要|无需|不需|不要|不用|免|不必|不支持|-|—|——|/")
_OPTIONAL_WORD = re.compile(r"△|可选|选填|选交|非必填|非必选|非必须|视情况|酌情")
_QUESTION = re.compile(r"是否|有无|能否|可否")
_DUTY = re.compile(r"(?:是否)?(必[填选交备需]|必要|强制)")
_CHOICE = re.compile(r"是否(?:需要|支持|包含|允许|可以|启用|涉及|属于).{0,12}")
_SAYS_NOTHING = frozenset({"-", "—", "——", "/", "无"})  # a column of these alone is an empty column


@dataclass(frozen=True, slots=True)
class Phrase:
    """How the marked columns of a table are said."""

    yes: str
    optional: str
    no: str

    def of(self, mark: Mark) -> str:
        return {Mark.YES: self.yes, Mark.OPTIONAL: self.optional, Mark.NO: self.no}[mark]


MATERIALS = Phrase("必须提交", "可选提交", "无需提交")
APPROVALS = Phrase("须经审批", "视情况审批", "无需审批")
PERMISSIONS = Phrase("有权限", "可申请权限", "无权限")
SUPPORT = Phrase("支持", "可选支持", "不支持")
PLAIN = Phrase("标为“是”", "标为“可选”", "标为“否”")

_ABOUT_MATERIALS = re.compile(r"材料|附件|资料|提交|报送|单据|凭证|要件")
_ABOUT_APPROVALS = re.compile(r"审批|审核|会签|签批|批准|审签")
_ABOUT_PERMISSIONS = re.compile(r"权限|授权|角色")
_ABOUT_SUPPORT = re.compile(r"支持|功能|特性|兼容")
_MATERIAL_NAME = re.compile(
    r"(表|单|说明|意见|明细|清单|书|证|证明|报告|材料|合同|发票|复印件|原件|照片|方案|函|票|协议|文件|纪要)"
    r"(\s*[（(][^）)]*[）)])?$"
)
_APPROVER_NAME = re.compile(
    r"(审批|审核|会签|领导|经理|主任|总监|部长|处长|总裁|董事会|负责人|委员会|办公会)$"
)


def mark_of(text: str) -> Mark | None:
    """What a cell marks; None for any text that is more than a mark."""
    word = text.strip().lower()
    if _YES.fullmatch(word) or _YES_WORD.fullmatch(word):
        return Mark.YES
    if _NO.fullmatch(word) or _NO_WORD.fullmatch(word):
        return Mark.NO
    return Mark.OPTIONAL if _OPTIONAL_WORD.fullmatch(word) else None


def is_mark_column(values: Sequence[str]) -> bool:
    """Every filled cell is a mark, and at least one says more than an empty place."""
    filled = [value.strip() for value in values if value.strip()]
    return all(mark_of(value) for value in filled) and any(value not in _SAYS_NOTHING for value in filled)


def asks(levels: Sequence[str]) -> bool:
    """Whether a header is a yes/no question of its own (是否紧急, 必填), at any of its levels."""
    return any(_QUESTION.match(level) or mark_of(level) for level in levels)


def answer(header: str, text: str) -> str:
    """A marked cell under its own question: 必填 / 非必填, 需要盖章 / 不需要盖章, else 是否紧急为是."""
    mark = mark_of(text)
    duty, choice = _DUTY.fullmatch(header), _CHOICE.fullmatch(header)
    if mark is Mark.OPTIONAL or not (duty or choice):
        return f"{header}为{_spoken(text)}"
    if duty:
        return duty[1] if mark is Mark.YES else f"非{duty[1]}"
    return f"{'' if mark is Mark.YES else '不'}{header.removeprefix('是否')}"


def _spoken(text: str) -> str:
    """A symbol as a word (√ -> 是); words and everything else stay as written."""
    word = text.strip().lower()
    if _YES.fullmatch(word):
        return "是"
    return "否" if _NO.fullmatch(word) else text


def phrase_for(about: str, items: Sequence[str]) -> Phrase:
    """The wording for a matrix: by its title and group headings, else by what most columns are named."""
    for pattern, phrase in (
        (_ABOUT_MATERIALS, MATERIALS),
        (_ABOUT_APPROVALS, APPROVALS),
        (_ABOUT_PERMISSIONS, PERMISSIONS),
        (_ABOUT_SUPPORT, SUPPORT),
    ):
        if pattern.search(about):
            return phrase
    if _most(items, _MATERIAL_NAME):
        return MATERIALS
    if _most(items, _APPROVER_NAME):
        return APPROVALS
    return PLAIN


def names_material(header: str) -> bool:
    """Whether a label column holds materials (材料名称), so that the marked columns are the cases."""
    return bool(_ABOUT_MATERIALS.search(header)) or header in {"文件名称", "表单", "表单名称"}


def _most(items: Sequence[str], pattern: re.Pattern[str]) -> bool:
    return 2 * sum(bool(pattern.search(item)) for item in items) >= len(items) > 0
