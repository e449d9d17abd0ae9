"""Whatever is asked: quotes are the record's own words, of whom and when was asked for, or there are none."""

from collections.abc import Iterator
from datetime import date
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service import bootstrap
from service.access import LOCAL
from service.citations import RefusalReason
from service.config import ASSETS, Settings
from service.evaluation.minutes_rows import archive_of
from service.minutes.answers import Told
from service.store.corrections import Description, Fact
from tests.ingestion.minutes.hostile import hostile_files
from tests.service.minutes.asked import (
    HIDDEN,
    MEETINGS,
    NEVER,
    READER,
    SAID,
    SECRET,
    ask,
    days_of,
    filled,
    holds,
    meeting,
    only,
    opened,
    take,
    texts,
)

WORDS = [
    *("藤椅", "降价", "仓库", "预算", "海报", "奖金", "定价", "张总", "曹经理", "罗婉", "怎么看", "说过什么"),
    *("三月", "去年", "后来", "变化", "定了吗", "多少", "谁", "发言人1", "？", "秦怀玉", "王总", "孙工"),
]
QUESTIONS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=8).map("".join)
DAYS = st.none() | st.dates(date(2025, 1, 1), date(2025, 12, 31))
SPEAKERS = ["", "张总", "张启明", "罗婉", "曹经理", "曹敏", "曹建业", "孙立", "王总", "发言人1", "秦怀玉"]


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    with opened(tmp_path_factory.mktemp("asking")) as built:
        yield filled(built)


@given(question=QUESTIONS, speaker=st.sampled_from(SPEAKERS), first=DAYS, last=DAYS)
@settings(max_examples=30, deadline=None)
def test_every_answer_holds_whatever_is_asked(
    parts: bootstrap.Parts, question: str, speaker: str, first: date | None, last: date | None
) -> None:
    answer = ask(parts, question, speaker, READER, first, last)
    holds(parts, answer)
    assert all(quote.file_name != SECRET for quote in answer.quotes)
    if speaker in SAID:
        assert only(speaker, texts(answer))
    if first or last:
        assert all(day and (first or day) <= day <= (last or day) for day in days_of(answer))


def test_a_questions_sentence_is_answered_by_who_said_it(parts: bootstrap.Parts) -> None:
    for person, sentences in SAID.items():
        found = texts(ask(parts, sentences[0], person))
        assert sentences[0] in found and only(person, found)


@pytest.mark.parametrize("named", ["张总", "张启明"])
@pytest.mark.parametrize("question", ["藤椅降价", "藤椅降价的预算", "藤椅降价分几批做", "藤椅降价的仓库"])
def test_a_speaker_is_quoted_alone_by_either_name(
    parts: bootstrap.Parts, named: str, question: str
) -> None:
    answer = ask(parts, question, named)
    assert answer.understood.as_speaker == "张启明"
    assert answer.quotes and only("张启明", texts(answer))
    assert {quote.speaker for quote in answer.quotes} == {"张启明"}


def test_who_is_addressed_answers_alone(parts: bootstrap.Parts) -> None:
    answer = ask(parts, "张总，藤椅降价您怎么看？")
    assert answer.understood.as_speaker == "张启明"
    assert answer.quotes and only("张启明", texts(answer))
    assert answer.text.startswith("张启明说过：")


def test_who_speaks_in_anothers_paragraph_is_not_taken_for_them(parts: bootstrap.Parts) -> None:
    for question in ("藤椅降价的预算再少多少", "藤椅降价分几批做"):
        for quote in ask(parts, question, "罗婉").quotes:
            assert only("罗婉", [quote.text])


def test_an_ambiguous_form_of_address_is_refused_and_names_both(parts: bootstrap.Parts) -> None:
    for answer in (ask(parts, "曹经理怎么看藤椅降价"), ask(parts, "藤椅降价", "曹经理")):
        assert answer.refusal is not None and answer.refusal.reason is RefusalReason.AMBIGUOUS
        assert "曹建业" in answer.text and "曹敏" in answer.text and not answer.quotes


def test_an_unknown_person_is_refused_by_name(parts: bootstrap.Parts) -> None:
    for answer in (ask(parts, "王总怎么看藤椅降价"), ask(parts, "藤椅降价", "王总")):
        assert answer.refusal is not None and "王总" in answer.text
        assert not answer.quotes and not answer.refusal.nearest


def test_who_never_spoke_is_refused(parts: bootstrap.Parts) -> None:
    """Of him alone others may tell: what 孙工 thinks is then a word of the topic, and is told as theirs."""
    for answer in (ask(parts, "孙工，藤椅降价您怎么看？"), ask(parts, "藤椅降价", "孙立")):
        assert answer.refusal is not None and not answer.quotes and not answer.refusal.nearest


def test_a_voice_without_a_name_is_quoted_alone(parts: bootstrap.Parts) -> None:
    answer = ask(parts, "藤椅降价的海报颜色", "发言人1")
    assert answer.quotes and only("发言人1", texts(answer))


def test_a_hidden_meeting_shows_nowhere(parts: bootstrap.Parts) -> None:
    for question in ("藤椅降价的奖金每人多少", "奖金名单", "秦怀玉怎么看奖金", "张总怎么看奖金"):
        answer = ask(parts, question, principal=READER)
        assert SECRET not in {each.file_name for each in answer.quotes}
        assert SECRET not in {each.file_name for each in answer.meetings}
        nearest = answer.refusal.nearest if answer.refusal else ()
        assert all("薪酬" not in each.document_name and "奖金" not in each.snippet for each in nearest)
    assert "秦怀玉" in parts.minutes.persons(LOCAL)
    assert "秦怀玉" not in parts.minutes.persons(READER)
    assert not parts.minutes.about_someone(READER, "秦怀玉怎么看奖金")


def test_days_bound_with_both_ends(parts: bootstrap.Parts) -> None:
    first, last = date(2025, 3, 4), date(2025, 6, 10)
    answer = ask(parts, "藤椅降价", first=first, last=last)
    assert set(days_of(answer)) == {first, last}
    assert not ask(parts, "藤椅降价", first=date(2025, 3, 5), last=date(2025, 6, 9)).quotes
    assert (answer.understood.first, answer.understood.last) == (first, last)


def test_compared_periods_leave_out_what_lies_between(parts: bootstrap.Parts) -> None:
    for words in ("生产跟不上", "预算再少四万元", "改主意了"):
        found = days_of(ask(parts, f"今年三月和九月的会上对藤椅降价{words}是怎么说的"))
        assert found and set(found) <= {date(2025, 3, 4), date(2025, 9, 2)}


def test_a_question_without_a_time_is_not_bounded(parts: bootstrap.Parts) -> None:
    answer = ask(parts, "藤椅降价有没有变化")
    assert answer.understood.first is None and answer.understood.last is None
    assert {date(2025, 3, 4), date(2025, 6, 10), date(2025, 9, 2)} <= set(days_of(answer))


def test_a_change_is_told_by_one_quote_for_each_meeting(parts: bootstrap.Parts) -> None:
    answer = ask(parts, "张总对藤椅降价的看法有变化吗")
    assert answer.told is Told.CHANGE
    assert len({quote.revision_id for quote in answer.quotes}) == len(answer.quotes) > 2
    holds(parts, answer)
    turn = next(shift for shift in answer.shifts if shift.before == 1)
    assert (turn.person, texts(answer)[turn.after - 1]) == ("张启明", "藤椅降价我改主意了，同意降一成。")


def test_a_refusal_shows_what_was_nearest_and_quotes_nothing(
    parts: bootstrap.Parts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parts.minutes, "_asking", NEVER)
    answer = ask(parts, "藤椅降价")
    assert answer.refusal is not None and answer.refusal.reason is RefusalReason.BELOW_THRESHOLD
    assert answer.quotes == () and len(answer.refusal.nearest) == 3 and answer.meetings


@pytest.mark.parametrize(
    "question", ["😀", "的吗呢", "？？？", "\x00", "\ud800", "a\x00藤椅\ud83d", "　", "藤椅降价" * 1_000]
)
def test_odd_questions_are_answered_or_refused(parts: bootstrap.Parts, question: str) -> None:
    for speaker in ("", "张总"):
        holds(parts, ask(parts, question, speaker))


@pytest.mark.parametrize("question", ["😀", "的吗呢", "？？？", "　", "0", "[1]", "２０２６"])
def test_a_question_without_a_word_to_look_for_is_refused(parts: bootstrap.Parts, question: str) -> None:
    answer = ask(parts, question)
    assert answer.refusal is not None and not answer.refusal.nearest


@pytest.mark.parametrize("question", ["藤椅降價我反對", "藤椅降价我反对", "Ｇ２００藤椅降价我反对"])
def test_script_and_width_make_no_difference(parts: bootstrap.Parts, question: str) -> None:
    assert "藤椅降价我反对，一分钱都不降。" in texts(ask(parts, question, "張總"))


def test_an_empty_archive_refuses(tmp_path: Path) -> None:
    with opened(tmp_path) as parts:
        for question, speaker in (("藤椅降价", ""), ("藤椅降价", "张总"), ("张总怎么看", ""), ("😀", "")):
            answer = ask(parts, question, speaker)
            assert answer.refusal is not None and not answer.quotes and not answer.meetings
        assert parts.minutes.persons(LOCAL) == ()


def test_a_corrected_title_and_readers_count_at_once(tmp_path: Path) -> None:
    name = "2025-06-10_复议会.txt"
    with opened(tmp_path) as parts:
        take(parts, meeting(name, MEETINGS[name]))
        (quote, *_) = ask(parts, "藤椅降价", principal=READER).quotes
        parts.library.describe(LOCAL, quote.document_id, Description({Fact.TITLE: "六月会"}))
        answer = ask(parts, "藤椅降价", principal=READER)
        assert {each.meeting for each in answer.quotes} == {"六月会"}
        assert {each.title for each in answer.meetings} == {"六月会"}
        parts.library.describe(LOCAL, quote.document_id, Description({}, labels=(HIDDEN,)))
        answer = ask(parts, "藤椅降价", principal=READER)
        assert not answer.quotes and not answer.meetings and not parts.minutes.persons(READER)
        assert ask(parts, "藤椅降价").quotes


def test_hostile_records_are_quoted_word_for_word(tmp_path: Path) -> None:
    with opened(tmp_path, roster="姓名,称呼,职务,部门\n") as parts:
        files = [each for each in islice(hostile_files(), 15) if len(each[1]) < 8_000]
        take(parts, *(meeting(name, data) for name, data in files))
        asked = [("预算和定价", ""), ("渠道", "张总"), ("合同", "李四"), ("招聘", "Grace Lee"), ("שלום", "")]
        for question, speaker in asked:
            answer = ask(parts, question, speaker)
            holds(parts, answer)
            assert not speaker or {quote.label for quote in answer.quotes} <= {speaker}
        quoted = {quote.file_name for question, _ in asked for quote in ask(parts, question).quotes}
        assert len(quoted) > 2


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    """Some of them, of all formats, with the shipped weights."""
    folder = tmp_path_factory.mktemp("samples")
    files = sorted((ASSETS / "data" / "minutes").glob("20*"))
    for path in (*files[::8], ASSETS / "data" / "minutes" / "people.csv"):
        (folder / path.name).write_bytes(path.read_bytes())
    with archive_of(folder, Settings(_env_file=None, ingest_workers=2)) as built:
        yield built


@given(data=st.data())
@settings(max_examples=12, deadline=None)
def test_samples_are_quoted_word_for_word(samples: bootstrap.Parts, data: st.DataObject) -> None:
    lines = samples.meetings.lines(LOCAL)
    line = data.draw(st.sampled_from(lines))
    said = samples.meetings.get(LOCAL, line.document.id).record.paragraphs
    text = samples.meetings.get(LOCAL, line.document.id).text
    some = data.draw(st.lists(st.sampled_from(said), min_size=1, max_size=2))
    question = "".join(text[each.words : each.words + 12] for each in some)
    speaker = data.draw(st.sampled_from(["", *samples.minutes.persons(LOCAL)]))
    answer = ask(samples, question, speaker)
    holds(samples, answer)
    assert not speaker or {quote.speaker for quote in answer.quotes} <= {speaker}
