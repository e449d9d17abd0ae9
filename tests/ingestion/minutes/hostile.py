"""Two hundred transcripts nobody would write and every archive holds some of, from a seed."""

import random
from collections.abc import Callable, Iterator

SEED = 20260305
COUNT = 200
_WORDS = ["预算", "定价", "自研", "外包", "渠道", "交付", "客户", "合同", "测试", "招聘", "合规"]
_NAMES = ["张总", "李四", "王敏（财务）", "欧阳锋", "发言人1", "Grace Lee", "技术组"]
_INVISIBLE = "\u200b\u200c\u200d\ufeff\u2060\u200e"
_FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


def hostile_files(seed: int = SEED, count: int = COUNT) -> Iterator[tuple[str, bytes]]:
    """Names and bytes of `count` files, the same for the same seed; kinds take turns."""
    for number in range(count):
        kind = _KINDS[number % len(_KINDS)]
        draw = random.Random(seed * 1_000 + number)
        suffix, data = kind(draw)
        yield f"{number:03}_{kind.__name__.strip('_')}{suffix}", data


def _sentence(draw: random.Random) -> str:
    return "我们看一下" + "和".join(draw.choices(_WORDS, k=draw.randint(1, 6))) + draw.choice("。？！，")


def _turn(draw: random.Random) -> str:
    return f"{draw.choice(_NAMES)}{draw.choice('：:')}{_sentence(draw)}"


def _turns(draw: random.Random, most: int = 60) -> list[str]:
    return [_turn(draw) for _ in range(draw.randint(1, most))]


def _duplicates(draw: random.Random) -> tuple[str, bytes]:
    return ".txt", "\n".join([_turn(draw)] * draw.randint(2, 300)).encode()


def _enormous(draw: random.Random) -> tuple[str, bytes]:
    return ".txt", "".join(_sentence(draw) for _ in range(draw.randint(2_000, 20_000))).encode()


def _blank_only(draw: random.Random) -> tuple[str, bytes]:
    return ".txt", "".join(draw.choices(["\n", "\r\n", " ", "\t", "\u3000", "\u200b"], k=400)).encode()


def _invisible(draw: random.Random) -> tuple[str, bytes]:
    chars = list("\n".join(_turns(draw)) + _FAMILY)
    for _ in range(80):
        chars.insert(draw.randrange(len(chars)), draw.choice(_INVISIBLE))
    return ".txt", "".join(chars).encode()


def _no_speakers(draw: random.Random) -> tuple[str, bytes]:
    return ".md", "\n\n".join(_sentence(draw) for _ in range(40)).encode()


def _many(draw: random.Random) -> tuple[str, bytes]:
    size = 50_000 if draw.random() < 0.2 else 5_000
    return ".txt", "\n".join(f"{draw.choice(_NAMES)}：好{number}" for number in range(size)).encode()


def _mixed_encodings(draw: random.Random) -> tuple[str, bytes]:
    return ".txt", b"\r\n".join(turn.encode(draw.choice(["utf-8", "gb18030"])) for turn in _turns(draw))


def _surrogates(draw: random.Random) -> tuple[str, bytes]:
    if draw.random() < 0.5:
        halves = "\ud83d 半个\udc00".encode("utf-8", "surrogatepass")
        return ".txt", "\n".join(_turns(draw)).encode() + halves
    return ".json", b'[{"speaker": "\\ud800", "text": "\\udfff\\n\\u5f00\\u4f1a"}]'


def _carriage_returns(draw: random.Random) -> tuple[str, bytes]:
    return ".txt", "\r".join(_turns(draw)).encode(draw.choice(["utf-8-sig", "utf-16", "gb18030"]))


def _form_feeds(draw: random.Random) -> tuple[str, bytes]:
    return ".txt", "".join(turn + draw.choice("\f\v\x85\u2028\n") for turn in _turns(draw)).encode()


def _right_to_left(draw: random.Random) -> tuple[str, bytes]:
    lines = ["\u202bדן: שלום לכולם\u202c", "مريم: مرحبا\u200c بكم", "00:10 דן", "שלום", _turn(draw)]
    return ".txt", "\n".join(draw.choices(lines, k=50)).encode()


def _broken_cues(draw: random.Random) -> tuple[str, bytes]:
    parts = ["WEBVTT", "", "1", "00:00:01.000 --> 00:00:02.000 align:start", "<v 张三>你好</v>"]
    parts += ["NOTE 这句要留", "STYLE", "::cue {}", "-->", "00:00 -->", "<v >", "&lt;b&gt;", "3", _turn(draw)]
    return draw.choice([".vtt", ".srt"]), "\n".join(draw.choices(parts, k=80)).encode()


def _markdown_signs(draw: random.Random) -> tuple[str, bytes]:
    signs = ["# ", "## 议题", "**张总：**好", "|a|b|", "|---|:--|", "***", "```", "> - * x", "**", "|"]
    return ".md", "\n".join(draw.choices([*signs, _turn(draw)], k=80)).encode()


def _control_signs(draw: random.Random) -> tuple[str, bytes]:
    chars = list("\n".join(_turns(draw)))
    for _ in range(len(chars) // 100):
        chars.insert(draw.randrange(len(chars)), chr(draw.randrange(1, 32)))
    return ".txt", "".join(chars).encode() + bytes([0xFF, 0x80]) * draw.randint(0, 3)


def _colons(draw: random.Random) -> tuple[str, bytes]:
    signs = "：:[]()<v >00:00"
    lines = [signs[draw.randrange(9) :] * draw.randint(1, 900) for _ in range(20)]
    return ".txt", "\n".join(lines).encode()


_KINDS: tuple[Callable[[random.Random], tuple[str, bytes]], ...] = (
    _duplicates,
    _enormous,
    _blank_only,
    _invisible,
    _no_speakers,
    _many,
    _mixed_encodings,
    _surrogates,
    _carriage_returns,
    _form_feeds,
    _right_to_left,
    _broken_cues,
    _markdown_signs,
    _control_signs,
    _colons,
)
