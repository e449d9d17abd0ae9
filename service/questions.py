"""What may be asked, whoever asks it: a person, a program or the console."""

from datetime import date

from service.errors import BadRequest

MAX_QUESTION = 4000  # characters


def check_question(text: str) -> None:
    """Raises BadRequest for one that is empty or too long; nothing is cut off in silence."""
    if not text.strip():
        raise BadRequest("问题是空的，请输入文字")
    if len(text) > MAX_QUESTION:
        raise BadRequest(f"问题超过 {MAX_QUESTION} 字，请缩短后再试")


def check_days(first: date | None, last: date | None) -> None:
    """Raises BadRequest where the first day asked for comes after the last."""
    if first and last and first > last:
        raise BadRequest("起始日期晚于结束日期，请对调后再问")
