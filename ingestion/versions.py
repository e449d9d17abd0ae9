"""Which files are revisions of one document 版本关系. Decisions only; storing them is the caller's business.

Two files belong together when their normalised titles agree and their content overlaps. Titles alone do not
decide: every department has its 「工作总结」.
"""

import re
import unicodedata

SHINGLE = 8  # characters; short enough for reworded articles, long enough that office phrases differ
SAME_DOCUMENT = 0.3  # share of the shorter text's shingles found in the longer one

_BRACKETED = re.compile(r"[(\[【（][^()\[\]【】（）]{0,30}[)\]】）]")
_VERSION_WORDS = re.compile(
    r"(?:最终|修订|修正|更新|正式|发布|试行|暂行|征求意见|送审)[版稿]?|[vV]\s*\d+(?:\.\d+)*|第[一二三四五六七八九十\d]+版"
    r"|\d{4}\s*年?(?:\d{1,2}月)?(?:修订|修正)?版|(?:19|20)\d{2}\s*年?(?=$|[^\d月])|副本|copy",
    re.IGNORECASE,
)
_NOT_WORD = re.compile(r"[\W_]+")


def title_key(title: str) -> str:
    """A title without version marks, brackets, blanks and punctuation; empty when nothing is left."""
    folded = unicodedata.normalize("NFKC", title)
    bare = _VERSION_WORDS.sub("", _BRACKETED.sub("", folded))
    return _NOT_WORD.sub("", bare).casefold() or _NOT_WORD.sub("", folded).casefold()


def overlap(one: str, other: str) -> float:
    """Share of the shorter text's character shingles that the other holds, 0..1."""
    first, second = _shingles(one), _shingles(other)
    shorter = min(len(first), len(second))
    return len(first & second) / shorter if shorter else 0.0


def same_document(one: str, other: str) -> bool:
    """Whether two texts with equal `title_key` are revisions of one document."""
    return overlap(one, other) >= SAME_DOCUMENT


def _shingles(text: str) -> set[str]:
    flat = _NOT_WORD.sub("", text)
    return (
        {flat[start : start + SHINGLE] for start in range(max(1, len(flat) - SHINGLE + 1))} if flat else set()
    )
