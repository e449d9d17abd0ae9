"""A workbook to begin with: instructions and drop-downs on every sheet, and a small process to write over."""

import io
from collections.abc import Sequence
from dataclasses import dataclass

from openpyxl import Workbook
from openpyxl.comments import Comment
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from rules.layout import Role
from rules.spelling import plain
from rules.table import NO, YES, FieldType, HitPolicy, Required

Rows = Sequence[Sequence[str]]

_AUTHOR = "知行"
_LAST_ROW = 500  # down to which drop-downs are offered
_HEAD = PatternFill("solid", fgColor="DDEBF7")
_GUIDE = (
    "怎样填这个工作簿",
    "1. 一个工作簿写一个流程。先改「流程信息」，再改「字段」「节点」「材料」，最后写「决策表」。",
    "2. 表头不要改名；列的先后可以调。每个表头上有批注，说明这一列怎么填。",
    "3. 「决策表」第 4 行是每一列的角色，第 5 行是列名，第 6 行起一行一条规则。",
    "    条件列的名字要和「字段」表里的一样。",
    "4. 条件格不能空：不限就写「任意」。",
    "5. 数字条件：不满5000、5000以上、超过2万、2万(含)~5万(不含)、20万以上且不满100万、≤30。",
    "    以上、以下、以内含本数，不满、超过、以外不含本数。",
    "    金额范围两端都要写明(含)或(不含)；整数范围 31~90 两端都含。",
    "6. 选项条件：几个选项用顿号隔开（办公用品、图书）；除某项以外写「除 图书 外」。",
    "7. 节点按先后用 > 连起来；材料写材料编号，用顿号隔开。",
    "8. 有意不设规则的情况写进「已声明空缺」，并写明原因，系统会把原因告诉申请人。",
    "9. 不要用公式、合并单元格；像 3-5 这样会被自动变成日期的内容，请写成 3~5。",
    "10. 「测试用例」里每一行写一组值和应得的结果。有一行不通过就不能发布。",
)


@dataclass(frozen=True, slots=True)
class _Column:
    """`choices` become a drop-down."""

    name: str
    help: str
    choices: tuple[str, ...] = ()
    width: int = 16


def starter_workbook(name: str) -> bytes:
    """An .xlsx for the process `name`, whose examples are meant to be written over."""
    title = plain(name) or "新流程"
    book = Workbook()
    first = book.active
    assert isinstance(first, Worksheet)  # a new workbook has one
    _guide(first)
    _info(book.create_sheet("流程信息"), title)
    _listed(book.create_sheet("字段"), _FIELD_COLUMNS, _FIELDS)
    _table(book.create_sheet("决策表"), title)
    _listed(book.create_sheet("已声明空缺"), _GAP_COLUMNS, _GAPS)
    _listed(book.create_sheet("节点"), _NODE_COLUMNS, _NODES)
    _listed(book.create_sheet("材料"), _MATERIAL_COLUMNS, _MATERIALS)
    _listed(book.create_sheet("测试用例"), _CASE_COLUMNS, _CASES)
    _listed(book.create_sheet("变更记录"), _CHANGE_COLUMNS, _CHANGES)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


_OPTIONS = ("办公用品", "图书", "劳保用品")
_FIELD_COLUMNS = (
    _Column("字段", "申请人要回答的一项，例如 预算金额。"),
    _Column("编码", "英文或拼音，给别的系统用，不重复。"),
    _Column("类型", "金额后面可以带单位：金额(元)。", tuple(type_.value for type_ in FieldType)),
    _Column("必填", "是、否，或「条件」：符合「必填条件」时才必填。", tuple(item.value for item in Required)),
    _Column("必填条件", "必填写「条件」时才填，例如 物品类别=图书、劳保用品。", width=22),
    _Column("可选值", "单选字段的选项，用顿号隔开。", width=28),
    _Column("同义词", "字段的别的叫法：费用、总价；选项的别的叫法：书=图书;手套=劳保用品。", width=28),
    _Column("取值范围", "数字的范围，例如 0(不含)~100万(含)。", width=20),
    _Column("追问顺序", "第几个问，写 1、2、3。"),
    _Column("追问话术", "没有回答时怎么问。", width=36),
    _Column("值无效话术", "回答不能用时怎么说。", width=36),
)
_FIELDS: Rows = (
    ("申领金额", "amount", "金额(元)", YES, "", "", "金额、总价、费用", "0(不含)~100万(含)", "1")
    + ("请问这次申领一共多少元？", "金额需要大于 0，不超过 100 万元。"),
    (
        "物品类别",
        "category",
        "单选",
        YES,
        "",
        "、".join(_OPTIONS),
        "书=图书;文具=办公用品;手套=劳保用品",
        "",
        "2",
    )
    + ("请问是哪一类物品：办公用品、图书还是劳保用品？", "请从办公用品、图书、劳保用品里选一项。"),
    ("是否紧急", "urgent", "是否", YES, "", "是、否", "加急=是;不急=否", "", "3")
    + ("请问是否紧急（是/否）？", "请回答是或否。"),
    ("申领部门", "department", "部门", NO, "", "", "部门、科室", "", "", "", ""),
)
_GAP_COLUMNS = (
    _Column("编号", "不重复，例如 G01。"),
    _Column("申领金额(元)", "和决策表的条件一样写。"),
    _Column("物品类别", "和决策表的条件一样写。", width=22),
    _Column("是否紧急", "和决策表的条件一样写。", ("任意", YES, NO)),
    _Column("原因", "会告诉申请人的话。", width=40),
)
_GAPS: Rows = (("G01", "5万以上", "任意", "任意", "5 万元以上请走采购流程"),)
_NODE_COLUMNS = (
    _Column("节点编号", "不重复，例如 N1。"),
    _Column("节点名称", "决策表的「节点」列里写的就是它。"),
    _Column("办理角色", "由谁办理。", width=20),
    _Column("时限(工作日)", "写一个数，不知道就空着。"),
    _Column("办理说明", "给办理人和申请人看的话。", width=36),
)
_NODES: Rows = (
    ("N1", "部门审批", "部门负责人", "1", "核对用途和数量"),
    ("N2", "行政审核", "行政主管", "1", "核对库存"),
    ("N3", "发放登记", "仓库管理员", "1", "登记后领取"),
)
_MATERIAL_COLUMNS = (
    _Column("材料编号", "不重复，例如 M01；决策表里写编号。"),
    _Column("材料名称", "申请人看到的名称。", width=22),
    _Column("模板文件", "模板的文件名，没有就空着。", width=22),
    _Column("份数", "写一个整数，空着就是 1 份。"),
    _Column("说明", "什么时候需要、怎么准备。", width=36),
)
_MATERIALS: Rows = (
    ("M01", "申领单", "申领单.docx", "1", "所有申请必交"),
    ("M02", "报价单", "", "1", "5000 元及以上"),
    ("M03", "紧急情况说明", "", "1", "紧急时提交"),
)
_CASE_COLUMNS = (
    _Column("用例号", "不重复，例如 T01。"),
    _Column("申领金额", "申请人回答的值；没回答就空着。"),
    _Column("物品类别", "申请人回答的值；没回答就空着。", _OPTIONS),
    _Column("是否紧急", "申请人回答的值；没回答就空着。", (YES, NO)),
    _Column("期望", "规则号、未覆盖、追问:字段，或 冲突:R1、R2。"),
    _Column("期望材料", "材料编号，用顿号隔开；空着就不比较。", width=22),
    _Column("说明", "随便写。", width=30),
)
_CASES: Rows = (
    ("T01", "4999.99", "办公用品", NO, "R01", "M01", "下边界"),
    ("T02", "5000", "图书", NO, "R03", "M01、M02", "边界"),
    ("T03", "800", "劳保用品", YES, "R02", "M01、M03", ""),
    ("T04", "50000", "图书", NO, "未覆盖", "", "已声明空缺"),
    ("T05", "", "图书", NO, "追问:申领金额", "", "缺金额"),
)
_CHANGE_COLUMNS = (
    _Column("日期", "写成 2025-01-31 的样子。"),
    _Column("版本", "和「流程信息」里的版本一致。"),
    _Column("修改人", "谁改的。"),
    _Column("内容", "改了什么。", width=40),
)
_CHANGES: Rows = (("2025-01-01", "1.0", "流程管理员", "首次编写"),)

_INFO: Rows = (
    ("别名", "申领、领用", "申请人可能用的别的叫法，用顿号隔开"),
    ("流程管理员", "流程管理员（请写姓名和电话）", "没有规则或规则冲突时，请申请人联系此人"),
    ("版本", "1.0", "每次发布时改大"),
    ("生效日期", "2025-01-01", "早于这一天的申请不用这个版本"),
    ("失效日期", "", "不再有效的第一天；空着就是长期有效"),
    ("金额单位", "元", "没有写单位的金额按它算"),
    ("来源制度", "《请写制度名称》第1条", "显示在步骤卡的依据里"),
)
_TABLE_ROLES = (Role.ID, *[Role.CONDITION] * 3, *[Role.RESULT] * 4, *[Role.PERIOD] * 2, Role.NOTE)
_TABLE_COLUMNS = (
    _Column("规则号", "不重复，例如 R01。"),
    _Column("申领金额(元)", "例如 不满5000、5000以上且不满5万；不限写「任意」。", width=22),
    _Column("物品类别", "选项用顿号隔开；除某项外写「除 图书 外」；不限写「任意」。", width=22),
    _Column("是否紧急", "是、否，或「任意」。", ("任意", YES, NO)),
    _Column("路径", "这条规则的结果叫什么。"),
    _Column("节点", "节点名称，按先后用 > 连起来。", width=36),
    _Column("材料", "材料编号，用顿号隔开；不需要就写「无」。", width=18),
    _Column("预计工作日", "写一个数。"),
    _Column("生效日期", "这一行从哪天起有效；空着就和整个流程一样。"),
    _Column("失效日期", "这一行从哪天起不再有效；空着就一直有效。"),
    _Column("备注", "随便写。", width=30),
)
_RULES: Rows = (
    ("R01", "不满5000", "任意", NO, "简易", "部门审批>发放登记", "M01", "2", "", "", ""),
    ("R02", "不满5000", "任意", YES, "简易加急", "部门审批>发放登记", "M01、M03", "1", "", "", ""),
    (
        "R03",
        "5000以上且不满5万",
        "除 劳保用品 外",
        "任意",
        "标准",
        "部门审批>行政审核>发放登记",
        "M01、M02",
        "3",
        "",
        "",
        "",
    ),
    (
        "R04",
        "5000以上且不满5万",
        "劳保用品",
        "任意",
        "标准",
        "部门审批>行政审核>发放登记",
        "M01、M02",
        "3",
        "",
        "",
        "",
    ),
)


def _guide(sheet: Worksheet) -> None:
    sheet.title = "填写说明"
    for line in _GUIDE:
        sheet.append([line])
    sheet["A1"].font = Font(bold=True, size=14)
    sheet.column_dimensions["A"].width = 110


def _info(sheet: Worksheet, title: str) -> None:
    rows: Rows = (
        ("流程编号", title, "不重复，创建后不改；可以改成英文或拼音"),
        ("流程名称", title, "出现在步骤卡的标题里"),
        *_INFO,
    )
    for number, row in enumerate(rows, 1):
        _put_row(sheet, number, row)
        sheet.cell(number, 1).fill = _HEAD
        sheet.cell(number, 3).font = Font(color="808080")
    for letter, width in (("A", 14), ("B", 36), ("C", 48)):
        sheet.column_dimensions[letter].width = width


def _listed(sheet: Worksheet, columns: Sequence[_Column], rows: Rows) -> None:
    _headings(sheet, 1, columns)
    _rows(sheet, 2, rows)


def _table(sheet: Worksheet, title: str) -> None:
    _put_row(sheet, 1, ("决策表", f"{title}路径"))
    _put_row(
        sheet,
        2,
        ("命中策略", HitPolicy.UNIQUE, "未命中时", "提示：该条件组合未匹配到现有流程规则，请联系流程管理员"),
    )
    _offer(sheet, "B2:B2", tuple(policy.value for policy in HitPolicy))
    _put_row(sheet, 4, _TABLE_ROLES)
    _offer(sheet, f"A4:{get_column_letter(len(_TABLE_ROLES))}4", tuple(role.value for role in Role))
    _headings(sheet, 5, _TABLE_COLUMNS)
    _rows(sheet, 6, _RULES)


def _headings(sheet: Worksheet, row: int, columns: Sequence[_Column]) -> None:
    """Names with what to write as a comment, drop-downs below, and the names kept in view."""
    _put_row(sheet, row, [column.name for column in columns])
    for place, column in enumerate(columns, 1):
        letter = get_column_letter(place)
        cell = sheet.cell(row, place)
        cell.font, cell.fill, cell.alignment = (
            Font(bold=True),
            _HEAD,
            Alignment(wrap_text=True, vertical="top"),
        )
        cell.comment = Comment(column.help, _AUTHOR)
        sheet.column_dimensions[letter].width = column.width
        if column.choices:
            _offer(sheet, f"{letter}{row + 1}:{letter}{_LAST_ROW}", column.choices)
    sheet.freeze_panes = f"B{row + 1}"


def _rows(sheet: Worksheet, first: int, rows: Rows) -> None:
    for number, row in enumerate(rows, first):
        _put_row(sheet, number, row)


def _put_row(sheet: Worksheet, number: int, row: Sequence[str]) -> None:
    """As text, so that no program turns 3-5 into a day."""
    for place, text in enumerate(row, 1):
        cell = sheet.cell(number, place, text or None)
        cell.number_format = "@"


def _offer(sheet: Worksheet, cells: str, choices: Sequence[str]) -> None:
    """A drop-down that allows other texts too: a cell may hold several options."""
    offered = DataValidation(type="list", formula1=f'"{",".join(choices)}"', allow_blank=True)
    offered.showErrorMessage = False
    sheet.add_data_validation(offered)
    offered.add(cells)
