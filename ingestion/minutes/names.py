"""What a name looks like, and the words that stand before a colon without being one (`speakers.toml`)."""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from ingestion.analyzer import simplify

_ROLE = re.compile(r"\s*[（(【\[](?:[^（）()【】\[\]]|[（(][^（）()【】\[\]]*[）)]){1,80}[）)】\]]\s*$")
_NUMBERED = re.compile(r"\s*#?\s*(?:\d{1,3}|[A-Za-z]|[一二三四五六七八九十]{1,2})$")
_HAN = re.compile(r"[\u3400-\u9fff\U00020000-\U000323af·]+")
_WORD = r"[A-ZÀ-Þ][A-Za-zÀ-ÿ'’.-]*"
_LATIN = re.compile(rf"{_WORD}(?:\s+(?:(?:de|van|von|der|of|the|and)\s+)?{_WORD}){{0,4}}")
_APART = re.compile(r"([\u3400-\u9fff])[ \t\u3000]+([\u3400-\u9fff])")
_NUMBERING = re.compile(r"^\s*(?:[（(]?[\d一二三四五六七八九十]{1,3}[)）、.．]|[-*•·])\s*")


@dataclass(frozen=True, slots=True)
class Words:
    """The lists of `speakers.toml`, lower case."""

    labels: frozenset[str]
    label_ends: tuple[str, ...]
    sections: tuple[str, ...]
    roles: frozenset[str]
    anonymous: tuple[str, ...]
    titles: tuple[str, ...]
    groups: tuple[str, ...]
    surnames: frozenset[str]
    compound_surnames: tuple[str, ...]


@lru_cache(maxsize=1)
def words() -> Words:
    """Raises KeyError or tomllib.TOMLDecodeError when someone broke the file."""
    table = tomllib.loads(files("ingestion.minutes").joinpath("speakers.toml").read_text(encoding="utf-8"))
    return Words(
        labels=frozenset(table["labels"]),
        label_ends=tuple(table["label_ends"]),
        sections=tuple(table["sections"]),
        roles=frozenset(table["roles"]),
        anonymous=tuple(table["anonymous"]),
        titles=tuple(table["titles"]),
        groups=tuple(table["groups"]),
        surnames=frozenset(table["surnames"]),
        compound_surnames=tuple(table["compound_surnames"]),
    )


def without_role(name: str) -> str:
    """王敏（财务） -> 王敏; so does 王　敏, set apart to be as wide as three characters."""
    shorter = _ROLE.sub("", name).strip() or name.strip()
    apart = _APART.fullmatch(shorter)
    return apart[1] + apart[2] if apart else shorter


@lru_cache(maxsize=4096)
def _as_listed(name: str) -> str:
    """In the characters of `speakers.toml`: 張總 -> 张总."""
    return simplify(name)


def is_label(name: str) -> bool:
    """Whether a word before a colon says what follows, not who speaks: 结论, 会议时间, Next steps."""
    word = _as_listed(_NUMBERING.sub("", without_role(name)).strip().lower())
    lists = words()
    if word in lists.labels:
        return True
    if word.isascii() or is_titled(word):
        return False
    if not is_group(word) and any(word[:size] in lists.labels for size in (2, 3)):  # 时间线, 关键词, 方案一
        return True
    ends = [end for end in lists.label_ends if word.endswith(end)]
    return any(len(end) > 1 for end in ends) or (bool(ends) and not is_chinese_name(word))  # 王有为 is a name


def is_section(name: str) -> bool:
    """Whether a label begins a part of the minutes, so that nobody goes on speaking behind it."""
    word = _as_listed(_NUMBERING.sub("", without_role(name)).strip().lower())
    return is_label(name) and (word.startswith(words().sections) or word.endswith(words().sections))


def is_role(name: str) -> bool:
    """主持人, 汇报人: someone when they speak, a label when a name follows."""
    return _as_listed(without_role(name).lower()) in words().roles


def is_anonymous(name: str) -> bool:
    """发言人1, 说话人 2, Speaker A: names a machine gives; always with a number or letter."""
    lowered = _as_listed(name.strip().lower())
    for word in words().anonymous:
        if lowered.startswith(word) and _NUMBERED.fullmatch(lowered[len(word) :]):
            return True
    return False


def is_titled(name: str) -> bool:
    """张总, 欧阳经理, 王建国主任; 老李 and 小王 too."""
    name = _as_listed(name)
    if len(name) == 2 and name[0] in "老小" and name[1] in words().surnames:
        return True
    for title in words().titles:
        stem = name.removesuffix(title)
        if stem != name and stem not in words().labels and (_is_surname(stem) or is_chinese_name(stem)):
            return True
    return False


def is_chinese_name(name: str) -> bool:
    """A surname with one or two more characters; a common word of that shape passes too."""
    if not _HAN.fullmatch(name):
        return False
    name = _as_listed(name)
    if name.startswith(words().compound_surnames):
        return 3 <= len(name) <= 4
    return 2 <= len(name) <= 3 and name[0] in words().surnames


def is_latin_name(name: str) -> bool:
    """One to five capitalised words."""
    return _LATIN.fullmatch(name) is not None


def is_group(name: str) -> bool:
    """财务部, 技术组, 甲方."""
    shaped = 2 <= len(name) <= 10 and _HAN.fullmatch(name) is not None
    return shaped and _as_listed(name).endswith(words().groups)


def _is_surname(stem: str) -> bool:
    return stem in words().surnames or stem in words().compound_surnames
