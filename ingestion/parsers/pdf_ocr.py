"""A scanned page through the OCR engine: rendering, and lines back in page coordinates."""

import io
from dataclasses import dataclass

import pypdfium2 as pdfium

from ingestion.documents import Box
from ingestion.parsers.pdf_text import Run
from ingestion.protocols import Ocr

_DPI = 150  # 200 was no better on the scans tried
_MAX_PIXELS = 4_000  # of the longer side
_POINTS_PER_INCH = 72


@dataclass(frozen=True, slots=True)
class ScannedPage:
    """`confidence` is the mean over the lines, weighted by their length."""

    runs: tuple[Run, ...]
    confidence: float


def read_scanned_page(page: pdfium.PdfPage, ocr: Ocr) -> ScannedPage:
    width, height = page.get_size()
    scale = min(_DPI / _POINTS_PER_INCH, _MAX_PIXELS / max(width, height, 1.0))
    bitmap = page.render(scale=scale)
    buffer = io.BytesIO()
    bitmap.to_pil().save(buffer, format="PNG")
    bitmap.close()
    runs: list[Run] = []
    weight = confidence = 0.0
    for line in ocr.read_page(buffer.getvalue()):
        text = line.text.strip()
        if not text:
            continue
        box = Box(*(value / scale for value in (line.box.x0, line.box.top, line.box.x1, line.box.bottom)))
        runs.append(Run(text, box, box.bottom - box.top, False, ()))
        weight += len(text)
        confidence += len(text) * line.confidence
    return ScannedPage(tuple(runs), confidence / weight if weight else 0.0)
