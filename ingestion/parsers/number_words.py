"""A number in one of Word's number formats: 三, iv, ②, 贰, 甲. Formats nobody uses fall back to digits."""

from collections.abc import Callable

_DIGITS = "零一二三四五六七八九"
_LEGAL_DIGITS = "零壹贰叁肆伍陆柒捌玖"
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def written(count: int, number_format: str) -> str:
    """`count` in the format `w:numFmt` names; out of a format's range, and unknown, as decimal digits."""
    write = FORMATS.get(number_format)
    return (write(count) if write and count > 0 else "") or str(count)


def chinese(count: int, digits: str = _DIGITS, units: str = "十百千") -> str:
    """1..9999 as counted: 十二, 二十, 一百零三."""
    if not 0 < count < 10_000:
        return ""
    words: list[str] = []
    for place, digit in enumerate(reversed(str(count))):
        if digit == "0":
            words.append(digits[0] if words and words[-1] not in ("", digits[0]) else "")
        else:
            words.append(digits[int(digit)] + (units[place - 1] if place else ""))
    text = "".join(reversed(words))
    opens_with_ten = 10 <= count < 20 and digits is _DIGITS
    return text[1:] if opens_with_ten else text


def _roman(count: int) -> str:
    if count >= 4000:
        return ""
    text = ""
    for worth, letters in _ROMAN:
        text += letters * (count // worth)
        count %= worth
    return text


def _letters(count: int) -> str:
    """A..Z, AA, BB: Word repeats the letter."""
    return chr(ord("A") + (count - 1) % 26) * ((count - 1) // 26 + 1) if count <= 26 * 30 else ""


def _from(first: str, size: int) -> Callable[[int], str]:
    return lambda count: chr(ord(first) + count - 1) if count <= size else ""


def _circled(count: int) -> str:
    if count <= 20:
        return chr(ord("①") + count - 1)
    if count <= 35:
        return chr(ord("㉑") + count - 21)
    return chr(ord("㊱") + count - 36) if count <= 50 else ""


def _cycled(signs: str) -> Callable[[int], str]:
    return lambda count: signs[(count - 1) % len(signs)]


def _digit_by_digit(count: int) -> str:
    return "".join("〇一二三四五六七八九"[int(digit)] for digit in str(count))


FORMATS: dict[str, Callable[[int], str]] = {
    "decimalZero": lambda count: f"{count:02d}",
    "upperRoman": _roman,
    "lowerRoman": lambda count: _roman(count).lower(),
    "upperLetter": _letters,
    "lowerLetter": lambda count: _letters(count).lower(),
    **dict.fromkeys(
        (
            "chineseCounting",
            "chineseCountingThousand",
            "taiwaneseCounting",
            "taiwaneseCountingThousand",
            "japaneseCounting",
        ),
        chinese,
    ),
    **dict.fromkeys(
        ("chineseLegalSimplified", "ideographLegalTraditional", "japaneseLegal"),
        lambda count: chinese(count, _LEGAL_DIGITS, "拾佰仟"),
    ),
    **dict.fromkeys(("ideographDigital", "taiwaneseDigital", "japaneseDigitalTenThousand"), _digit_by_digit),
    "ideographTraditional": _cycled(_STEMS),
    "ideographZodiac": _cycled(_BRANCHES),
    **dict.fromkeys(("decimalEnclosedCircle", "decimalEnclosedCircleChinese"), _circled),
    "decimalEnclosedParen": _from("⑴", 20),
    "decimalEnclosedFullstop": _from("⒈", 20),
    "ideographEnclosedCircle": _from("㊀", 10),
    "decimalFullWidth": lambda count: "".join(chr(ord(digit) + 0xFEE0) for digit in str(count)),
}
