"""Picture files: read as scanned pages, or reported as in need of OCR."""

import gc
import io
import weakref
from collections.abc import Iterator

import pytest
from PIL import Image

from ingestion.documents import Box, FailureReason, FileState
from ingestion.errors import OcrFailure
from ingestion.parsers import image, registry
from ingestion.protocols import OcrLine


class _Reader:
    seconds_per_file = 90.0

    def __init__(self, *lines: str) -> None:
        self._lines = lines
        self.pages = 0

    def read_page(self, image: bytes) -> list[OcrLine]:
        self.pages += 1
        return [OcrLine(text, Box(20, 40 * i, 300, 40 * i + 20), 0.95) for i, text in enumerate(self._lines)]


class _Exhausted(_Reader):
    def read_page(self, image: bytes) -> list[OcrLine]:
        raise OcrFailure("内存不足")


def picture(kind: str, pages: int = 1, size: tuple[int, int] = (400, 300)) -> bytes:
    stream = io.BytesIO()
    frames = [Image.new("RGB", size, (250, 250, 250 - i)) for i in range(pages)]
    more = {"save_all": True, "append_images": frames[1:]} if pages > 1 else {}
    frames[0].save(stream, kind, **more)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("PNG", "a.png"),
        ("JPEG", "a.jpg"),
        ("TIFF", "a.tif"),
        ("GIF", "a.gif"),
        ("BMP", "a.bmp"),
        ("WEBP", "a.webp"),
    ],
)
def test_a_picture_is_one_page_and_its_text_is_marked_as_recognised(kind: str, name: str) -> None:
    parsed = registry.parse(picture(kind), name, ocr=_Reader("停电通知", "周五下午停电检修。"))
    assert parsed.state is FileState.PARSED
    assert [block.anchor.page for block in parsed.blocks] == [1] * len(parsed.blocks)
    assert all(block.anchor.ocr for block in parsed.blocks)
    assert "周五下午停电检修。" in parsed.text
    assert parsed.report.balanced


def test_a_picture_without_ocr_needs_it() -> None:
    parsed = registry.parse(picture("PNG"), "a.png")
    assert parsed.state is FileState.NEEDS_OCR
    assert parsed.blocks == ()


def test_every_page_of_a_tiff_is_read() -> None:
    reader = _Reader("一页。")
    parsed = registry.parse(picture("TIFF", pages=3), "a.tif", ocr=reader)
    assert reader.pages == 3
    assert {block.anchor.page for block in parsed.blocks} == {1, 2, 3}


def test_a_picture_without_text_is_empty_and_not_in_need_of_ocr() -> None:
    parsed = registry.parse(picture("PNG"), "a.png", ocr=_Reader())
    assert (parsed.state, parsed.reason) == (FileState.FAILED, FailureReason.EMPTY)
    assert "OCR 没有" in parsed.message


def test_a_page_the_engine_gave_up_on_is_reported_as_unread() -> None:
    parsed = registry.parse(picture("PNG"), "a.png", ocr=_Exhausted())
    assert parsed.state is FileState.NEEDS_OCR
    assert any("内存不足" in finding for finding in parsed.report.findings)


def test_a_picture_the_decoder_takes_for_a_bomb_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    data = picture("PNG")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 1_000)
    assert registry.parse(data, "a.png").reason is FailureReason.TOO_LARGE


def test_only_the_page_being_written_is_held() -> None:
    made: list[weakref.ref[Image.Image]] = []
    held: list[int] = []

    def pages() -> Iterator[Image.Image]:
        for _ in range(6):
            gc.collect()
            held.append(sum(page() is not None for page in made))
            page = Image.new("RGB", (40, 30))
            made.append(weakref.ref(page))
            yield page
            del page

    assert image._as_pdf(pages()).startswith(b"%PDF")
    assert max(held) <= 1


def test_huge_and_damaged_pictures_are_refused() -> None:
    huge = picture("PNG", size=(9_000, 7_000))
    assert registry.parse(huge, "a.png", ocr=_Reader("x")).reason is FailureReason.TOO_LARGE
    assert registry.parse(picture("PNG")[:60], "a.png").reason is FailureReason.CORRUPT
