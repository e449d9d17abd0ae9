"""Meetings in the archive: taken in once, whole, found by who speaks, gone without a trace when deleted."""

import json
import os
from collections.abc import Iterator
from datetime import date
from itertools import islice
from pathlib import Path

import pytest

from ingestion.documents import READABLE, Kind, RevisionStatus
from ingestion.index.schema import Filter
from service import bootstrap
from service.access import LOCAL, Principal
from service.config import Settings
from service.errors import Conflict, NotFound
from service.home import Home
from service.incoming import MINUTES_BASE, Incoming
from service.intake import Taken
from service.meetings import SegmentationOut, shown
from service.retrieval.protocols import Question
from service.samples import load_meetings
from service.store.corrections import Belonging, Description, Fact, Revised
from tests.ingestion.minutes.hostile import hostile_files

TALK = """会议主题：仓库例会{number}
会议时间：2026-03-0{number}

张总：我们先看盘点差异，{words}的数目对不上。
李四：{words}少了三箱，是发货的时候没有扫码。
张总：那就这么定，李四负责下周五之前把{words}重新点一遍。
王敏：下一个议题，冷链车的班次。
李四：早班车改到七点，司机都同意。
"""


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bootstrap.Parts]:
    folder = tmp_path_factory.mktemp("archive") / "home"
    with Home(folder) as home:
        built = bootstrap.build(Settings(home=folder, ingest_workers=2, _env_file=None), home)
        yield built
        built.close()


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def take(
    parts: bootstrap.Parts, *paths: Path, base: str = MINUTES_BASE, labels: tuple[str, ...] | None = None
) -> list[Taken]:
    like = Incoming("", "", knowledge_base=base, kind=Kind.MINUTES, labels=labels)
    items = [Incoming.of_path(path, like) for path in paths]
    task = parts.tasks.create(LOCAL, "ingest", len(items))
    return parts.intake.run(LOCAL, task.id, items)


def document_of(taken: Taken) -> str:
    assert taken.record.document_id is not None, taken.record.message
    return taken.record.document_id


def found(parts: bootstrap.Parts, words: str, speaker: str | None = None) -> list[str]:
    """The texts of minutes that are found in force."""
    where = Filter(kinds=(Kind.MINUTES.value,), speakers=None if speaker is None else (speaker,))
    got = parts.retriever.retrieve(Question(words), None, day=date.today(), threshold=0.0, filters=where)
    return [evidence.chunk.text for evidence in got.evidence]


def json_of(parts: bootstrap.Parts, document_id: str) -> Path:
    return parts.settings.home / "minutes" / f"{document_id}.json"


def test_the_speakers_of_a_chunk_outlast_rebuilding_labels_and_status(
    parts: bootstrap.Parts, tmp_path: Path
) -> None:
    (taken,) = take(parts, write(tmp_path / "e.txt", TALK.format(number=7, words="藤条座椅")))
    revision_id = taken.record.revision_id or ""

    def spoken_by(name: str) -> bool:
        return any("藤条座椅" in text for text in found(parts, "藤条座椅少了", name))

    assert spoken_by("李四") and not spoken_by("赵六")
    parts.library.set_status(LOCAL, revision_id, RevisionStatus.ARCHIVED)
    assert not spoken_by("李四")
    parts.library.set_status(LOCAL, revision_id, RevisionStatus.ACTIVE)
    parts.library.describe(LOCAL, document_of(taken), Description({}, labels=("group:仓库",)))
    assert spoken_by("李四") and not spoken_by("赵六")
    parts.library.rebuild(LOCAL, parts.embedder, parts.encoder)
    assert spoken_by("李四") and not spoken_by("赵六")
    with pytest.raises(NotFound):
        parts.meetings.get(Principal("wang"), document_of(taken))


def test_a_changed_file_is_a_new_revision_and_the_former_is_not_found(
    parts: bootstrap.Parts, tmp_path: Path
) -> None:
    path = write(tmp_path / "a.txt", TALK.format(number=1, words="青花瓷碗"))
    (first,) = take(parts, path)
    assert any("青花瓷碗" in text for text in found(parts, "青花瓷碗少了"))
    write(path, TALK.format(number=1, words="紫檀茶盘"))
    (second,) = take(parts, path)
    assert document_of(second) == document_of(first)
    assert second.record.revision_id != first.record.revision_id
    assert not any("青花瓷碗" in text for text in found(parts, "青花瓷碗少了"))
    assert any("紫檀茶盘" in text for text in found(parts, "紫檀茶盘少了"))
    assert "紫檀茶盘" in json_of(parts, document_of(first)).read_text(encoding="utf-8")
    assert parts.meetings.get(LOCAL, document_of(first)).revision_id == second.record.revision_id


def test_the_same_record_elsewhere_is_the_same_meeting_until_it_is_changed(
    parts: bootstrap.Parts, tmp_path: Path
) -> None:
    text = TALK.format(number=2, words="铜质门牌")
    paths = [write(tmp_path / folder / "b.txt", text) for folder in ("甲", "乙", "丙")]
    taken = take(parts, paths[0]) + take(parts, *paths[1:])  # the first is what the others are copies of
    taken += take(parts, write(tmp_path / "丁" / "改了名.txt", text))
    assert len({document_of(one) for one in taken}) == 1
    assert taken[-1].record.report["meeting"] in [one.record.report["meeting"] for one in taken[:-1]]
    assert "同一份记录" in taken[-1].record.message
    assert all(one.unchanged for one in take(parts, *paths))
    (changed,) = take(parts, write(tmp_path / "乙" / "b.txt", TALK.format(number=3, words="搪瓷脸盆")))
    (before,) = take(parts, paths[0])
    others = {document_of(one) for one in take(parts, paths[0], paths[2])}
    assert document_of(changed) not in others and before.unchanged
    assert any("铜质门牌" in text for text in found(parts, "铜质门牌少了"))


def test_a_copy_of_what_its_original_no_longer_holds_is_a_meeting_of_its_own(
    parts: bootstrap.Parts, tmp_path: Path
) -> None:
    """最新纪要.txt is overwritten every week, and each is filed away under its day besides."""
    former = TALK.format(number=1, words="锡焊烙铁")
    latest, filed = tmp_path / "最新纪要.txt", tmp_path / "2026-03-01.txt"
    take(parts, write(latest, former))
    (copy,) = take(parts, write(filed, former))
    (revised,) = take(parts, write(latest, TALK.format(number=2, words="钨钢钻头")))
    assert document_of(revised) == document_of(copy)
    (alone,) = take(parts, filed)
    assert document_of(alone) != document_of(copy) and not alone.unchanged
    late = write(tmp_path / "补交.txt", former)
    assert [document_of(one) for one in take(parts, late, filed)] == [document_of(alone)] * 2
    for words in ("锡焊烙铁", "钨钢钻头"):
        assert any(words in text for text in found(parts, f"{words}少了"))
    assert all(one.unchanged for one in take(parts, latest, filed, late))


def test_a_file_that_was_only_touched_is_unchanged_and_one_of_the_same_size_is_not(
    parts: bootstrap.Parts, tmp_path: Path
) -> None:
    path = write(tmp_path / "f.txt", TALK.format(number=8, words="白铁水桶"))
    (first,) = take(parts, path)
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert [one.unchanged for one in take(parts, path) + take(parts, path)] == [True, True]
    write(path, TALK.format(number=8, words="黑陶水缸"))
    (second,) = take(parts, path)
    assert not second.unchanged and second.record.size == first.record.size
    assert any("黑陶水缸" in text for text in found(parts, "黑陶水缸少了"))


def test_other_readers_are_no_unchanged_file(parts: bootstrap.Parts, tmp_path: Path) -> None:
    path = write(tmp_path / "g.txt", TALK.format(number=9, words="松木货架"))
    (first,) = take(parts, path)
    (second,) = take(parts, path, labels=("group:仓库",))
    assert not second.unchanged and document_of(second) == document_of(first)
    assert parts.meetings.get(LOCAL, document_of(first)).document.labels == ("group:仓库",)
    (third,) = take(parts, path, labels=("group:仓库",))
    assert third.unchanged


def test_two_meetings_of_one_title_stay_two_however_alike(parts: bootstrap.Parts, tmp_path: Path) -> None:
    one = TALK.format(number=4, words="竹编提篮")
    taken = take(parts, write(tmp_path / "1.txt", one), write(tmp_path / "2.txt", one + "张总：散会。\n"))
    assert len({document_of(each) for each in taken}) == 2


RULE = "# 雨具借用办法\n\n第一条 雨具借用三天，自2025年1月1日起施行。\n"
REPEALING = """雨具借用办法（征求意见稿）
2026年1月5日
张总：本办法自2026年1月1日起施行，《雨具借用办法》同时废止。
"""


def test_words_in_a_meeting_make_no_draft_and_repeal_nothing(parts: bootstrap.Parts, tmp_path: Path) -> None:
    rule = write(tmp_path / "雨具借用办法.md", RULE)
    item = Incoming.of_path(rule, Incoming("", "", knowledge_base="rules"))
    task = parts.tasks.create(LOCAL, "ingest", 1)
    (ruled,) = parts.intake.run(LOCAL, task.id, [item])
    (meeting,) = take(parts, write(tmp_path / "m.txt", REPEALING), base="rules")
    assert document_of(meeting) != document_of(ruled)
    for one in (ruled, meeting):
        stored = parts.documents.get(LOCAL, document_of(one)).current.revision
        assert stored.status is RevisionStatus.ACTIVE and stored.effective_to is None
    with pytest.raises(Conflict):
        belongs = Belonging(document_of(ruled))
        parts.library.revise(LOCAL, meeting.record.revision_id or "", Revised(belongs=belongs))


def test_a_deleted_meeting_leaves_no_row_no_point_and_no_file(
    parts: bootstrap.Parts, tmp_path: Path
) -> None:
    path = write(tmp_path / "c.txt", TALK.format(number=5, words="石膏模型"))
    (taken,) = take(parts, path)
    chunks = {chunk.id for chunk in parts.documents.section(LOCAL, taken.record.revision_id or "", 0, 99)}
    assert chunks and chunks <= parts.index.ids()
    parts.library.delete_document(LOCAL, document_of(taken))
    with pytest.raises(NotFound):
        parts.meetings.get(LOCAL, document_of(taken))
    assert parts.meetings.records([taken.record.revision_id or ""]) == {}
    assert chunks.isdisjoint(parts.index.ids())
    assert not json_of(parts, document_of(taken)).exists()
    (again,) = take(parts, path)
    assert not again.unchanged and json_of(parts, document_of(again)).exists()


def test_a_json_file_that_went_missing_is_written_again(parts: bootstrap.Parts, tmp_path: Path) -> None:
    path = write(tmp_path / "d.txt", TALK.format(number=6, words="玻璃花瓶"))
    (taken,) = take(parts, path)
    written = json_of(parts, document_of(taken))
    before = written.read_bytes()
    written.unlink()
    assert take(parts, path)[0].unchanged and written.read_bytes() == before
    written.unlink()
    left_over = written.with_name("00000000-0000-5000-8000-000000000000.json")
    left_over.write_text("{}", encoding="utf-8")
    parts.library.recover()
    assert written.read_bytes() == before and not left_over.exists()


def test_a_death_before_the_json_file_is_written_is_made_up_for_at_the_start(
    parts: bootstrap.Parts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "h.txt", TALK.format(number=1, words="粗陶花盆"))
    (taken,) = take(parts, path)
    written = json_of(parts, document_of(taken))

    def die(step: str) -> None:
        if step == "published":
            raise KeyboardInterrupt

    monkeypatch.setattr(parts.library, "_reached", die)
    with pytest.raises(KeyboardInterrupt):
        take(parts, write(path, TALK.format(number=1, words="细瓷花盆")))
    monkeypatch.undo()
    assert "粗陶花盆" in written.read_text(encoding="utf-8")
    parts.library.recover()
    assert "细瓷花盆" in written.read_text(encoding="utf-8")


def test_a_json_file_that_cannot_be_written_leaves_none_of_before(
    parts: bootstrap.Parts, tmp_path: Path
) -> None:
    (taken,) = take(parts, write(tmp_path / "i.txt", TALK.format(number=1, words="藤编果篮")))
    written = json_of(parts, document_of(taken))
    in_the_way = written.with_suffix(".part")
    in_the_way.mkdir()
    parts.library.describe(LOCAL, document_of(taken), Description({Fact.TITLE: "果篮会"}))
    assert not written.exists()
    in_the_way.rmdir()
    parts.library.recover()
    assert json.loads(written.read_text(encoding="utf-8"))["meeting"]["title"] == "果篮会"


def test_a_meeting_whose_only_record_is_moved_leaves_no_json_file(
    parts: bootstrap.Parts, tmp_path: Path
) -> None:
    first, second = (TALK.format(number=1, words=words) for words in ("乌木算盘", "麻纸账簿"))
    (kept, moved) = take(parts, write(tmp_path / "j.txt", first), write(tmp_path / "k.txt", second))
    belongs = Belonging(document_of(kept))
    parts.library.revise(LOCAL, moved.record.revision_id or "", Revised(belongs=belongs))
    assert json_of(parts, document_of(kept)).exists() and not json_of(parts, document_of(moved)).exists()


@pytest.mark.parametrize(
    ("name", "text", "state", "reason"),
    [
        ("README.md", "# 说明\n\n张总：你好。\n", "unsupported", "unsupported"),
        ("人员.csv", "姓名,称呼\n张三,张总\n", "unsupported", "unsupported"),
        ("空.txt", "\n \u200b\n", "failed", "empty"),
        ("package.json", json.dumps({"name": "demo", "version": "1.0"}), "failed", "wrong_type"),
        ("会议.pdf", "%PDF-1.4", "unsupported", "unsupported"),
    ],
)
def test_what_is_no_record_of_a_meeting_is_told_and_not_published(
    parts: bootstrap.Parts, tmp_path: Path, name: str, text: str, state: str, reason: str
) -> None:
    before = parts.documents.totals()
    (taken,) = take(parts, write(tmp_path / name, text))
    assert (taken.record.state, taken.record.reason) == (state, reason)
    assert taken.record.message and taken.record.document_id is None
    assert parts.documents.totals() == before


def test_hostile_files_lose_nothing_on_the_whole_way(parts: bootstrap.Parts, tmp_path: Path) -> None:
    paths = []
    for name, data in islice(hostile_files(count=60), 0, 60, 6):
        paths.append(tmp_path / name)
        paths[-1].write_bytes(data)
    for one in take(parts, *paths):
        if one.record.state not in READABLE:
            assert (one.record.reason, one.record.document_id) == ("empty", None), one.record.message
            continue
        meeting = parts.meetings.get(LOCAL, document_of(one))
        assert meeting.record.completeness.passed
        kept = sum(said.end - said.start for said in meeting.record.paragraphs)
        assert kept + sum(meeting.record.drops.values()) == meeting.record.raw_chars
        chunks = parts.documents.section(LOCAL, meeting.revision_id, 0, 100_000)
        assert "".join("".join(chunk.text.split()) for chunk in chunks) == "".join(meeting.text.split())


def test_all_samples_come_in_whole_and_a_second_time_nothing_happens(parts: bootstrap.Parts) -> None:
    first = load_meetings(parts)
    assert len(first) == 32 and all(one.published and not one.unchanged for one in first)
    for one in first:
        meeting = parts.meetings.get(LOCAL, document_of(one))
        record = meeting.record
        assert record.completeness.passed and record.completeness.char_diff == 0
        assert len(record.segments) > 1
        assert meeting.document.meeting_date == record.day is not None
        assert "\n".join(meeting.text[said.start : said.end] for said in record.paragraphs) == meeting.text
        assert all(said.start <= said.words <= said.end for said in record.paragraphs)
        written = SegmentationOut.model_validate_json(json_of(parts, document_of(one)).read_bytes())
        assert written == shown(record, meeting.text)
    version = parts.catalogue.snapshot().version
    assert all(one.unchanged for one in load_meetings(parts))
    assert parts.catalogue.snapshot().version == version
    dates = [line.document.meeting_date for line in parts.meetings.lines(LOCAL)]
    assert dates == sorted(dates, key=lambda day: day or date.min, reverse=True)
