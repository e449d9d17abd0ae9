"""Opposites 反义替换: one word of the source put in the place of its counterpart, all else left as it stands.

「开始后3日」 for 「开始前3日」, 「由员工承担」 for 「由公司承担」, 「经理和领导」 for 「经理或领导」.
Each is held against what stands beside it: only a source that has the counterpart there, and nowhere the
word, objects.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.knowledge.facts import facts

_SIDES = (("前", "后"), ("上", "下"), ("内", "外"))
_SIDE = re.compile(
    r"(?P<left>\w{2})(?P<word>之?前|之?后|以[前后上下内外]|[上下]限)"
    r"|(?<!\w)(?P<first>[事会课岗税]?[前后])(?=\w{2})"
)
_WORDS = (
    (("上限",), ("下限",)),
    (("最高",), ("最低",)),
    (("最多", "至多"), ("最少", "至少")),
    (("最早",), ("最晚", "最迟")),
    (("月初",), ("月底", "月末")),
    (("季初",), ("季末",)),
    (("年初",), ("年底", "年末")),
    (("上旬",), ("中旬",), ("下旬",)),
    (("上半年",), ("下半年",)),
    (("增加", "增长"), ("减少",)),
    (("提高", "上调", "上浮"), ("降低", "下调", "下浮")),
    (("税前",), ("税后",)),
    (("国内", "境内"), ("国外", "境外")),
    (("线上",), ("线下",)),
    (("免费", "不收费"), ("收费", "付费")),
    (("男员工", "男职工"), ("女员工", "女职工")),
)
"""Words of one kind that exclude each other, each with its synonyms."""
_MUST, _MAY = r"(?:必须|应当|应该|务必|[应须](?!用))", r"(?:可以|允许|可(?![能见行靠]))"
_MODALITY = re.compile(rf"(?:(?P<must>{_MUST})|(?P<may>{_MAY}))(?P<right>[一-鿿]{{2}})")

_EMPLOYER = ("公司", "单位", "企业")
_EMPLOYEE = ("员工", "职工", "个人", "本人", "自己")
_PARTIES = (
    _EMPLOYER,
    _EMPLOYEE,
    ("甲方",),
    ("乙方",),
    ("出租方", "出租人"),
    ("承租方", "承租人"),
    ("采购方", "买方"),
    ("供应商", "供货方", "卖方"),
    ("学校",),
    ("学生",),
    ("申请人",),
)
_PARTY = "|".join(word for side in _PARTIES for word in side)
_MODAL = r"(?:应当|应该|必须|需要|可以|自行|全额|统一|先行|另行|[应须需可先再各])*"
_ACT = re.compile(
    rf"(?P<party>{_PARTY})(?:{_PARTY})?{_MODAL}(?P<act>承担|负担|支付|缴纳|赔偿|补偿|出资|报销|垫付|提供|负责|保管|办理|申请|通知)"
)

_EITHER, _BOTH = ("或者", "或是", "或"), ("以及", "并且", "和", "与", "及", "、")
_JOINT = re.compile(rf"(?P<left>\w{{2}})(?P<word>{'|'.join((*_EITHER, *_BOTH))})(?P<right>\w{{2}})")
_ANY_OF_THEM = re.compile(r"都|均|皆|任[一选意何]|其[一中]|之一")
_AFTER_A_NUMBER = re.compile(r"(?:之|以)?(?P<word>[前后内])(?P<right>\w{2})")


@dataclass(frozen=True, slots=True)
class _Said:
    """A word of the answer, and the patterns by which a source holds it or its counterpart."""

    written: str
    held: str
    opposed: str


def opposed(answer: str, source: Sequence[str]) -> str:
    """The words of `answer` that the source has the opposite of; empty when there are none. Folded text."""
    text = "\n".join(source)
    for said in (*_sides(answer), *_words(answer), *_modalities(answer), *_parties(answer), *_joints(answer)):
        if re.search(said.opposed, text) and not re.search(said.held, text):
            return said.written
    return ""


def unconditioned(answer: str, source: Sequence[str]) -> str:
    """「满1年后可休」 told as 「入职后可休」: the number that is left out.

    The source has one before 后, 前 or 内 wherever the same words follow.
    """
    for found in _AFTER_A_NUMBER.finditer(answer):
        if any(fact.end == found.start() for fact in facts(answer)):
            continue
        wanted = re.compile(rf"(?:之|以)?{found['word']}{re.escape(found['right'])}")
        numbers = [_number_before(text, place.start()) for text in source for place in wanted.finditer(text)]
        if numbers and all(numbers):
            return numbers[0]
    return ""


def _number_before(text: str, place: int) -> str:
    return next((fact.written for fact in facts(text) if fact.end == place), "")


def _sides(answer: str) -> Iterator[_Said]:
    for found in _SIDE.finditer(answer):
        written = found["word"] or found["first"]
        left = re.escape(found["left"]) if found["left"] else r"(?<!\w)"
        for pair in _SIDES:
            for own, other in (pair, pair[::-1]):
                if own in written:
                    bare = written.removeprefix("之").removeprefix("以")
                    held = rf"{left}[之以]?{re.escape(bare)}"
                    yield _Said(found[0], held, rf"{left}[之以]?{re.escape(bare.replace(own, other))}")


def _words(answer: str) -> Iterator[_Said]:
    for group in _WORDS:
        for own in group:
            others = "|".join(word for other in group if other is not own for word in other)
            for word in own:
                if word in answer:
                    yield _Said(word, "|".join(own), others)


def _modalities(answer: str) -> Iterator[_Said]:
    """「可以提前申请」 for 「应当提前申请」, and the other way round."""
    for found in _MODALITY.finditer(answer):
        own, other = (_MUST, _MAY) if found["must"] else (_MAY, _MUST)
        right = re.escape(found["right"])
        yield _Said(found[0], rf"{own}\w{{0,4}}{right}", rf"{other}{right}")


def _parties(answer: str) -> Iterator[_Said]:
    """Who pays or does: each of the others that does it in the source, and its own synonyms that do."""
    for found in _ACT.finditer(answer):
        own = next(side for side in _PARTIES if found["party"] in side)
        others = [word for side in _PARTIES if side is not own for word in side]
        doing = rf"(?:(?!{'|'.join(others)})[^，,。；;\n]){{0,8}}{found['act']}"
        yield _Said(
            found[0],
            rf"(?:{'|'.join(own)}){doing}",
            rf"(?:{'|'.join(others)}){_MODAL}{found['act']}",
        )


def _joints(answer: str) -> Iterator[_Said]:
    if _ANY_OF_THEM.search(answer):
        return
    for found in _JOINT.finditer(answer):
        own, other = (_EITHER, _BOTH) if found["word"] in _EITHER else (_BOTH, _EITHER)
        left, right = re.escape(found["left"]), re.escape(found["right"])
        yield _Said(found[0], rf"{left}(?:{'|'.join(own)}){right}", rf"{left}(?:{'|'.join(other)}){right}")
