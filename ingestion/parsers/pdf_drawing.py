"""What a PDF page shows besides text: images, and the straight lines that can rule a table."""

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pypdfium2 as pdfium
import pypdfium2.raw as raw

_DEPTH = 4  # of form objects inside form objects
_THICKNESS = 3.0  # points; a box no thicker than this is a line
_SHORTEST = 5.0
_MAX_SEGMENTS = 2_000  # of one path: more is a picture
_MAX_RULES = 6_000  # of one page


@dataclass(frozen=True, slots=True)
class Rule:
    """A straight line: at height `at` from x `start` to `end`, or upright at x `at` from top to bottom."""

    horizontal: bool
    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """`image_share` is the largest image's share of the page area, `rules` are cut off at 6,000."""

    image_share: float = 0.0
    objects: int = 0
    rules: tuple[Rule, ...] = ()


class Placement:
    """From pdfium's page space (origin at the lower left, before rotation) to the displayed page."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        self._left, self._bottom, right, top = page.get_bbox()
        self._width, self._height = right - self._left, top - self._bottom
        self._rotation = page.get_rotation() % 360

    def box(self, left: float, bottom: float, right: float, top: float) -> tuple[float, float, float, float]:
        """x0, top, x1, bottom from the top left of the displayed page."""
        x0, x1 = left - self._left, right - self._left
        y0, y1 = self._height - top + self._bottom, self._height - bottom + self._bottom
        match self._rotation:
            case 90:
                return self._height - y1, x0, self._height - y0, x1
            case 180:
                return self._width - x1, self._height - y1, self._width - x0, self._height - y0
            case 270:
                return y0, self._width - x1, y1, self._width - x0
        return x0, y0, x1, y1


@dataclass(frozen=True, slots=True)
class _Matrix:
    a: float = 1.0
    b: float = 0.0
    c: float = 0.0
    d: float = 1.0
    e: float = 0.0
    f: float = 0.0

    def then(self, outer: "_Matrix") -> "_Matrix":
        return _Matrix(
            self.a * outer.a + self.b * outer.c,
            self.a * outer.b + self.b * outer.d,
            self.c * outer.a + self.d * outer.c,
            self.c * outer.b + self.d * outer.d,
            self.e * outer.a + self.f * outer.c + outer.e,
            self.e * outer.b + self.f * outer.d + outer.f,
        )

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f


def read_drawing(page: pdfium.PdfPage, place: Placement) -> Drawing:
    """Walks the page's objects once, form objects included."""
    width, height = page.get_size()
    walk = _Walk(place, width, height)
    walk.objects_of(page.raw, raw.FPDFPage_CountObjects, raw.FPDFPage_GetObject, _Matrix(), _DEPTH)
    share = walk.image_area / max(width * height, 1.0)
    return Drawing(min(share, 1.0), walk.objects, tuple(walk.rules))


class _Walk:
    """Collects images and rules over the nested objects of one page."""

    def __init__(self, place: Placement, width: float, height: float) -> None:
        self._place = place
        self._width, self._height = width, height
        self.image_area = 0.0
        self.objects = 0
        self.rules: list[Rule] = []

    def objects_of(
        self,
        parent: object,
        count: Callable[[object], int],
        at: Callable[[object, int], object],
        outer: _Matrix,
        depth: int,
    ) -> None:
        number = count(parent)
        self.objects += max(number, 0)
        for i in range(number):
            item = at(parent, i)
            match raw.FPDFPageObj_GetType(item):
                case raw.FPDF_PAGEOBJ_FORM if depth > 1:
                    inner = _matrix_of(item).then(outer)
                    self.objects_of(
                        item, raw.FPDFFormObj_CountObjects, raw.FPDFFormObj_GetObject, inner, depth - 1
                    )
                case raw.FPDF_PAGEOBJ_IMAGE:
                    x0, y0, x1, y1 = _bounds(item, outer)
                    self.image_area = max(self.image_area, (x1 - x0) * (y1 - y0))
                case raw.FPDF_PAGEOBJ_PATH if len(self.rules) < _MAX_RULES:
                    self.rules.extend(self._rules_of(item, outer))

    def _rules_of(self, item: object, outer: _Matrix) -> Iterator[Rule]:
        """A thin path is one line; a stroked one gives its level and upright segments, shading nothing."""
        x0, top, x1, bottom = self._place.box(*_bounds(item, outer))
        if x1 - x0 > 0.95 * self._width and bottom - top > 0.95 * self._height:
            return  # the page's background
        if bottom - top <= _THICKNESS or x1 - x0 <= _THICKNESS:
            yield from _line(x0, top, x1, bottom)
        elif _is_stroked(item):
            yield from self._segments(item, _matrix_of(item).then(outer))

    def _segments(self, item: object, matrix: _Matrix) -> Iterator[Rule]:
        count = int(raw.FPDFPath_CountSegments(item))
        if count > _MAX_SEGMENTS:
            return  # a picture
        start = previous = (0.0, 0.0)
        x, y = ctypes.c_float(), ctypes.c_float()
        for i in range(count):
            segment = raw.FPDFPath_GetPathSegment(item, i)
            raw.FPDFPathSegment_GetPoint(segment, ctypes.byref(x), ctypes.byref(y))
            point = matrix.at(x.value, y.value)
            match raw.FPDFPathSegment_GetType(segment):
                case raw.FPDF_SEGMENT_MOVETO:
                    start = point
                case raw.FPDF_SEGMENT_LINETO:
                    yield from _side(previous, point, self._place)
            if raw.FPDFPathSegment_GetClose(segment):
                yield from _side(point, start, self._place)
            previous = point


def _matrix_of(item: object) -> _Matrix:
    matrix = raw.FS_MATRIX()
    if not raw.FPDFPageObj_GetMatrix(item, ctypes.byref(matrix)):
        return _Matrix()
    return _Matrix(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)


def _bounds(item: object, outer: _Matrix) -> tuple[float, float, float, float]:
    sides = [ctypes.c_float() for _ in range(4)]
    if not raw.FPDFPageObj_GetBounds(item, *map(ctypes.byref, sides)):
        return 0.0, 0.0, 0.0, 0.0
    left, bottom, right, top = (side.value for side in sides)
    xs, ys = zip(*(outer.at(x, y) for x in (left, right) for y in (bottom, top)), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _is_stroked(item: object) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(item, ctypes.byref(fill), ctypes.byref(stroke))
    return bool(stroke.value)


def _side(one: tuple[float, float], other: tuple[float, float], place: Placement) -> Iterator[Rule]:
    left, right = sorted((one[0], other[0]))
    bottom, top = sorted((one[1], other[1]))
    yield from _line(*place.box(left, bottom, right, top))


def _line(x0: float, top: float, x1: float, bottom: float) -> Iterator[Rule]:
    wide, high = x1 - x0, bottom - top
    if high <= _THICKNESS and wide >= _SHORTEST:
        yield Rule(True, (top + bottom) / 2, x0, x1)
    elif wide <= _THICKNESS and high >= _SHORTEST:
        yield Rule(False, (x0 + x1) / 2, top, bottom)
