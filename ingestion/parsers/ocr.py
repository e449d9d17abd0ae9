"""OCR with rapidocr, the extra [ocr]: its models lie inside the wheel, nothing is downloaded.

About 3 to 8 s for a dense page on one core, so it runs in the parsing worker only. The engine is loaded with
the first page: most files never need it.
"""

import importlib.util
import io
import statistics
import time
from collections.abc import Iterator
from functools import lru_cache
from typing import Protocol, cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ingestion.documents import Box
from ingestion.errors import OcrFailure
from ingestion.protocols import Ocr, OcrLine

_CONFIDENT = 0.8  # mean confidence of an upright page; upside down it is below .7
_QUARTERS = (0, 1, 3, 2)  # turns to the left, in the order of how often pages lie so
_PAGE_SECONDS = 40.0
_MIN_SCORE = 0.5  # of a line, the engine's own default
_FILE_SECONDS = 90.0
OCR_SHARE = 0.75  # of the time that a file may be worked on; the rest is for reading and cutting it


class _Detected(Protocol):
    """Four corners for each line of text; None where there is none."""

    boxes: NDArray[np.float32] | None


class _Recognised(Protocol):
    txts: tuple[str, ...]
    scores: tuple[float, ...]


class _Engine(Protocol):
    """What is used of `rapidocr.RapidOCR`."""

    def __call__(self, pixels: NDArray[np.uint8], *, use_cls: bool, use_rec: bool) -> _Detected: ...

    def crop_text_regions(
        self, pixels: NDArray[np.uint8], boxes: NDArray[np.float32]
    ) -> list[NDArray[np.uint8]]: ...

    def recognize_txt(self, images: list[NDArray[np.uint8]]) -> _Recognised: ...


def installed_ocr(seconds_per_file: float = _FILE_SECONDS, threads: int = 1) -> Ocr | None:
    """The engine, or None when the extra is not installed."""
    if importlib.util.find_spec("rapidocr") is None or importlib.util.find_spec("onnxruntime") is None:
        return None
    return RapidOcr(seconds_per_file, threads)


@lru_cache(maxsize=1)
def _engine(threads: int) -> _Engine:
    """Loaded once per process, about 1 s and 250 MB of address space."""
    from rapidocr import RapidOCR

    options = {
        "Global.log_level": "error",
        "EngineConfig.onnxruntime.intra_op_num_threads": threads,
        "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    }
    return cast(_Engine, RapidOCR(params=options))


class RapidOcr:
    """PP-OCR models through onnxruntime. `threads` per process; files are read in parallel by processes."""

    def __init__(self, seconds_per_file: float = _FILE_SECONDS, threads: int = 1) -> None:
        self.seconds_per_file = seconds_per_file
        self._threads = threads

    def read_page(self, image: bytes) -> list[OcrLine]:
        """The lines of a PNG, top to bottom. A page on its side is turned; boxes are of the turned page.

        Raises OcrFailure when the page takes too long or the engine fails, as a rule for want of memory.
        """
        until = time.monotonic() + _PAGE_SECONDS
        with Image.open(io.BytesIO(image)) as picture:
            pixels = np.asarray(picture.convert("RGB"))
        best: list[OcrLine] = []
        for quarter in _QUARTERS:
            try:
                lines = list(self._lines(np.ascontiguousarray(np.rot90(pixels, quarter)), until))
            except (MemoryError, OcrFailure):
                raise
            except Exception as error:  # onnxruntime and rapidocr raise classes of their own
                raise OcrFailure(f"OCR 引擎出错（{type(error).__name__}），内存可能不足") from error
            if _legible(lines):
                return lines
            best = max(best, lines, key=_recognised)
        return best

    def _lines(self, pixels: NDArray[np.uint8], until: float) -> Iterator[OcrLine]:
        """Line by line: that bounds time, and memory to that of the longest line.

        Without its line classifier the engine cannot read upside down, which tells how the page lies.
        """
        engine = _engine(self._threads)
        boxes = engine(pixels, use_cls=False, use_rec=False).boxes
        if boxes is None:
            return
        for corners, crop in zip(boxes, engine.crop_text_regions(pixels, boxes), strict=True):
            if time.monotonic() > until:
                raise OcrFailure(f"识别一页超过 {_PAGE_SECONDS:g} 秒，已放弃")
            found = engine.recognize_txt([crop])
            if found.txts[0].strip() and found.scores[0] >= _MIN_SCORE:
                yield OcrLine(found.txts[0], _upright(corners), float(found.scores[0]))


class SharedOcr:
    """One file's time for all the files inside it: what one takes the others lack."""

    def __init__(self, ocr: Ocr) -> None:
        self._ocr = ocr
        self._until = time.monotonic() + ocr.seconds_per_file

    @property
    def seconds_per_file(self) -> float:
        """What is left."""
        return max(0.0, self._until - time.monotonic())

    def read_page(self, image: bytes) -> list[OcrLine]:
        return self._ocr.read_page(image)


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
