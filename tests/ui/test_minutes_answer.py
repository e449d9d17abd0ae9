"""An answer from the archive as it is drawn: word for word, in order of time, or refused with a reason."""

from datetime import date

import pytest

from service.citations import Reference, Refusal, RefusalReason
from service.minutes.answers import MinutesAnswer, Quote, Shift, Told, Understood
from service.ui.minutes_answer import draw_answer
from tests.ui.drawn import drawing

ANYTHING = Understood()
HOSTILE = "</script><b onclick=alert(1)>不降</b>\u202e，{{7*7}}"


def quote(n: int, day: date | None, text: str, *, label: str = "张启明", outcome: str = "") -> Quote:
    return Quote(
        n=n,
        document_id=f"d{n}",
        revision_id=f"r{n}",
        meeting=f"第{n}次定价会",
        day=day,
        file_name="定价会.txt",
        segment=2,
        topic="网关定价",
        paragraph=12,
        time="00:12:03",
        speaker="张启明",
        label=label,
        text=text,
        char_start=100,
        char_end=100 + len(text),
        score=0.8,
        outcome=outcome,
    )


def answer(
    *quotes: Quote,
    told: Told = Told.SAID,
    understood: Understood = ANYTHING,
    shifts: tuple[Shift, ...] = (),
    refusal: Refusal | None = None,
    text: str = "",
) -> MinutesAnswer:
    return MinutesAnswer("问", understood, told, text, quotes, shifts, (), refusal, "offline")


FIRST = quote(1, date(2024, 12, 17), "一分钱都不降", label="张总")
LATER = quote(2, date(2025, 7, 8), "可以谈", outcome="decision")


def test_quotes_stand_word_for_word_in_the_order_given() -> None:
    undated = quote(3, None, HOSTILE, outcome="action")
    with drawing() as drawn:
        draw_answer(answer(FIRST, LATER, undated))
        assert drawn.texts("blockquote") == ["一分钱都不降", "可以谈", HOSTILE]
        assert drawn.texts("span", "quote-day") == ["2024年12月17日", "2025年7月8日", "日期不详"]
        assert drawn.texts("span", "quote-speaker")[0] == "张启明（记作「张总」）"
        assert {"决定", "待办"} <= set(drawn.texts("span", "tag"))


def test_a_quote_leads_to_its_characters_in_the_revision_it_was_read_from() -> None:
    with drawing() as drawn:
        draw_answer(answer(FIRST))
        assert drawn.properties("href", "a") == ["/app/minutes/d1?at=100-106&revision=r1"]


def test_a_changed_position_stands_before_and_after() -> None:
    with drawing() as drawn:
        draw_answer(answer(FIRST, LATER, told=Told.CHANGE, shifts=(Shift("张启明", 1, 2),)))
        assert drawn.texts("q") == ["一分钱都不降", "可以谈"]
        assert drawn.texts("span", "shift-name") == ["前", "→ 后"]


def test_where_no_change_was_found_that_is_told() -> None:
    with drawing() as drawn:
        draw_answer(answer(FIRST, LATER, told=Told.CHANGE))
        assert "从字面上看不出说法变了；请看原话。" in drawn.texts("p")
        assert drawn.texts("q") == []


def test_in_a_person_s_name_nothing_stands_that_is_no_quote() -> None:
    understood = Understood(persons=("张启明",), as_speaker="张启明")
    with drawing() as drawn:
        draw_answer(answer(FIRST, understood=understood, text="我认为将来一定会降价"))
        assert "张启明 说过" in drawn.texts("h2")
        assert "我认为将来一定会降价" not in drawn.all_text()
        assert drawn.texts("blockquote") == ["一分钱都不降"]


@pytest.mark.parametrize(
    ("understood", "told"),
    [
        (Understood(), ["时间：不限"]),
        (
            Understood(("张启明",), "", date(2025, 1, 1), date(2025, 12, 31), "去年"),
            ["时间：去年（2025年1月1日至2025年12月31日）", "人：张启明"],
        ),
        (Understood(first=date(2025, 1, 1)), ["时间：2025年1月1日起"]),
        (Understood(last=date(2025, 1, 1)), ["时间：到2025年1月1日"]),
        (Understood((), "李四"), ["时间：不限", "只用 李四 的原话"]),
    ],
    ids=["nothing", "a period and a person", "from a day", "until a day", "as somebody"],
)
def test_what_was_understood_is_always_told(understood: Understood, told: list[str]) -> None:
    with drawing() as drawn:
        draw_answer(answer(FIRST, understood=understood))
        shown = drawn.texts("span")
        assert [each for each in shown if each in told] == told


def test_a_refusal_tells_its_reason_and_what_was_nearest_and_quotes_nothing() -> None:
    nearest = Reference(
        1, "d9", "春游筹备会", "r9", "", None, None, "active", "c9", ("春游筹备会",), HOSTILE, 0.1
    )
    refusal = Refusal(RefusalReason.NOTHING_FOUND, "没有人说过火星。", (nearest,), "行政部 8001")
    with drawing() as drawn:
        draw_answer(answer(refusal=refusal, understood=Understood(as_speaker="张启明")))
        text = drawn.all_text()
        assert drawn.texts("blockquote") == []
        assert drawn.properties("href", "a") == ["/app/minutes/d9"]
    for said in ("不作答", "没有人说过火星。", "最接近的（没有采用）", HOSTILE, "可以问：行政部 8001"):
        assert said in text
    assert "张启明 说过" not in text
