"""The OCR extra on pictures of pages drawn here; skipped where the extra is not installed."""

import pytest

pytest.importorskip("rapidocr")
pytest.importorskip("onnxruntime")

import pypdfium2 as pdfium
from PIL import Image

from ingestion.documents import FileState
from ingestion.parsers.ocr import installed_ocr
from ingestion.parsers.pdf import parse
from ingestion.protocols import Ocr
from tests.ingestion.parsers.drawn_pdf import draw

LINES = [
    "Travel policy of the company",
    "A night in a hotel costs 800 at most",
    "Receipts are kept for five years",
]


@pytest.fixture(scope="module")
def engine() -> Ocr:
    found = installed_ocr()
    assert found is not None
    return found


def scan(quarter: int = 0) -> bytes:
    """A page of text as a picture, turned by quarters."""
    size = (420.0, 200.0)
    drawn = draw(lambda sheet: sheet.latin(20, 50, LINES, 20, 45), size=size)
    document = pdfium.PdfDocument(drawn)
    picture: Image.Image = document[0].render(scale=2).to_pil().rotate(90 * quarter, expand=True)
    document.close()
    turned = size if quarter % 2 == 0 else (size[1], size[0])
    return draw(lambda sheet: sheet.picture(picture), size=turned)


def test_a_scanned_page_is_read_in_order(engine: Ocr) -> None:
    parsed = parse(scan(), ocr=engine)
    assert parsed.state is FileState.PARSED
    assert parsed.ocr_pages == (1,)
    text = parsed.text.replace(" ", "")
    assert [line.replace(" ", "") in text for line in LINES] == [True] * 3
    assert parsed.report.balanced


@pytest.mark.parametrize("quarter", [1, 2])
def test_a_page_on_its_side_or_head_is_turned(engine: Ocr, quarter: int) -> None:
    text = parse(scan(quarter), ocr=engine).text.replace(" ", "")
    places = [text.find(line.replace(" ", "")) for line in LINES]
    assert -1 not in places
    assert places == sorted(places)
