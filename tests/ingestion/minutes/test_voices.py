"""Somebody may speak in the middle of a paragraph."""

from hypothesis import given
from hypothesis import strategies as st

from ingestion.minutes.voices import voices

NAMES = {"张总", "张总监", "李总"}


def said(text: str, speaker: str = "") -> list[tuple[str, str]]:
    return [(voice.speaker, text[voice.start : voice.end]) for voice in voices(text, speaker, NAMES)]


def test_a_known_name_before_a_colon_at_a_sentence_begins_anothers_words() -> None:
    text = "罗婉提出二十六万元。张总：再少四万。李总：同意。"
    assert said(text) == [("", "罗婉提出二十六万元。"), ("张总", "再少四万。"), ("李总", "同意。")]
    assert said("预算先不动。张总监：我去改。", "李总") == [("李总", "预算先不动。"), ("张总监", "我去改。")]


def test_a_sentence_may_end_with_a_quotation_or_trail_off() -> None:
    text = "他说“不降。”张总：降。（笑。）李总：好…张总：那就降。"
    words = [("", "他说“不降。”"), ("张总", "降。（笑。）"), ("李总", "好…"), ("张总", "那就降。")]
    assert said(text) == words


def test_a_name_within_a_sentence_or_an_unknown_one_begins_nothing() -> None:
    for text in ("我问过张总：他同意。", "先这样。结论：不涨价。", "先这样。王总：不涨价。", "3。2：1不算。"):
        assert said(text, "李总") == [("李总", text)]


@given(st.text("张总李监：。:! 去", max_size=60), st.sampled_from(["", "李总"]))
def test_voices_follow_one_another_within_the_text(text: str, speaker: str) -> None:
    found = voices(text, speaker, NAMES)
    places = [place for voice in found for place in (voice.start, voice.end)]
    assert places == sorted(places) and all(0 <= place <= len(text) for place in places)
    assert all(voice.speaker in {*NAMES, speaker} for voice in found)
    assert all(text[voice.start : voice.end].strip() for voice in found)


def test_without_names_everything_is_the_speakers() -> None:
    assert [voice.speaker for voice in voices("好。张总：行。", "李总", set())] == ["李总"]
