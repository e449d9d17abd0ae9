"""Whether two questions ask the same thing 同问判定, so that one answer may serve both.

Nearness of meaning alone cannot tell: with the built-in embedding a negated question scores .97 and another
amount .91. So a question is taken apart into what is asked (intent), its literals, bounds, negations, names
and remaining words; two questions are the same only when every part agrees. A doubt means no.
"""

import csv
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pypinyin import Style, lazy_pinyin

from ingestion.analyzer import Analyzer, fold
from ingestion.literals import Literal, LiteralKind, find_literals, parse_number

EQUIVALENTS = "equivalents.csv"  # in the folder of terms


class Intent(StrEnum):
    """What is asked about the subject."""

    AMOUNT = "amount"
    HOW_LONG = "how_long"
    WHEN = "when"
    HOW_MANY = "how_many"
    WHO = "who"
    WHERE = "where"
    MATERIALS = "materials"
    HOW = "how"
    WHY = "why"
    WHETHER = "whether"
    DEFINITION = "definition"
    WHICH = "which"
    NONE = "none"


class Bound(StrEnum):
    OVER = "over"
    UP_TO = "up_to"
    FROM = "from"
    UNDER = "under"
    BEFORE = "before"
    AFTER = "after"


# Earlier ones win; what they match says nothing more about the subject.
_INTENTS: tuple[tuple[Intent, re.Pattern[str]], ...] = (
    (Intent.WHY, re.compile(r"为什么|为何|为啥|什么原因|咋回事|怎么回事")),
    (
        Intent.AMOUNT,
        re.compile(
            r"(?:是|要|花|得|收|交|付|给|能报|可以报)?(?:多少|几)(?:块钱|块|钱|元)"
            r"|(?:金额|费用|价格|标准|额度|比例|限额)(?:是|为|有)?多少"
            r"|什么价格?|多少(?=费|$|[?？])|(?:标准|比例|额度|金额|限额)$"
        ),
    ),
    (
        Intent.HOW_LONG,
        re.compile(r"多久|多长时间|(?:多少|几)个?(?:工作日|自然日|天|日|周|星期|月|年|小时|分钟)"),
    ),
    (
        Intent.WHEN,
        re.compile(
            r"什么时候|啥时候|什么时间|何时|哪[一]?[天日年]|几月几[日号]|几(?:点钟?|号|月)|哪个月|时间是"
        ),
    ),
    (Intent.WHERE, re.compile(r"在?哪里|在?哪儿|什么地方|何处|(?:到|去|在)哪(?=[^个些位])")),
    (
        Intent.WHO,
        re.compile(r"(?:找|由|归|要|联系|问|跟)?(?:谁|哪位|什么人|哪个人|哪个部门|什么部门|哪些部门)(?:来)?"),
    ),
    (
        Intent.MATERIALS,
        re.compile(
            r"(?:需要|要|得)?(?:准备|提交|提供|交|带|附)?(?:哪些|什么|啥)(?:材料|资料|单据|凭证|证明|文件|手续费单)"
        ),
    ),
    (
        Intent.HOW,
        re.compile(
            r"(?:应该|应当|要|该)?(?:怎么|怎样|如何|咋)(?:样|去|来)?(?:办理|办|弄|操作|做)?|(?:办理)?(?:的)?(?:流程|手续|步骤|程序)"
            r"(?:是|有)?(?:什么|怎样的?|哪些|啥)?|走(?:什么|哪些)(?:流程|程序)"
        ),
    ),
    (Intent.DEFINITION, re.compile(r"(?:什么|啥)是|是(?:什么|啥)意思|指的?是(?:什么|啥)|(?:什么|啥)叫")),
    (Intent.HOW_MANY, re.compile(r"多少个?|几[个次台件份家名位种页条张套辆间层人]|有几")),
    (Intent.WHICH, re.compile(r"哪些|哪[个种类几]|什么|啥")),
    (
        Intent.WHETHER,
        re.compile(
            r"能不能|可不可以|是不是|要不要|会不会|有没有|用不用|需不需要|得不得|可否|能否|是否|吗|么(?=$|[?？])"
        ),
    ),
)
_BOUNDS: tuple[tuple[Bound, re.Pattern[str]], ...] = (
    (Bound.UP_TO, re.compile(r"不得?超过|不超出|不高于|不多于|至多|最多|最高|最长|以内|之内|上限|封顶")),
    (Bound.FROM, re.compile(r"不得?低于|不少于|不小于|至少|最少|最低|起码|以上|下限|满(?=\d)")),
    (Bound.UNDER, re.compile(r"以下|低于|少于|小于|不满|不足|不到")),
    (Bound.OVER, re.compile(r"超过|超出|高于|大于|多于|超(?=\d)")),
    (Bound.BEFORE, re.compile(r"之前|以前|事前|(?<![提当目从以之])前(?![台往])|提前")),
    (Bound.AFTER, re.compile(r"之后|以后|事后|(?<![今以之])后(?![勤台])")),
)
_NEGATION = re.compile(
    r"不得|不能|不可以?|不予|不必|不用|不需要?|不准|不许|不让|禁止|严禁|没有|没|未|无需|无须|不|别"
)
_NOT_NEGATION = re.compile(r"不同|不但|不仅|不论|不动产|无线|无论")
_POLITE = re.compile(
    r"请问|您好|你好|麻烦|谢谢|劳驾|请教|想(?:问|了解|咨询|知道)|咨询|打听|帮我|帮忙|查一?下|看一?下|告诉我|告知"
    r"|问一?下|各位|大家|一下|看看"
)
_WHETHER = re.compile(r"(?P<first>[\u3400-\u9fff])[不没](?P=first)|[了过]?没有?(?=$|[?？])")
_TITLE = re.compile(r"《([^《》]{1,60})》")
_PARTY = re.compile(
    r"甲方|乙方|公司|单位|员工|职工|供应商|客户|总部|分公司|部门|领导|经理|我们|我|对方|本人|他人|个人"
)
_PERSONAL = re.compile(r"(?<!帮)(?:我|本人)(?!们?(?:公司|单位|司|想|要|在|来|是))")
_LETTERS = re.compile(r"\w+")
_WEEKDAY = re.compile(r"(?:星期|礼拜|周)([一二三四五六日天])")
_CLOCK = re.compile(
    r"(?P<part>凌晨|早上|上午|中午|下午|傍晚|晚上)?\s?"
    r"(?:(?P<h>\d{1,2})[::](?P<m>\d{2})|(?P<hour>\d{1,2}|[零一二两三四五六七八九十]{1,3})点(?:钟|整)?(?P<half>半)?)"
)
_NOON, _MIDNIGHT = 12, 24
_YEAR_MONTH = re.compile(r"(?<!\d)((?:19|20)\d\d)[-/.](\d{1,2})(?![-/.\d])")
_CHANGES_NOTHING = """
    我 我们 咱们 公司 单位 员工 职工 本人 个人 的话 时候 现在 目前 一般 具体 到底 究竟 规定 要求
    情况 相关 有关 应该 应当 应 需要 需 须 必须 要 得 可以 可 能 能够 会 该 想 是 有 为 这个 那个
    关于 对于 大概 大约 左右 一个 进行 办理 申请人 呢 吧 啊 呀 嘛 哈 了 的 地 和 与 及 或 在 里 中
    内 时 上 下 就 都 还 也 又 才 再 先 给 把 让 用 拿 按 按照 根据 一 个 次 人 费用 钱 元
"""
_LIGHT = frozenset(_CHANGES_NOTHING.split())
_ORDERED = 8  # words, from which the order must be kept, as in a statement: who did what to whom
_DIRECTED = re.compile(r"[由向往对给比被让把将]|从(?!哪|几|什么)|到(?!期|底|场|岗)|转(?:入|出|给|到)")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question taken apart; equal parts in every field but the order of `words` mean the same question."""

    intent: Intent
    literals: tuple[str, ...]
    bounds: tuple[Bound, ...]
    negations: int
    names: tuple[str, ...]
    parties: tuple[str, ...]  # who to whom, when two are named
    personal: bool
    words: tuple[str, ...]
    directed: bool
    text: str  # the letters of the question, folded
    alone: frozenset[str]  # characters that are part of no longer word

    @property
    def facts(self) -> tuple[object, ...]:
        """What must be equal whatever the words are."""
        return (
            self.intent,
            self.literals,
            self.bounds,
            self.negations,
            self.names,
            self.parties,
            self.personal,
        )


class Reader:
    """Takes questions apart with the deployment's vocabulary; `equivalents` maps a word to its standard."""

    def __init__(self, analyzer: Analyzer, equivalents: Mapping[str, str]) -> None:
        self._analyzer = analyzer
        self._letters = {word: standard for word, standard in equivalents.items() if len(word) == 1}
        longer = sorted((word for word in equivalents if len(word) > 1), key=len, reverse=True)
        self._longer = re.compile("|".join(map(re.escape, longer)) or r"(?!)")
        self._equivalents = equivalents

    def revised(self, analyzer: Analyzer, equivalents: Mapping[str, str] | None = None) -> "Reader":
        """One that reads by this vocabulary; None keeps the equivalents."""
        return Reader(analyzer, self._equivalents if equivalents is None else equivalents)

    def read(self, question: str) -> Asked:
        text = _POLITE.sub("", fold(question))
        names = tuple(sorted(_TITLE.findall(text)))
        times, text = _take_times(text)
        literals = list(find_literals(text))
        parties = tuple(_PARTY.findall(text))
        whether, rest = _take_whether(_without(text, literals))
        bounds, rest = _take_bounds(rest)
        intent, rest = _take_intent(rest)
        plain = _NOT_NEGATION.sub(" ", rest)
        return Asked(
            intent=Intent.WHETHER if whether and intent is Intent.NONE else intent,
            literals=(*(_value(found) for found in literals), *times),
            bounds=bounds,
            negations=len(_NEGATION.findall(plain)),
            names=names,
            parties=parties if len(set(parties)) > 1 else (),
            personal=bool(_PERSONAL.search(text)),
            words=self._words(_NEGATION.sub(" ", rest)),
            directed=bool(_DIRECTED.search(rest)),
            text="".join(_LETTERS.findall(text)),
            alone=self._alone(text),
        )

    def _alone(self, text: str) -> frozenset[str]:
        longer = [token for token in self._analyzer.tokens(text) if len(token) > 1]
        return frozenset(c for c in text if not any(c in token for token in longer))

    def _words(self, text: str) -> tuple[str, ...]:
        standard = self._longer.sub(lambda match: self._equivalents[match.group()], text)
        tokens = (self._letters.get(token, token) for token in self._analyzer.tokens(standard))
        spread = (part for token in tokens for part in self._analyzer.tokens(token))
        return tuple(dict.fromkeys(token for token in spread if token not in _LIGHT and token != "0"))


def load_equivalents(path: Path) -> dict[str, str]:
    """Every word of a group to the first of it; a deployment without the file has none."""
    if not path.is_file():
        return {}
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    groups = [[fold(cell.strip()) for cell in row if cell.strip()] for row in csv.reader(lines)]
    return {word: group[0] for group in groups for word in group[1:]}


def same(one: Asked, other: Asked) -> bool:
    """Whether one answer may serve both; the caller also asks for nearness of meaning."""
    if one.facts != other.facts or not (one.words or one.literals or one.names):
        return False
    if _misspelt(one, other):
        return True
    if set(one.words) != set(other.words):
        return False
    directed = one.directed or other.directed or len(one.words) >= _ORDERED
    return one.words == other.words or (one.intent is not Intent.NONE and not directed)


def _without(text: str, literals: Iterable[Literal]) -> str:
    pieces, position = [], 0
    for found in literals:
        pieces.append(text[position : found.start])
        position = found.end
    return " 0 ".join([*pieces, text[position:]])


def _value(found: Literal) -> str:
    """A sum with or without its 元 is one value."""
    if found.kind in (LiteralKind.QUANTITY, LiteralKind.NUMBER):
        return found.normal.removesuffix("元")
    return found.normal


def _misspelt(one: Asked, other: Asked) -> bool:
    """One character of one sound for another (合同, 和同), which stands in no word of the dictionary."""
    if len(one.text) != len(other.text):
        return False
    unlike = [(a, b) for a, b in zip(one.text, other.text, strict=True) if a != b]
    if len(unlike) != 1:
        return False
    ((left, right),) = unlike
    broken = left in one.alone or right in other.alone
    return broken and lazy_pinyin(left, style=Style.NORMAL) == lazy_pinyin(right, style=Style.NORMAL)


def _take_times(text: str) -> tuple[list[str], str]:
    """Weekdays and times of day in one form, and the text without them."""
    found = []

    def weekday(match: re.Match[str]) -> str:
        found.append("周" + match[1].replace("天", "日"))
        return " "

    def clock(match: re.Match[str]) -> str:
        hour = parse_number(match["h"] or match["hour"])
        if hour is None or hour >= _MIDNIGHT:
            return match.group()
        minute = match["m"] or ("30" if match["half"] else "00")
        late = match["part"] in ("下午", "傍晚", "晚上") and hour < _NOON
        found.append(f"{int(hour) + _NOON * late:02d}:{minute}")
        return " "

    text = _YEAR_MONTH.sub(r"\1年\2月", text).replace("半个小时", "30分钟").replace("半小时", "30分钟")
    return found, _CLOCK.sub(clock, _WEEKDAY.sub(weekday, text))


def _take_whether(text: str) -> tuple[bool, str]:
    """发了没有, 供不供应: neither is a negation."""
    rest = _WHETHER.sub(lambda match: match["first"] or " ", text)
    return rest != text, rest


def _take_bounds(text: str) -> tuple[tuple[Bound, ...], str]:
    found = []
    for bound, pattern in _BOUNDS:
        text, count = pattern.subn(" ", text)
        found += [bound] * min(count, 1)
    return tuple(sorted(found)), text


def _take_intent(text: str) -> tuple[Intent, str]:
    for intent, pattern in _INTENTS:
        match = pattern.search(text)
        if match:
            rest = text[: match.start()] + " " + text[match.end() :]
            return intent, _INTENTS[-1][1].sub(" ", rest)
    return Intent.NONE, text
