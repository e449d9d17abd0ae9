"""The grammar of conditions on words: 服务器、网络设备, 除 车辆 外. Unknown words come with the nearest."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rules.conditions import OneOf
from rules.faults import CellFault, bad_cell, bad_range
from rules.findings import Code
from rules.spelling import suggestion, tight
from rules.table import NO, YES

_EXCEPT = re.compile(
    r"除\s*(?:了\s*)?(?P<inner>.+?)\s*(?:以外|之外|外)(?:\s*的?\s*(?:其他|其它|所有|全部|任意)?)", re.DOTALL
)
_BEYOND = re.compile(r"(?P<inner>.+?)\s*(?:以外|之外)", re.DOTALL)
_NOT = re.compile(r"(?:≠|!=|<>|不等于|不是|不为|不属于|不包括|不含)\s*(?P<inner>.+)", re.DOTALL)
_NON = re.compile(r"非\s*(?P<inner>.+)")  # only before known words: 非遗中心 is a department
_IS = re.compile(r"(?:==?|等于|属于)\s*(?P<inner>.+)", re.DOTALL)
_SEPARATED = re.compile(r"[、,;]")
_COMPARING = re.compile("[<>≤≥]")
_LOOSELY = re.compile(r"\s*(?:[/|]|或者|或|以及|及|和|与|\s)\s*")
_OR = re.compile(r"\s*(?:或者|或)\s*")
NEW_OPTION = "如果它是新的选项，请先加到「字段」表的「可选值」里。"
_DOUBTFUL = re.compile(r"[/|\n]|(?<=[\u4e00-\u9fff])\s(?=[\u4e00-\u9fff])")
_QUOTES = "\"'“”‘’「」『』《》 \n"

_SPELLINGS = {
    YES: ("是", "是的", "有", "要", "需要", "对", "y", "yes", "true", "t", "√", "✓", "✔", "☑", "1"),
    NO: (
        "否",
        "不是",
        "无",
        "没有",
        "不",
        "不要",
        "不需要",
        "n",
        "no",
        "false",
        "f",
        "×",
        "✗",
        "✘",
        "x",
        "0",
    ),
}
_YES_OR_NO = {spelling: word for word, spellings in _SPELLINGS.items() for spelling in spellings}


def yes_or_no(text: str) -> str | None:
    """是 or 否 for a usual spelling of it (有, Y, √, TRUE); None for anything else."""
    return _YES_OR_NO.get(tight(text).lower())


@dataclass(frozen=True, slots=True)
class _Options:
    """What may stand in a column, empty where every word may."""

    listed: tuple[str, ...]
    known: frozenset[str]
    by_spelling: Mapping[str, str]  # without spaces


@lru_cache(maxsize=256)
def _options(domain: tuple[str, ...]) -> _Options:
    return _Options(domain, frozenset(domain), {tight(option): option for option in domain})


def read_words(text: str, domain: tuple[str, ...], *, yes_no: bool = False) -> OneOf:
    """`text` is NFKC, without options in its lines. With an empty `domain` every word may stand.

    Raises CellFault.
    """
    if yes_no and (word := yes_or_no(text)):
        return OneOf(frozenset({word}))
    options = _options(domain)
    whole = frozenset(_words(text, options))
    if whole and whole <= options.known:
        return OneOf(whole)
    left_out = _left_out(text, options)
    same = _IS.fullmatch(text)
    inner = left_out or (same["inner"] if same else text)
    values = frozenset(_known(word, options, yes_no) for word in _words(inner, options))
    if not values:
        raise bad_cell(text, "里面没有任何选项", "请写选项，几个选项之间用顿号隔开；不限就写「任意」。")
    if left_out and domain and values >= options.known:
        raise bad_range(text, "把全部选项都除外了，没有留下任何选项", "请去掉这一行，或少写几个除外的选项。")
    return OneOf(values, negated=left_out is not None)


def _left_out(text: str, options: _Options) -> str | None:
    """The words after 除, ≠ or 非; None without such a word. Raises CellFault for 除 without 外."""
    forms = (_EXCEPT, _BEYOND, _NOT, _NON) if options.listed else (_EXCEPT, _BEYOND, _NOT)
    found = next((match for form in forms if (match := form.fullmatch(text))), None)
    if found is None and options.listed and text.startswith("除"):
        correction = f"除 {text.removeprefix('除').strip()} 外"
        raise bad_cell(text, "有「除」没有「外」", f"请写成「{correction}」。", correction)
    return found["inner"] if found else None


def _words(text: str, options: _Options) -> list[str]:
    pieces = [piece.strip(_QUOTES) for piece in _SEPARATED.split(text)]
    return [word for piece in pieces if piece for word in _split(piece, options)]


def _split(piece: str, options: _Options) -> list[str]:
    """Options joined by 或, 和 or / only where each part is an option: 货物和服务 may be one."""
    if piece in options.known:
        return [piece]
    if not options.listed:
        return [part for part in _OR.split(piece) if part]
    parts = [part.strip(_QUOTES) for part in _LOOSELY.split(piece)]
    return parts if len(parts) > 1 and options.known.issuperset(parts) else [piece]


def _known(word: str, options: _Options, yes_no: bool) -> str:
    if word in options.known:
        return word
    if word in ("任意", "-"):
        raise bad_cell(word, "「任意」不能和别的值写在一起", "不限就只写「任意」。")
    if yes_no and (said := yes_or_no(word)):
        return said
    if not options.listed:
        return _open_word(word)
    same = options.by_spelling.get(tight(word))
    if same is not None:
        return same
    raise unknown_value(word, (*options.listed, "任意"), "" if yes_no else NEW_OPTION)


def _open_word(word: str) -> str:
    """A word of a field without options; whether 财务部/市场部 is one department or two nobody knows."""
    if _COMPARING.match(word):
        mend = "请写要符合的文字；要比大小，请改「字段」表里的类型。"
        raise bad_cell(word, "这一列是文字，不能比大小", mend)
    parts = [part for part in _DOUBTFUL.split(word) if part]
    if len(parts) > 1:
        correction = "、".join(parts)
        raise bad_cell(word, "分不清是一个还是几个", f"是几个就写成「{correction}」。", correction)
    return word


def unknown_value(word: str, domain: Sequence[str], otherwise: str = NEW_OPTION) -> CellFault:
    """`domain` in the order it is offered; `otherwise` is what to do when no offered word is meant."""
    return CellFault(
        Code.UNKNOWN_VALUE,
        f"「{word}」不在可选值里。",
        f"{suggestion(word, domain)}{otherwise}",
        value=word,
    )
