"""What a question is read as, how utterances are parted, chosen and told, without a search."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service import bootstrap
from service.access import LOCAL
from service.citations import RefusalReason
from service.config import ASSETS
from service.errors import Unavailable
from service.minutes.answers import Quote, Shift, Told
from service.minutes.choosing import LONGEST, Chosen
from service.minutes.people import People
from service.minutes.roster import Person, Roster
from service.minutes.sought import MinutesQuestion, Sought, seek
from service.minutes.streaming import citation
from service.minutes.telling import refusal_message, tell
from service.minutes.utterances import Heard
from service.minutes.weighing import load_asking
from service.minutes.wordings import load_wordings
from tests.service.minutes.asked import (
    MEETINGS,
    SAID,
    SECRET,
    TODAY,
    ask,
    filled,
    meeting,
    opened,
    take,
    texts,
)

MODEL = ASSETS / "data" / "minutes_model"
WORDINGS = load_wordings(MODEL / "asking.toml")
ROSTER = Roster((Person("张启明", "张启明", ("张总",), "总经理", "公司领导"),))
PEOPLE = People.of(ROSTER, ["张总", "罗婉"])


def sought(text: str, speaker: str = "", first: date | None = None) -> Sought:
    return seek(MinutesQuestion(text, speaker, first), PEOPLE, WORDINGS, TODAY)


def quote(n: int = 1, text: str = "不降。", day: date | None = date(2025, 3, 4)) -> Quote:
    where = ("d", "r", "定价会", day, "a.txt", 1, "价", 3, "")
    return Quote(n, *where, "张启明", "张总", text, 9, 9 + len(text), 1.0)


@given(st.text(min_size=1, max_size=60))
@settings(deadline=None)
def test_a_topic_is_never_empty_where_the_question_is_not(text: str) -> None:
    assert not text.strip() or sought(text).topic or not sought(text).text.strip()


def test_words_for_persons_and_time_are_no_topic() -> None:
    read = sought("去年张总怎么看藤椅降价")
    assert read.persons == ("张启明",) and "张" not in read.topic and "去年" not in read.topic
    assert "藤椅降价" in read.topic
    assert (read.understood.first, read.understood.last) == (date(2024, 1, 1), date(2024, 12, 31))


def test_what_the_caller_says_wins_over_the_words() -> None:
    read = sought("去年张总怎么看藤椅降价", "罗婉", date(2025, 5, 1))
    assert (read.persons, read.as_speaker) == (("罗婉",), "罗婉")
    assert (read.understood.first, read.understood.last) == (date(2025, 5, 1), None)


@pytest.mark.parametrize("speaker", ["王总", "张总的秘书", "😀", "老王"])
def test_a_named_speaker_is_somebody_or_unknown_never_everybody(speaker: str) -> None:
    read = sought("藤椅降价", speaker)
    assert read.unknown and not read.persons and not read.as_speaker


@pytest.mark.parametrize(
    ("text", "told"), [("张总的看法有变化吗", "change"), ("最后定了吗", "decided"), ("藤椅多少把", "")]
)
def test_how_an_answer_must_look_is_read(text: str, told: str) -> None:
    read = sought(text)
    assert (read.change, read.decided) == (told == "change", told == "decided")


def test_every_quote_is_told_with_day_meeting_person_and_number() -> None:
    chosen = Chosen((quote(), quote(2, "降一成。", None)), Told.SAID, ())
    lines = tell(sought("藤椅降价"), chosen).splitlines()
    assert lines[1:] == [
        "2025-03-04《定价会》张启明：“不降。”[1]",
        "日期不明《定价会》张启明：“降一成。”[2]",
    ]


def test_a_shift_names_both_quotes_and_none_is_told_as_none() -> None:
    quotes = (quote(), quote(2, "降一成。", date(2025, 6, 10)))
    asked = sought("张总的看法有变化吗")
    told = tell(asked, Chosen(quotes, Told.CHANGE, (Shift("张启明", 1, 2),)))
    assert told.endswith("张启明的说法在 2025-06-10 与 2025-03-04 不同：[1]→[2]。")
    assert "看不出说法变了" in tell(asked, Chosen(quotes, Told.CHANGE, ()))


def test_a_refusal_says_whom_when_and_whom_to_ask() -> None:
    said = refusal_message(RefusalReason.BELOW_THRESHOLD, sought("去年张总怎么看藤椅"), "李姐")
    assert "张启明" in said and "去年" in said and "李姐" in said
    said = refusal_message(RefusalReason.NOTHING_FOUND, sought("王总怎么看藤椅"), "")
    assert "王总" in said and "可以问" not in said


def test_a_citation_opens_at_the_quotes_place() -> None:
    made = citation(quote())
    assert (made.anchor.char_start, made.anchor.char_end, made.anchor.paragraph) == (9, 12, 3)
    assert (made.n, made.quote, made.document_name, made.verified) == (1, "不降。", "定价会", True)
    assert made.heading_path == ("2025-03-04", "价", "张启明")
    assert citation(replace(quote(), day=None, speaker="")).heading_path == ("价",)


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    with opened(tmp_path_factory.mktemp("telling")) as built:
        yield filled(built)


def test_every_utterance_is_one_voices_words_in_order(parts: bootstrap.Parts) -> None:
    for line in parts.meetings.lines(LOCAL):
        heard = Heard(parts.meetings.get(LOCAL, line.document.id), ("张启明", "张总"))
        for person in SAID:
            labels = {person, "张总"} if person == "张启明" else {person}
            words = [each.text.strip() for each in heard.utterances if each.label in labels]
            said = [text for text in SAID[person] if text in MEETINGS[line.file_name]]
            assert words == said
        places = [(each.start, each.end) for each in heard.utterances]
        assert places == sorted(places)
        assert [each.place for each in heard.utterances] == list(range(len(places)))
        for each in heard.utterances:
            around = heard.around(each)
            assert around.own in around.near and around.near in around.wide
    assert SECRET in {line.file_name for line in parts.meetings.lines(LOCAL)}


def test_damaged_wordings_and_weights_are_named(tmp_path: Path) -> None:
    (tmp_path / "asking.toml").write_text('scaffold = ["("]', encoding="utf-8")
    with pytest.raises(Unavailable, match=r"asking\.toml"):
        load_wordings(tmp_path / "asking.toml")
    with pytest.raises(Unavailable):
        load_asking(tmp_path)


def test_of_a_long_speech_whole_sentences_about_the_topic_are_quoted(parts: bootstrap.Parts) -> None:
    others = "".join(f"第{n}个车间的地面要重新刷漆，下个月开始排。" for n in range(1, 21))
    speech = f"{others}屋顶的水箱漏了，水箱换成不锈钢的。{others}"
    name = "2025-12-01_车间会.txt"
    take(parts, meeting(name, f"车间会\n参会人：罗婉\n罗婉：{speech}\n罗婉：散会。\n"))
    (best, *_) = [each for each in ask(parts, "水箱换成什么", "罗婉").quotes if each.file_name == name]
    assert "水箱换成不锈钢的。" in best.text and best.text in speech
    assert len(best.text) <= LONGEST and best.text.endswith("。")


def test_what_was_said_twice_is_quoted_once(parts: bootstrap.Parts) -> None:
    words = "井盖会\n参会人：罗婉、曹敏\n罗婉：井盖下周换。\n曹敏：井盖，下周换！\n罗婉：井盖的钱谁出？\n"
    take(parts, meeting("2025-12-02_井盖会.txt", words))
    found = [text for text in texts(ask(parts, "井盖下周换")) if "下周换" in text]
    assert found == ["井盖下周换。"]


@pytest.mark.parametrize(("mark", "thing"), [("", "钢桶"), ("，", "瓷砖"), (" ", "铁门")])
def test_of_a_speech_without_full_stops_no_more_is_quoted_than_of_another(
    parts: bootstrap.Parts, mark: str, thing: str
) -> None:
    others = mark.join(["地面要重新刷漆我们再看一看"] * 400)
    speech = mark.join([others, f"{thing}换成新的", others])
    name = f"2025-12-03_{thing}会.txt"
    take(parts, meeting(name, f"{thing}会\n参会人：曹敏\n曹敏：{speech}\n曹敏：散会。\n"))
    (best, *_) = [each for each in ask(parts, f"{thing}换成什么", "曹敏").quotes if each.file_name == name]
    assert best.text in speech and thing in best.text and len(best.text) <= LONGEST
    stored = parts.meetings.get(LOCAL, best.document_id)
    assert stored.text[best.char_start : best.char_end] == best.text


def test_a_voice_that_a_machine_numbered_is_nobody_whose_position_changes(tmp_path: Path) -> None:
    words = {"01-05": "我反对石凳涂漆。", "02-05": "我同意石凳涂漆。"}
    with opened(tmp_path) as parts:
        for day, said in words.items():
            script = f"石凳会\n时间：2025年{day.replace('-', '月')}日\n\n发言人1 00:01\n{said}\n"
            take(parts, meeting(f"2025-{day}_石凳会.txt", script))
        answer = ask(parts, "石凳涂漆的看法有变化吗")
    assert {quote.speaker for quote in answer.quotes} == {"发言人1"}
    assert answer.shifts == (Shift("", 1, 2),)
    assert "发言人1的说法" not in answer.text and answer.text.endswith("[1]→[2]。")


@pytest.mark.parametrize("wrong", ["scaffold = []", 'scaffold = ["请问", ""]', 'scaffold = "请问"'])
def test_wordings_that_would_be_found_everywhere_are_refused(tmp_path: Path, wrong: str) -> None:
    whole = (MODEL / "asking.toml").read_text(encoding="utf-8")
    start, end = whole.index("scaffold = ["), whole.index("\n]\n") + 2
    path = tmp_path / "asking.toml"
    path.write_text(whole[:start] + wrong + whole[end:], encoding="utf-8")
    with pytest.raises(Unavailable, match=r"asking\.toml"):
        load_wordings(path)
