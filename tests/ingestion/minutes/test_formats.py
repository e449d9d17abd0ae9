"""Each format of a transcript is read to its words, times and speakers; each encoding to its characters."""

import io
import json
import zipfile

import docx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msoffcrypto.format.ooxml import OOXMLFile

from ingestion.documents import FailureReason, FileState
from ingestion.errors import ParseFailure
from ingestion.minutes.agent import RunLog
from ingestion.minutes.formats import read
from ingestion.minutes.formats.decoding import decode
from ingestion.minutes.lines import Layout
from ingestion.minutes.preprocess import PreprocessAgent
from ingestion.minutes.transcript import Drop, Transcript
from tests.ingestion.parsers.word_files import paragraph, repacked, run, word_file

SPOKEN = "张总：今天先谈定价，再谈渠道。\n李四：好的，我准备了三页材料。\n张总：开始吧。"


def transcript(name: str, data: bytes) -> Transcript:
    raw = read(name, data)
    return PreprocessAgent(RunLog()).run(raw.text, raw.name, raw.layout)


def said(name: str, data: bytes) -> list[tuple[str, str, str]]:
    return [(p.speaker, p.time, p.text) for p in transcript(name, data).paragraphs]


ENCODINGS = ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le", "utf-16-be", "big5"]
TRADITIONAL = "主席：今天討論產品價格與通路。\n李經理：好的，開始。"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_encoding_is_told_by_the_bytes(encoding: str) -> None:
    text = SPOKEN if encoding != "big5" else TRADITIONAL
    assert decode(text.encode(encoding)).text == text


def test_lines_in_two_encodings_are_all_read_and_it_is_told() -> None:
    first, second, third = SPOKEN.split("\n")
    decoded = decode(b"\r\n".join([first.encode(), second.encode("gb18030"), third.encode()]))
    assert decoded.text == SPOKEN.replace("\n", "\r\n")
    assert decoded.findings == ("文件混用了 UTF-8 与 gb18030，已逐行识别",)


def test_undecodable_bytes_are_shown_and_told() -> None:
    decoded = decode(SPOKEN.encode() + b"\xff\xfe")
    assert decoded.text == SPOKEN + r"\xff\xfe"
    assert "2 处字节" in decoded.findings[0]


@given(text=st.text(st.characters(codec="utf-8"), max_size=200))
@settings(max_examples=200, deadline=None)
def test_utf8_with_a_mark_is_read_as_it_was_written(text: str) -> None:
    assert decode(text.encode("utf-8-sig")).text == text


@given(data=st.binary(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_bytes_are_decoded(data: bytes) -> None:
    assert decode(b"a" + data).text.encode()


def test_webvtt_gives_words_speakers_and_times() -> None:
    data = """WEBVTT - 定价会
Kind: captions

NOTE 本次会议由系统转写

NOTE Confidence: 0.91

STYLE
::cue { color: red }

1
00:00:01.000 --> 00:00:04.000 align:start
<v 张三>先看<c.blue>定价</c>。</v>
再看渠道。

00:00:05.500 --> 00:00:07.000
A &amp; B 都行
"""
    assert said("会.vtt", data.encode()) == [
        ("", "", "定价会"),
        ("", "", "本次会议由系统转写"),
        ("张三", "00:00:01", "<v 张三>先看定价。"),
        ("张三", "00:00:01", "再看渠道。"),
        ("", "00:00:05", "A & B 都行"),
    ]


def test_subrip_gives_words_speakers_and_times() -> None:
    cues = ["1", "00:00:01,000 --> 00:00:02,000", "张三：12 个", ""]
    cues += ["2", "00:00:03,000 --> 00:00:04,000", "李四：2026"]
    data = "\r\n".join(cues)
    expected = [("张三", "00:00:01", "张三：12 个"), ("李四", "00:00:03", "李四：2026")]
    assert said("a.srt", data.encode()) == expected
    assert said("a.txt", data.encode()) == expected


def test_a_number_that_was_said_is_no_cue_number() -> None:
    data = "1\n00:00:01,000 --> 00:00:02,000\n多少\n\n2\n00:00:03,000 --> 00:00:04,000\n1999\n"
    assert [text for _, _, text in said("a.srt", data.encode())] == ["多少", "1999"]


def test_markdown_signs_go_and_every_word_stays() -> None:
    data = """# 采购例会
## 议题
**张总：** 先看*合同*  
> - 引用的话
| 姓名 | 部门 |
|---|:--:|
| 李四 | 采购 |
***
```
# 代码里的井号
```
"""
    read_back = transcript("采购.md", data.encode())
    assert [p.text for p in read_back.paragraphs] == [
        "采购例会",
        "议题",
        "张总： 先看*合同*",
        "引用的话",
        "姓名 | 部门",
        "李四 | 采购",
        "# 代码里的井号",
    ]
    assert read_back.drops[Drop.MARKUP] > 0
    assert read_back.title == "采购例会"


def test_a_heading_ends_whoever_spoke() -> None:
    data = "张总：\n先看合同\n## 第二项\n正文".encode()
    assert [speaker for speaker, _, _ in said("a.md", data)] == ["张总", "张总", "", ""]


def test_word_paragraphs_and_cells_are_lines() -> None:
    document = docx.Document()
    document.add_paragraph("定价会")
    document.add_paragraph("张三 00:00:05").add_run().add_break()
    table = document.add_table(1, 2)
    table.cell(0, 0).text = "负责人"
    table.cell(0, 1).text = "李四\t王敏"
    document.sections[0].header.paragraphs[0].text = "内部资料"
    file = io.BytesIO()
    document.save(file)
    texts = [p.text for p in transcript("会.docx", file.getvalue()).paragraphs]
    assert texts == ["定价会", "张三 00:00:05", "负责人", "李四\t王敏", "内部资料"]


def test_text_boxes_are_read_once_and_deleted_or_moved_text_is_not() -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>框里的话</w:t></w:r></w:p></w:txbxContent>"
    shape = f"<mc:AlternateContent><mc:Choice Requires='wps'>{box}</mc:Choice>"
    shape += f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
    moved = "<w:r><w:t>换了地方的话</w:t></w:r>"
    body = f"<w:p><w:r><w:t>外面的话</w:t>{shape}</w:r></w:p>"
    body += f"<w:p><w:moveFrom w:id='1'>{moved}</w:moveFrom></w:p>"
    body += "<w:p><w:del w:id='2'><w:r><w:delText>删掉的话</w:delText></w:r></w:del></w:p>"
    body += "<w:p><w:ins w:id='3'><w:r><w:t>加上的话</w:t></w:r></w:ins>"
    body += f"<w:moveTo w:id='4'>{moved}</w:moveTo></w:p>"
    texts = [p.text for p in transcript("会.docx", word_file(body)).paragraphs]
    assert texts == ["外面的话", "框里的话", "加上的话换了地方的话"]


def test_json_utterances_keep_speaker_and_time() -> None:
    value = {
        "title": "定价会",
        "segments": [
            {"speaker": "张三", "start": 3.2, "text": "先看定价\n再看渠道", "lang": "zh"},
            {"speaker": "李四", "start": 65000000, "text": "好"},
            {"speaker": 2, "time": "00:02:00", "text": "行"},
        ],
    }
    expected = [
        ("", "", "定价会"),
        ("张三", "00:00:03", "先看定价"),
        ("张三", "00:00:03", "再看渠道"),
        ("李四", "18:03:20", "好"),
        ("2", "00:02:00", "行"),
    ]
    assert said("会.json", json.dumps(value).encode()) == expected
    assert said("会.json", json.dumps(value, ensure_ascii=False, indent=1).encode()) == expected


def test_json_lines_are_read_line_by_line() -> None:
    data = b'{"speaker": "A", "text": "one"}\n{"speaker": "B", "text": "two"}\n'
    assert [(speaker, text) for speaker, _, text in said("a.jsonl", data)] == [("A", "one"), ("B", "two")]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(["text", "speaker", "time"]) | st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(value=st.lists(JSON, max_size=4))
@settings(max_examples=200, deadline=None)
def test_the_account_of_any_json_is_exact(value: list[object]) -> None:
    text = json.dumps(value)
    read_back = PreprocessAgent(RunLog()).run(text, layout=Layout.JSON)
    assert read_back.kept_chars + sum(read_back.drops.values()) == read_back.raw_chars == len(text)
    assert all(count >= 0 for count in read_back.drops.values())


def test_a_text_that_repeats_its_segments_is_read_once() -> None:
    segments = [{"text": " 先看定价", "words": [{"word": "先看"}]}, {"text": "再看渠道"}]
    value = {"text": "先看定价再看渠道", "segments": segments, "language": "zh"}
    assert [text for _, _, text in said("a.json", json.dumps(value).encode())] == ["先看定价", "再看渠道"]


def test_what_a_repeated_name_in_json_said_first_is_not_lost() -> None:
    data = '{"speaker": "张总", "text": "先看定价", "speaker": "李四", "text": "再看渠道", "text": "散会"}'
    assert said("a.json", data.encode()) == [
        ("张总", "", "先看定价"),
        ("李四", "", "再看渠道"),
        ("", "", "散会"),
    ]


def test_binary_data_is_refused_as_no_text() -> None:
    with pytest.raises(ParseFailure) as raised:
        read("会.txt", bytes(range(256)) * 20)
    assert raised.value.reason is FailureReason.WRONG_TYPE


def test_broken_json_is_read_as_text_and_told() -> None:
    raw = read("a.json", '{"text": "开会'.encode())
    assert raw.layout is Layout.TEXT
    assert raw.findings == ("JSON 不完整或有误，已按纯文本读取",)


@pytest.mark.parametrize("parts", [1, 2_001], ids=["cut off", "of too many parts"])
def test_a_zip_that_cannot_be_opened_says_why(parts: int) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(parts):
            archive.writestr(f"{number}.txt", SPOKEN)
    data = packed.getvalue()[:-40] if parts == 1 else packed.getvalue()
    reason = FailureReason.CORRUPT if parts == 1 else FailureReason.TOO_LARGE
    with pytest.raises(ParseFailure) as raised:
        read("会议.zip", data)
    assert raised.value.reason is reason


def test_another_format_is_refused_with_a_way_out() -> None:
    with pytest.raises(ParseFailure, match="另存为") as raised:
        read("会.mp3", b"ID3")
    assert raised.value.reason is FailureReason.UNSUPPORTED
    assert raised.value.state is FileState.UNSUPPORTED


def test_a_damaged_word_file_is_a_failure_with_its_reason() -> None:
    with pytest.raises(ParseFailure) as raised:
        read("会.docx", b"PK\x03\x04rubbish")
    assert raised.value.reason is FailureReason.CORRUPT


def test_an_encrypted_word_file_opens_with_its_password_only() -> None:
    locked = io.BytesIO()
    OOXMLFile(io.BytesIO(word_file(paragraph(run("张总：先谈定价。"))))).encrypt("正确的密码", locked)
    for password in (None, "错误的密码"):
        with pytest.raises(ParseFailure, match="密码") as raised:
            read("会.docx", locked.getvalue(), password)
        assert raised.value.state is FileState.NEEDS_PASSWORD
    assert "张总：先谈定价。" in read("会.docx", locked.getvalue(), "正确的密码").text


def test_a_word_file_that_declares_entities_is_refused_and_not_read_without_them() -> None:
    declared = '<!DOCTYPE a [<!ENTITY b "没人看见的话">]><a>&b;</a>'
    with pytest.raises(ParseFailure) as raised:
        read("会.docx", repacked(word_file(paragraph(run("好。"))), {"word/comments.xml": declared}))
    assert raised.value.reason is FailureReason.UNSAFE
