"""A scanned page through the OCR engine: rendering, and lines back in page coordinates."""

import io
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pypdfium2 as pdfium

from ingestion.documents import Box
from ingestion.parsers.pdf_text import Run
from ingestion.protocols import Ocr

_DPI = 150  # 200 was no better on the scans tried
_MAX_PIXELS = 2_000  # of the longer side: the engine reduces more than that
_POINTS_PER_INCH = 72
_SAME_TYPE = 0.3  # box heights of one type size vary by this much


@dataclass(frozen=True, slots=True)
class ScannedPage:
    """`confidence` is the mean over the lines, weighted by their length."""

    runs: tuple[Run, ...]
    confidence: float


def read_scanned_page(page: pdfium.PdfPage, ocr: Ocr) -> ScannedPage:
    width, height = page.get_size()
    scale = min(_DPI / _POINTS_PER_INCH, _MAX_PIXELS / max(width, height, 1.0))
    runs: list[Run] = []
    weight = confidence = 0.0
    for line in ocr.read_page(_png(page, scale)):
        text = line.text.strip()
        if text:
            corners = (line.box.x0, line.box.top, line.box.x1, line.box.bottom)
            box = Box(*(value / scale for value in corners))
            runs.append(Run(text, box, box.bottom - box.top, False, ()))
            weight += len(text)
            confidence += len(text) * line.confidence
    return ScannedPage(tuple(_with_common_size(runs)), confidence / weight if weight else 0.0)


def _png(page: pdfium.PdfPage, scale: float) -> bytes:
    bitmap = page.render(scale=scale)
    buffer = io.BytesIO()
    bitmap.to_pil().save(buffer, format="PNG")
    bitmap.close()
    return buffer.getvalue()


def _with_common_size(runs: Sequence[Run]) -> list[Run]:
    """A skewed line's box is higher than its type: heights near the median are the body size."""
    if not runs:
        return []
    usual = statistics.median(run.size for run in runs)
    return [replace(run, size=usual) if abs(run.size / usual - 1) < _SAME_TYPE else run for run in runs]
