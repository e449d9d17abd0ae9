"""Checks one sentence of a model's answer against the passages it cites 核对.

Its citations exist; its numbers, dates, codes and names stand in what is cited; its words are mostly there.
What passes is bound to the sentence of the passage that supports it best.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import jieba
from jieba import posseg

from ingestion.analyzer import fold
from ingestion.literals import find_literals
from ingestion.segmenter import default_cache_folder
from service.retrieval.sentences import Span, sentences

NOT_COVERED = "已知资料中未覆盖该问题"
SUPPORTED = (
    0.4  # share of a sentence's character pairs that the cited text must hold; a fair paraphrase has .6
)

_MARK = re.compile(r"\[(\d{1,3})\]")
_LIST_MARK = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.、)）]|#{1,6})\s*")
_NAMED = re.compile(r"《([^《》]{1,60})》|“([^“”]{2,40})”|「([^「」]{2,40})」")
_WORD = re.compile(r"[\w]+")
_NAME_TAGS = frozenset({"nr", "nrt", "nrfg", "nt", "ns"})


@dataclass(frozen=True, slots=True)
class Passage:
    """What a number stands for: a chunk's text, with its headings as context that is never quoted."""

    text: str
    headings: str = ""


@dataclass(frozen=True, slots=True)
class Support:
    """The span of passage `n` that supports a sentence best."""

    n: int
    span: Span


@dataclass(frozen=True, slots=True)
class Verdict:
    """`problem` is empty when the sentence holds. `lead_in`: it says nothing by itself (「步骤如下：」)."""

    problem: str = ""
    supports: tuple[Support, ...] = ()
    lead_in: bool = False
    not_covered: bool = False


def verify(sentence: str, passages: Mapping[int, Passage]) -> Verdict:
    body = _LIST_MARK.sub("", _MARK.sub("", sentence)).strip()
    if not _WORD.search(body):
        return Verdict(lead_in=True)
    if NOT_COVERED in body:
        return Verdict(not_covered=True)
    numbers = tuple(dict.fromkeys(int(found) for found in _MARK.findall(sentence)))
    if not numbers:
        if body.endswith(("：", ":")) and not _facts(body):
            return Verdict(lead_in=True)
        return Verdict(problem=f"「{body}」没有注明依据的资料编号")
    unknown = [number for number in numbers if number not in passages]
    if unknown:
        return Verdict(problem=f"「{body}」引用了不存在的资料 {'、'.join(f'[{n}]' for n in unknown)}")
    cited = [passages[number] for number in numbers]
    missing = sorted(_facts(body) - _all_facts(cited)) + list(_missing_names(body, cited))
    if missing:
        return Verdict(problem=f"「{body}」中的 {'、'.join(missing)} 在所引资料里没有")
    if _share(body, "\n".join(fold(f"{p.headings}\n{p.text}") for p in cited)) < SUPPORTED:
        return Verdict(problem=f"「{body}」与所引资料的内容对不上")
    supports = (Support(number, best_span(body, passages[number].text)) for number in numbers)
    return Verdict(supports=tuple(supports))


def best_span(body: str, text: str) -> Span:
    """The sentence of `text` that shares most with `body`; the whole text when it has no sentence."""
    wanted = _pairs(fold(body))
    spans = list(sentences(text))
    if not spans:
        return Span(0, len(text))
    return max(spans, key=lambda s: (len(wanted & _pairs(fold(text[s.start : s.end]))), -s.start))


def _facts(text: str) -> frozenset[str]:
    return frozenset(found.normal for found in find_literals(fold(text)))


def _all_facts(passages: Iterable[Passage]) -> frozenset[str]:
    return frozenset().union(*(_passage_facts(p.headings, p.text) for p in passages))


@lru_cache(maxsize=256)
def _passage_facts(headings: str, text: str) -> frozenset[str]:
    return _facts(f"{headings}\n{text}")


def _missing_names(body: str, cited: Iterable[Passage]) -> Iterable[str]:
    source = fold("\n".join(f"{p.headings}\n{p.text}" for p in cited))
    quoted = [part for groups in _NAMED.findall(body) for part in groups if part]
    tagged = [word.word for word in _tagger().cut(body) if word.flag in _NAME_TAGS and len(word.word) > 1]
    return (name for name in dict.fromkeys((*quoted, *tagged)) if fold(name) not in source)


@lru_cache(maxsize=1)
def _tagger() -> "posseg.POSTokenizer":
    """jieba's part-of-speech tagger with a cache of this user's own; about a second to build."""
    folder = default_cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = jieba.Tokenizer()
    tokenizer.tmp_dir, tokenizer.cache_file = str(folder), "jieba.cache"
    return posseg.POSTokenizer(tokenizer)


def _share(body: str, source: str) -> float:
    pairs = _pairs(fold(body))
    return sum(pair in source for pair in pairs) / len(pairs) if pairs else 1.0


def _pairs(folded: str) -> set[str]:
    flat = "".join(_WORD.findall(folded))
    return {flat[i : i + 2] for i in range(len(flat) - 1)}
