"""Names a sentence mentions: people, places, organisations, roles, quoted titles, foreign words."""

import re
import threading
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from ingestion.analyzer import fold
from ingestion.segmenter import default_cache_folder

if TYPE_CHECKING:
    from jieba import posseg

_BUILDING = threading.Lock()
_QUOTED = re.compile(r"《([^《》]{1,60})》|“([^“”]{2,40})”|「([^「」]{2,40})」")
_PEOPLE = frozenset({"nr", "nrt", "nrfg"})
_TAGS = _PEOPLE | {"nt", "ns", "nz"}
_FOREIGN = re.compile(r"(?<![a-z0-9@._/-])[a-z]{2,}(?![a-z0-9@._/-])")
_UNIT = re.compile(r"(?:gb|mb|tb|kb|kg|km|cm|mm|app|ok)$")
_OFFICE = re.compile(
    r"(?:(?![全内外总干大局各本该由经报向到在由和与及或])[一-鿿]){2}"
    r"(?:部(?![门分署件位])|处(?![理置分罚于])|科(?![研学技])|局(?!部)|室(?![内外])|中心|委员会|公司|办公会|服务台|小组)"
)
_ROLE = re.compile(
    r"(?:(?:副?总|部门|[一-鿿]{2}部)经理|分管(?:副总经理|领导)|董事长|总监|主任|保管人|负责人|联络员|管理员|专员|接待人)"
)

_SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林郑谢罗梁宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭"
    "陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤温康施文牛樊葛邢安齐易乔"
)
"""The first characters that make a tagged word a person's name; the tagger alone takes 盖章 for one."""
_OFFICER = re.compile(
    rf"(?:部|室|岗|经理|主任|[管专]员)([{_SURNAMES}][一-鿿]{{1,2}}?)(?=负责|保管|审批|办理|登记|[,，。、；;\s]|$)"
)
_GENERIC = ("部门", "人员", "单位", "公司", "负责人")
_DOER = re.compile(
    r"(?<![理自事])由(?![同其谁他她])([一-鿿]{2,8}?)(?:应当|统一|全额|另行|共同|分别|[应须需先再])?(?:承担|负担|负责|审批|批准|审核|保管|支付|办理|签字"
    r"|组织|实施|提供|处理|牵头|缴纳|报销|垫付|决定|登记|监督)"
)


def names(text: str) -> tuple[str, ...]:
    """As they stand in `text`, each once, the quoted ones first."""
    return tuple(dict.fromkeys((*_quoted(text), *_tagged(text), *_formal(fold(text)))))


def roles(folded: str) -> tuple[str, ...]:
    """Who acts, by office: what a rule names in place of a person."""
    return tuple(dict.fromkeys(_ROLE.findall(folded)))


@lru_cache(maxsize=4096)
def acts(actor: str, folded: str) -> bool:
    """Whether `folded` names `actor`; 分管副总经理 is not 总经理."""
    return actor in roles(folded) if _ROLE.fullmatch(actor) else actor in folded


def actors(folded: str) -> tuple[str, ...]:
    """People, offices and roles: whom a sentence is about, in a form that can be told apart."""
    people = (word for word in _tagged(folded, _PEOPLE) if word[0] in _SURNAMES and len(word) <= 4)
    officers = _OFFICER.findall(folded)
    return tuple(dict.fromkeys((*people, *officers, *_OFFICE.findall(folded), *roles(folded))))


def doers(folded: str) -> tuple[str, ...]:
    """Who does something by 「由…负责」, whatever it is called: 保安队, 值班人.

    Of the name its end is kept: 公司保安 and 保安 are one; 用人部门 and 使用部门 are two.
    """
    found = (who[-3:] if who.endswith(_GENERIC) else who[-2:] for who in _DOER.findall(folded))
    return tuple(dict.fromkeys(found))


def _quoted(text: str) -> Iterator[str]:
    yield from (part for groups in _QUOTED.findall(text) for part in groups if part)


def _tagged(text: str, tags: frozenset[str] = _TAGS) -> Iterator[str]:
    yield from (word.word for word in tagger().cut(text) if word.flag in tags and len(word.word) > 1)


def _formal(folded: str) -> Iterator[str]:
    yield from _OFFICE.findall(folded)
    yield from (word for word in _FOREIGN.findall(folded) if not _UNIT.match(word))


def tagger() -> "posseg.POSTokenizer":
    """jieba's part-of-speech tagger with a cache of this user's own; about a second to build, and not at the
    start: the offline engine never needs it. Built once, however many threads ask."""
    with _BUILDING:
        return _built()


@lru_cache(maxsize=1)
def _built() -> "posseg.POSTokenizer":
    import jieba
    from jieba import posseg

    folder = default_cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = jieba.Tokenizer()
    tokenizer.tmp_dir, tokenizer.cache_file = str(folder), "jieba.cache"
    tokenizer.initialize()
    return posseg.POSTokenizer(tokenizer)
