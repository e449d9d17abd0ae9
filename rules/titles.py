"""The names of a workbook's sheets."""

INFO, FIELDS, TABLE, GAPS = "流程信息", "字段", "决策表", "已声明空缺"
NODES, MATERIALS, CASES, CHANGES = "节点", "材料", "测试用例", "变更记录"
SHEETS = (INFO, FIELDS, TABLE, GAPS, NODES, MATERIALS, CASES, CHANGES)
