"""What is wrong with a request, field by field, in words a person can act on."""

from collections.abc import Mapping, Sequence
from typing import Any

MOST_PROBLEMS = 20
LONGEST_NAME = 80

# By pydantic's type of error; what stands in braces is its context.
_WORDS = {
    "missing": "缺少这一项",
    "extra_forbidden": "没有这个字段，请核对字段名",
    "json_invalid": "不是合格的 JSON",
    "model_attributes_type": "应是 JSON 对象，并带请求头 Content-Type: application/json",
    "dict_type": "应是 JSON 对象",
    "list_type": "应是列表",
    "string_type": "应是文字",
    "string_unicode": "不是合格的文字",
    "string_too_short": "至少 {min_length} 字",
    "string_too_long": "至多 {max_length} 字",
    "too_short": "至少 {min_length} 项",
    "too_long": "至多 {max_length} 项",
    "int_type": "应是整数",
    "int_parsing": "应是整数",
    "int_parsing_size": "数字太大",
    "int_from_float": "应是整数",
    "float_type": "应是数字",
    "float_parsing": "应是数字",
    "finite_number": "应是有限的数字",
    "bool_type": "应是 true 或 false",
    "bool_parsing": "应是 true 或 false",
    "greater_than_equal": "不能小于 {ge}",
    "less_than_equal": "不能大于 {le}",
    "literal_error": "只能是 {expected}",
    "enum": "只能是 {expected}",
    "date_type": "应是 YYYY-MM-DD 的日期",
    "date_parsing": "应是 YYYY-MM-DD 的日期",
    "date_from_datetime_parsing": "应是 YYYY-MM-DD 的日期",
    "date_from_datetime_inexact": "应是 YYYY-MM-DD 的日期",
}


def described(found: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """`{where, problem}` of each, the first few."""
    return [
        {"where": _where(problem["loc"]), "problem": _words(problem)} for problem in found[:MOST_PROBLEMS]
    ]


def _where(place: Sequence[str | int]) -> str:
    return ".".join(str(part)[:LONGEST_NAME] for part in place)


def _words(problem: Mapping[str, Any]) -> str:
    if "UploadFile" in str(problem["msg"]):
        return "应是上传的文件，用 multipart/form-data 发送并带文件名"
    words = _WORDS.get(str(problem["type"]))
    if words is None:
        return str(problem["msg"])
    context = {name: str(value).replace(" or ", " 或 ") for name, value in problem.get("ctx", {}).items()}
    return words.format_map(context)
