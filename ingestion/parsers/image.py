"""A picture file as scanned pages: one page for each picture in it, read as a PDF of scans is."""

import io
from collections.abc import Iterator

from PIL import Image, ImageOps, ImageSequence, UnidentifiedImageError

from ingestion.documents import FailureReason, Parsed
from ingestion.errors import ParseFailure
from ingestion.parsers import pdf
from ingestion.parsers.pictures import MAX_PIXELS, MAX_SIDE
from ingestion.protocols import Ocr

MAX_PAGES = 200  # of a TIFF
SMALLER = "请缩小或拆分后再导入"


def parse(data: bytes, *, password: str | None = None, ocr: Ocr | None = None) -> Parsed:
    """`password` has no meaning for a picture. Raises ParseFailure: corrupt, too_large, empty."""
    try:
        with Image.open(io.BytesIO(data)) as picture:
            pages = _as_pdf(_pages(picture))
    except Image.DecompressionBombError as error:
        raise ParseFailure(FailureReason.TOO_LARGE, f"图片过大，{SMALLER}") from error
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError) as error:
        raise ParseFailure(FailureReason.CORRUPT, "图片已损坏，无法打开。请重新导出后再试") from error
    return pdf.parse(pages, ocr=ocr)


def _pages(picture: Image.Image) -> Iterator[Image.Image]:
    count = getattr(picture, "n_frames", 1)
    if picture.format == "GIF":  # the frames of an animation are no pages
        count = 1
    if count > MAX_PAGES or picture.width * picture.height > MAX_PIXELS:
        raise ParseFailure(
            FailureReason.TOO_LARGE,
            f"图片过大：{picture.width}×{picture.height} 像素，{count} 页，{SMALLER}",
        )
    for frame, _ in zip(ImageSequence.Iterator(picture), range(count), strict=False):
        page = ImageOps.exif_transpose(frame).convert("RGB")
        page.thumbnail((MAX_SIDE, MAX_SIDE))
        yield page


def _as_pdf(pages: Iterator[Image.Image]) -> bytes:
    """Page after page, so that only one is held decoded."""
    buffer = io.BytesIO()
    for place, page in enumerate(pages):
        page.save(buffer, format="PDF", append=place > 0)
    return buffer.getvalue()
