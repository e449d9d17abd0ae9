"""Any number of small office files in nine formats, each with a text of its own and a fact to ask for."""

import io
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path

from docx import Document
from openpyxl import Workbook
from pptx import Presentation

from tests.ingestion.parsers.drawn_pdf import draw

SPOILED = 40  # every so many files one is cut off in the middle


def code(number: int) -> str:
    """What only this file says."""
    return f"YS-{number:05d}"


def write_files(folder: Path, count: int) -> list[Path]:
    """`count` files in folders of a hundred; of every `SPOILED` the last is cut off."""
    paths = []
    for number in range(count):
        extension, make = _FORMATS[number % len(_FORMATS)]
        inside = folder / f"第{number // 100}柜"
        inside.mkdir(parents=True, exist_ok=True)
        path = inside / f"{_title(number)}.{'docx' if is_spoiled(number) else extension}"
        path.write_bytes(_docx(number)[:3_000] if is_spoiled(number) else make(number))
        paths.append(path)
    return paths


def is_spoiled(number: int) -> bool:
    return number % SPOILED == SPOILED - 1


def _title(number: int) -> str:
    return f"{number}号设备管理规定"


def _sentences(number: int) -> list[str]:
    return [
        f"{number}号设备的编号是{code(number)}，由{number % 7 + 1}组保管。",
        f"借用{number}号设备须提前{number % 5 + 1}个工作日登记，逾期每天扣{number % 9 + 1}分。",
        *(f"第{day}天检查{number}号设备的第{day * 3 + number % 4}项并记录读数。" for day in range(1, 12)),
    ]


def _md(number: int) -> bytes:
    return "\n\n".join([f"# {_title(number)}", *_sentences(number)]).encode()


def _txt(number: int) -> bytes:
    return "\n".join([_title(number), *_sentences(number)]).encode("gb18030")


def _html(number: int) -> bytes:
    body = "".join(f"<p>{sentence}</p>" for sentence in _sentences(number))
    return f"<html><meta charset='utf-8'><body><h1>{_title(number)}</h1>{body}</body></html>".encode()


def _csv(number: int) -> bytes:
    rows = [f"{place},{sentence.replace(',', '，')}" for place, sentence in enumerate(_sentences(number), 1)]
    return "\n".join(["序号,规定", *rows]).encode("utf-8-sig")


def _docx(number: int) -> bytes:
    document = Document()
    document.add_heading(_title(number), 1)
    for sentence in _sentences(number):
        document.add_paragraph(sentence)
    return _saved(document.save)


def _xlsx(number: int) -> bytes:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append([_title(number)])
    sheet.append(["序号", "规定"])
    for place, sentence in enumerate(_sentences(number), 1):
        sheet.append([place, sentence])
    return _saved(book.save)


def _pptx(number: int) -> bytes:
    slides = Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[1])
    slide.shapes.title.text = _title(number)
    slide.placeholders[1].text = "\n".join(_sentences(number))
    return _saved(slides.save)


def _eml(number: int) -> bytes:
    mail = EmailMessage()
    mail["Subject"], mail["From"], mail["To"] = _title(number), "a@yuanshan.example", "b@yuanshan.example"
    mail.set_content("\n".join(_sentences(number)))
    return mail.as_bytes()


def _pdf(number: int) -> bytes:
    return draw(lambda page: page.lines(60, 60, [_title(number), *_sentences(number)]))


def _saved(save: Callable[[io.BytesIO], object]) -> bytes:
    stream = io.BytesIO()
    save(stream)
    return stream.getvalue()


_FORMATS: tuple[tuple[str, Callable[[int], bytes]], ...] = (
    ("md", _md),
    ("txt", _txt),
    ("html", _html),
    ("csv", _csv),
    ("docx", _docx),
    ("xlsx", _xlsx),
    ("pptx", _pptx),
    ("eml", _eml),
    ("pdf", _pdf),
)
