"""Pictures inside documents: counted, and read where an OCR engine is given."""

import io
import time
from dataclasses import replace

from PIL import Image, UnidentifiedImageError

from ingestion.documents import Anchor, Block, BlockBuilder, BlockKind, count_chars
from ingestion.errors import OcrFailure
from ingestion.glyphs import normalise
from ingestion.protocols import Ocr

MIN_SIDE = 60  # pixels: below are icons and bullets
MAX_SIDE = 2_000  # the engine reduces more than that
MAX_PIXELS = 60_000_000  # 180 MB decoded
MIN_CONFIDENCE = 0.6  # of a line: textures and logos come out below it


class Pictures:
    """The pictures of one file. `finish` tells what was read and what was not."""

    def __init__(self, builder: BlockBuilder, ocr: Ocr | None) -> None:
        self._builder = builder
        self._ocr = ocr
        self._until = time.monotonic() + (ocr.seconds_per_file if ocr is not None else 0)
        self._seen: dict[bytes, str] = {}
        self.unread = 0
        self._read = 0
        self.chars = 0  # recognised, to be added to the count of the source

    def add(self, data: bytes, anchor: Anchor) -> None:
        """Add the text of a picture as a paragraph; the same picture again (a logo) is passed over."""
        if data in self._seen:
            return
        text = self._seen[data] = self._text(data)
        if text:
            self._builder.add(Block(BlockKind.PARAGRAPH, text, replace(anchor, ocr=True)))
            self.chars += count_chars(text)

    def finish(self) -> None:
        if self._read:
            self._builder.note(f"{self._read} 张图片中的文字由 OCR 识别，请核对")
        if self.unread:
            self._builder.note(f"文档含 {self.unread} 张图片，图片中的文字未识别")

    def _text(self, data: bytes) -> str:
        if self._ocr is None or time.monotonic() > self._until:
            self.unread += 1
            return ""
        page = png(data)
        if page is None:
            self.unread += 1
            return ""
        try:
            found = self._ocr.read_page(page)
        except OcrFailure as failure:
            self._builder.note(failure.message)
            self.unread += 1
            return ""
        lines = [line.text for line in found if line.confidence >= MIN_CONFIDENCE]
        text = normalise("\n".join(lines)).strip()
        self._read += bool(text)
        return text


def png(data: bytes) -> bytes | None:
    """A picture as PNG of a bounded size; None for icons, drawings (wmf, emf, svg) and damaged data."""
    try:
        with Image.open(io.BytesIO(data)) as picture:
            if min(picture.size) < MIN_SIDE or picture.width * picture.height > MAX_PIXELS:
                return None
            shown = picture.convert("RGB")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    shown.thumbnail((MAX_SIDE, MAX_SIDE))
    buffer = io.BytesIO()
    shown.save(buffer, format="PNG")
    return buffer.getvalue()
