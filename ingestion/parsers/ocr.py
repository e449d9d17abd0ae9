"""OCR with rapidocr, the extra [ocr]: its models lie inside the wheel, nothing is downloaded.

About 3 to 6 s for a dense page on one core, so it runs in the parsing worker only.
"""

import importlib.util
import io
import statistics
from functools import lru_cache
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ingestion.documents import Box
from ingestion.protocols import Ocr, OcrLine

_CONFIDENT = 0.8  # mean confidence of an upright page; upside down it is below .7
_QUARTERS = (0, 1, 3, 2)  # turns to the left, in the order of how often pages lie so


class _Output(Protocol):
    """What the engine returns: four corners, text and score of each line; None where nothing was found."""

    boxes: NDArray[np.float32] | None
    txts: tuple[str, ...] | None
    scores: tuple[float, ...] | None


@lru_cache(maxsize=1)
def installed_ocr(threads: int = 1) -> Ocr | None:
    """The engine, loaded once per process, or None when the extra is not installed."""
    if importlib.util.find_spec("rapidocr") is None or importlib.util.find_spec("onnxruntime") is None:
        return None
    return RapidOcr(threads)


class RapidOcr:
    """PP-OCR models through onnxruntime. `threads` per process; files are read in parallel by processes."""

    def __init__(self, threads: int = 1) -> None:
        from rapidocr import RapidOCR

        self._engine: Any = RapidOCR(
            params={
                "Global.log_level": "error",
                "EngineConfig.onnxruntime.intra_op_num_threads": threads,
                "EngineConfig.onnxruntime.inter_op_num_threads": 1,
            }
        )

    def read_page(self, image: bytes) -> list[OcrLine]:
        """The lines of a PNG, top to bottom. A page on its side is turned; boxes are of the turned page."""
        with Image.open(io.BytesIO(image)) as picture:
            pixels = np.asarray(picture.convert("RGB"))
        best: list[OcrLine] = []
        for quarter in _QUARTERS:
            lines = self._lines(np.ascontiguousarray(np.rot90(pixels, quarter)))
            if _legible(lines):
                return lines
            best = max(best, lines, key=_recognised)
        return best

    def _lines(self, pixels: NDArray[np.uint8]) -> list[OcrLine]:
        # Without its line classifier the engine cannot read upside down, which tells how the page lies.
        found = cast(_Output, self._engine(pixels, use_cls=False))
        if found.boxes is None or found.txts is None or found.scores is None:
            return []
        return [
            OcrLine(text, _upright(corners), float(score))
            for corners, text, score in zip(found.boxes, found.txts, found.scores, strict=True)
        ]


def _upright(corners: NDArray[np.float32]) -> Box:
    xs, ys = corners[:, 0], corners[:, 1]
    return Box(float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max()))


def _legible(lines: list[OcrLine]) -> bool:
    """Read with confidence, and most lines wider than high: the page stands upright."""
    if not lines:
        return False
    tall = sum(line.box.bottom - line.box.top > line.box.x1 - line.box.x0 for line in lines)
    return statistics.fmean(line.confidence for line in lines) >= _CONFIDENT and 2 * tall < len(lines)


def _recognised(lines: list[OcrLine]) -> float:
    """Characters read, weighted by confidence."""
    return sum(len(line.text) * line.confidence for line in lines)
