"""PDFs drawn for the tests: text, lines and pictures at places in points from the top left."""

import io
from collections.abc import Callable, Sequence

from PIL import Image, ImageDraw
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

FONT = "STSong-Light"
pdfmetrics.registerFont(UnicodeCIDFont(FONT))


class Page:
    """One page being drawn."""

    def __init__(self, canvas: Canvas, size: tuple[float, float]) -> None:
        self.canvas = canvas
        self.width, self.height = size

    def text(self, x: float, y: float, words: str, size: float = 12) -> None:
        self.canvas.setFont(FONT, size)
        self.canvas.drawString(x, self.height - y, words)

    def lines(self, x: float, y: float, lines: Sequence[str], size: float = 12, leading: float = 20) -> None:
        for number, line in enumerate(lines):
            self.text(x, y + number * leading, line, size)

    def grid(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        for x in xs:
            self.canvas.line(x, self.height - ys[0], x, self.height - ys[-1])
        for y in ys:
            self.canvas.line(xs[0], self.height - y, xs[-1], self.height - y)

    def table(
        self, x: float, y: float, rows: Sequence[Sequence[str]], width: float = 120, height: float = 24
    ) -> None:
        """A ruled table with cells of one size."""
        self.grid(
            [x + i * width for i in range(len(rows[0]) + 1)], [y + i * height for i in range(len(rows) + 1)]
        )
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                self.text(x + c * width + 4, y + r * height + 16, cell, 10)

    def slanted(self, words: str) -> None:
        self.canvas.saveState()
        self.canvas.translate(150, 300)
        self.canvas.rotate(45)
        self.canvas.setFont(FONT, 40)
        self.canvas.drawString(0, 0, words)
        self.canvas.restoreState()

    def scan(self) -> None:
        """A picture over the whole page, as a scanner makes it."""
        image = Image.new("L", (400, 560), 230)
        ImageDraw.Draw(image).rectangle((60, 80, 340, 100), fill=20)
        self.picture(image)

    def picture(self, image: Image.Image) -> None:
        """A picture over the whole page."""
        buffer = io.BytesIO()
        image.save(buffer, format="PNG")
        buffer.seek(0)
        self.canvas.drawImage(ImageReader(buffer), 0, 0, self.width, self.height)

    def latin(self, x: float, y: float, lines: Sequence[str], size: float, leading: float) -> None:
        """Lines in a Latin font every renderer has."""
        self.canvas.setFont("Helvetica", size)
        for number, line in enumerate(lines):
            self.canvas.drawString(x, self.height - y - number * leading, line)


def draw(
    *pages: Callable[[Page], object],
    size: tuple[float, float] = A4,
    password: str | None = None,
    bookmarks: Sequence[tuple[str, int, int]] = (),
) -> bytes:
    """A PDF of one page per function. `bookmarks` are (title, page from 0, level from 0)."""
    buffer = io.BytesIO()
    encryption = StandardEncryption(password, strength=128) if password else None
    canvas = Canvas(buffer, pagesize=size, encrypt=encryption, invariant=1)
    for number, page in enumerate(pages):
        for title, target, level in bookmarks:
            if target == number:
                canvas.bookmarkPage(title)
                canvas.addOutlineEntry(title, title, level)
        page(Page(canvas, size))
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()
