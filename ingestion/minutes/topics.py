"""What a segment is about, from its own words alone: a title line, what is announced, or its weighty words.

Every topic and keyword stands in the segment as it is written here. Nothing is made up, so there are no
synonyms.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from ingestion.minutes.metadata import LONGEST_TOPIC, MOST_KEYWORDS, Group
from ingestion.minutes.segmentation import Described
from ingestion.minutes.transcript import Paragraph
from ingestion.segmenter import Segmenter

_HAN = re.compile(r"[\u3400-\u9fff]")
_RUN = re.compile(r"(?P<han>[\u3400-\u9fff]+)|[A-Za-z][A-Za-z0-9+#.-]*[A-Za-z0-9]")
_SPOKEN = """
    的话 就是说 来说 来讲 来看 说白了 刚才 刚刚 哪个 哪里 什么样 怎么样 这边 那边 里边 里头 这块 那块 这种
    那种 一下 一点 使得 更好 更多 不够 很多 很好 一家 一台 一块 比方说 比如说 这么 那么 怎么 大概 其实 差不多
    对吧 是不是 有没有 好不好 能不能 为什么 第一 第二 第三 今天 昨天 明天 今年 去年 明年 各位 谢谢
    散会 哈哈 辛苦 打招呼 回头 算了 再说 怎么办 来不及 有的是 好多 看过 谈到
    参会 与会 列席 议题 议程 会议主题 会议记录 会议室 纪要 ok okay
"""
_FILLERS = frozenset(_SPOKEN.split())
_FIGURE = "零〇一二三四五六七八九十百千万亿两几半多"
_UNIT = "个号月年日天点分秒钟块钱元角条家份位次台张套遍期周倍折级层楼度页种项件岁成底初末以左右人步批"
_EMPTY_WORD = re.compile(  # amounts, days, pointing words, 行不行, 没有……: of any topic, so of none
    rf"百分之.*|(?:第|上|下|大|小|好|周|星期|礼拜)?[{_FIGURE}][{_FIGURE}{_UNIT}]*"
    r"|[这那哪每某].{1,2}|本[次周月年]|[上下](?:个月|个?礼拜|周|星期|午).*|[今明昨前后]年.*|[上下里外前后]面"
    r"|.*(.)不\1.*|不(?!动产|锈|良).*|没.*|.*不了|https?|(?:GMT|UTC).*",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?://\S+|[A-Za-z0-9._+-]{1,64}@[A-Za-z0-9-]{1,64}\.[A-Za-z0-9.-]{1,64}")
_FORMAL = re.compile(  # headings of a record's form
    r"(?:本次)?(?:会议)?(?:议题|议程|参会|与会|出席|列席|缺席|主持|记录|时间|地点|主题|纪要)"
    r".{0,3}|(?:会议)?(?:待办|附件|内容|结论|决议).{0,3}|负责人"
)
_TITLE = re.compile(
    r"^\s*(?:#{1,6}\s*)?(?:[【\[]\s*)?(?:第[一二三四五六七八九十\d]+[项个]?)?(?:议题|议程|主题|事项|话题)"
    r"[一二三四五六七八九十\d]*\s*(?:[】\]]\s*[:：]?|[:：、.．\s-])\s*(?P<title>\S.*)$"
    r"|^\s*#{1,6}\s+(?P<heading>\S.*)$"
    r"|^\s*[（(]?[一二三四五六七八九十]{1,3}[)）、.．]\s*(?P<listed>\S.*)$"
)
_ANNOUNCED = re.compile(
    r"(?:关于|讨论(?:一下|的是)|汇报一下|说一下|看一下|议题是|主题是)(?![一这那几我你他她它很的了得])"
    r"(?P<subject>[^，。；：！？,.;:!?\s]{3,15}?)"
    r"(?:的(?:问题|事情|情况|事|议题|内容)|这个|这件|[，。；：！？,.;:!?\s]|$)"
)
_ORDINAL = re.compile(r"^(?:[（(]?[一二三四五六七八九十\d]{1,3}[)）、.．:：]\s*)+")
_CLAUSE_END = re.compile(r"[，。；：！？,;:!?（(【\[\n|—–]|\s-|\s{2,}")
_TITLE_LENGTH = 40  # characters; a longer line is speech
_TITLE_LINES = 3  # a title stands among the first paragraphs of its segment, or it is none
_ANNOUNCING_LINES = 4
_COMMON = 0.5  # rarity (of jieba's frequencies) at or below which a word says nothing: 我们 可以 就是
_REPETITION = 0.75  # below 1: the tenth time adds less than the first
_RAREST = 0.65  # rarity above this adds nothing: names, foreign words and slips of recognition are all unseen
_OFTEN, _MOSTLY = 3, 0.6  # how often, and in what share of the first word's uses, two words make one
_PARTICLES = frozenset("的了过着在是地得也都就说")
_PREFIX = 60  # characters in which a speaker's prefix may stand
_LONGEST_WORD = 24  # characters; longer ones are identifiers and sums of random letters
_JOINT = "、"

Pair = tuple[str, str]


class LexicalTopics:
    """The `TopicFinder` without a model. `stopwords` are never keywords. Thread-safe."""

    def __init__(self, segmenter: Segmenter, stopwords: frozenset[str] = frozenset()) -> None:
        self._segmenter = segmenter
        self._unfit = stopwords | _FILLERS

    def describe(self, groups: Sequence[Group]) -> list[Described]:
        """One description a group: topic at most 15 characters, up to five keywords, most telling first.

        Fewer than three keywords where the group has no more words that say something. Flagged only where
        there is not one letter, addresses aside, to make a topic of.
        """
        names = frozenset(paragraph.speaker for group in groups for paragraph in group if paragraph.speaker)
        runs = [[run for paragraph in group for run in self._runs(said(paragraph))] for group in groups]
        terms = _compounds(run for group in runs for run in group)
        counts = [self._counts(group, terms, names) for group in runs]
        spread = Counter(word for words in counts for word in words)
        return [
            self._described(group, self._weights(words, spread, len(groups)))
            for group, words in zip(groups, counts, strict=True)
        ]

    def _described(self, group: Group, weights: Mapping[str, float]) -> Described:
        keywords = tuple(_telling(weights))
        spoken = [text for paragraph in group if (text := said(paragraph).strip())]
        topic = (
            _title(spoken[:_TITLE_LINES])
            or _announced(spoken[:_ANNOUNCING_LINES], keywords)
            or _joined(keywords)
            or next((shown for text in spoken if (shown := _clause(text))), "")
        )
        return Described(topic, keywords, flagged=not topic)

    def _runs(self, text: str) -> Iterator[list[str]]:
        """The words of each run of Chinese characters, and of each foreign word."""
        for run in _RUN.finditer(text):
            yield self._segmenter.words(run.group()) if run["han"] else [run.group()]

    def _counts(
        self, runs: Iterable[Sequence[str]], terms: frozenset[Pair], names: frozenset[str]
    ) -> Counter[str]:
        words = Counter(word for run in runs for word in _joined_up(run, terms))
        return Counter({word: count for word, count in words.items() if self._fit(word, names)})

    def _fit(self, word: str, names: frozenset[str]) -> bool:
        listed = word in names or word.lower() in self._unfit
        return 1 < len(word) <= _LONGEST_WORD and not listed and _EMPTY_WORD.fullmatch(word) is None

    def _weights(self, words: Counter[str], spread: Counter[str], groups: int) -> dict[str, float]:
        """Count x how few groups have the word x how seldom it is in the language at large."""
        weights: dict[str, float] = {}
        for word, count in words.items():
            rarity = min(self._rarity(word), _RAREST)
            if rarity > _COMMON:
                weights[word] = count**_REPETITION * math.log(1 + groups / spread[word]) * rarity
        return weights

    def _rarity(self, word: str) -> float:
        """That of its rarest part: a compound is in no dictionary, which makes it no rarer."""
        parts = [part for part in self._segmenter.words(word) if len(part) > 1] if _HAN.match(word) else []
        return max(map(self._segmenter.rarity, parts), default=1.0)


def said(paragraph: Paragraph) -> str:
    """A paragraph without the prefix that names who speaks and when, and without addresses."""
    text = paragraph.text
    for mark in (paragraph.speaker, paragraph.time):
        at = text.find(mark, 0, _PREFIX) if mark else -1
        if at >= 0 and not re.search(r"[，。；！？]", text[:at]):
            text = text[at + len(mark) :].lstrip("()（）[]【】:： \t\u3000")
    return _ADDRESS.sub(" ", text)


def _compounds(runs: Iterable[Sequence[str]]) -> frozenset[Pair]:
    """Neighbours that this meeting uses as one word, though the dictionary has only the parts: 区块 + 链."""
    words: Counter[str] = Counter()
    pairs: Counter[Pair] = Counter()
    for run in runs:
        words.update(run)
        pairs.update(pairwise(run))
    return frozenset(
        (first, second)
        for (first, second), count in pairs.items()
        if count >= _OFTEN and count >= _MOSTLY * words[first] and len(first) > 1
        if second not in _PARTICLES and (len(second) == 1 or count >= _MOSTLY * words[second])
    )


def _joined_up(run: Sequence[str], terms: frozenset[Pair]) -> Iterator[str]:
    at = 0
    while at < len(run):
        fused = tuple(run[at : at + 2]) in terms
        yield run[at] + run[at + 1] if fused else run[at]
        at += 2 if fused else 1


def _telling(weights: Mapping[str, float]) -> Iterator[str]:
    """The weightiest words, none of which is a part of another."""
    chosen: list[str] = []
    for word in sorted(weights, key=lambda each: (-weights[each], -len(each), each)):
        if not any(word in other or other in word for other in chosen):
            chosen.append(word)
            yield word
        if len(chosen) == MOST_KEYWORDS:
            return


def _title(texts: Sequence[str]) -> str:
    """From 「议题二：……」 or 「三、……」, where one of the first lines is no more than a title."""
    for text in texts:
        found = _TITLE.match(text) if len(text) <= _TITLE_LENGTH else None
        title = _clause(found["title"] or found["heading"] or found["listed"]) if found else ""
        if title and not _FORMAL.fullmatch(title):
            return title
    return ""


def _announced(texts: Sequence[str], keywords: Sequence[str]) -> str:
    """From 「下面讨论一下……」, where what is announced holds a keyword."""
    for text in texts:
        for found in _ANNOUNCED.finditer(text):
            subject = _clause(found["subject"])
            if subject and any(word in subject for word in keywords):
                return subject
    return ""


def _joined(keywords: Sequence[str]) -> str:
    topic = ""
    for word in keywords[:3]:
        longer = f"{topic}{_JOINT}{word}" if topic else word
        if len(longer) <= LONGEST_TOPIC:
            topic = longer
    return topic


def _clause(text: str) -> str:
    """The first clause that holds a letter, without its number, at most as long as a topic may be."""
    rest = _ORDINAL.sub("", text.strip()).strip("#*|【】[]《》 　")
    for clause in _CLAUSE_END.split(rest):
        shown = clause.strip("#*|【】[]《》“”\"' 　")
        if any(sign.isalnum() for sign in shown):
            return shown[:LONGEST_TOPIC].rstrip()
    return ""
