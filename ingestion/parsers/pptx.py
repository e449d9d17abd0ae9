"""Slides to blocks: title as heading, then the shapes from the top, tables as sentences, notes as NOTE.

The walk over shapes is here; what a shape is stands in `pptx_shapes`, charts and SmartArt in `pptx_parts`.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from lxml import etree
from pptx.exc import PackageNotFoundError, PythonPptxError
from pptx.package import Package
from pptx.parts.presentation import PresentationPart

from ingestion.cleaning import Noise
from ingestion.documents import (
    Anchor,
    Block,
    BlockBuilder,
    BlockKind,
    FailureReason,
    FileState,
    Metadata,
    Parsed,
    count_chars,
)
from ingestion.errors import ParseFailure
from ingestion.glyphs import normalise
from ingestion.headings import looks_like_heading
from ingestion.parsers.archive import open_archive
from ingestion.parsers.embedded_tables import Before, add_table
from ingestion.parsers.package_xml import root_of
from ingestion.parsers.pictures import Pictures
from ingestion.parsers.pptx_parts import Chart, chart_of, comments_of, count_package, diagram_lines
from ingestion.parsers.pptx_shapes import (
    BODIES,
    RUNNING,
    Paragraph,
    Shape,
    all_text,
    fallback_twins,
    in_reading_order,
    is_title,
    paragraphs_of,
    role,
)
from ingestion.protocols import Ocr
from ingestion.tables import Cell, Table

TITLE_BAND = 0.25  # share of the slide's height in which a plain shape can be its title
MAX_GROUPS = 20  # nesting


def parse(data: bytes, *, password: str | None = None, ocr: Ocr | None = None) -> Parsed:
    """Raises ParseFailure: corrupt, empty. The registry opens encrypted packages."""
    archive = open_archive(data)
    presentation = _presentation(data)
    builder = BlockBuilder()
    pictures = Pictures(builder, ocr)
    reader = _Reader(builder, pictures, presentation.slide_height or 0)
    for number, slide in enumerate(presentation.slides, start=1):
        reader.read(slide, number)
    pictures.finish()
    if not len(builder) and pictures.unread:
        return builder.finish(state=FileState.NEEDS_OCR, message="演示文稿中只有图片，可能是扫描件，需要 OCR")
    about = presentation.core_properties
    metadata = Metadata(
        title=about.title, author=about.author, created=about.created, modified=about.modified
    )
    return builder.finish(count_package(archive) + pictures.chars, metadata=metadata)


def _presentation(data: bytes) -> Any:
    """`pptx.Presentation` refuses slide shows and templates, which hold slides all the same."""
    try:
        part = Package.open(io.BytesIO(data)).main_document_part
    except (PythonPptxError, PackageNotFoundError, etree.XMLSyntaxError) as error:
        raise _corrupt() from error
    if not isinstance(part, PresentationPart):
        raise _corrupt()
    return part.presentation


def _corrupt() -> ParseFailure:
    return ParseFailure(FailureReason.CORRUPT, "演示文稿已损坏，请用 PowerPoint 或 WPS 打开并另存后再试")


class _Reader:
    def __init__(self, builder: BlockBuilder, pictures: Pictures, height: int) -> None:
        self._builder = builder
        self._pictures = pictures
        self._height = height
        self._number = 0
        self._paragraph = 0
        self._has_cover = False
        self._before = Before()

    def read(self, slide: Any, number: int) -> None:
        """Add one slide, or book it as dropped when it is hidden."""
        self._number, self._paragraph, self._before = number, 0, Before()
        for twin in fallback_twins(slide._element):
            self._builder.drop("fallback_twin", twin)
        if slide._element.get("show") in ("0", "false"):
            self._drop_hidden(slide)
            return
        start = len(self._builder)
        shapes = in_reading_order(slide.shapes)
        title = next((shape for shape in shapes if is_title(shape) and _text(shape)), None)
        title = title or self._plain_title(shapes)
        self._heading(title, covers=title is not None and _is_cover(title))
        for shape in shapes:
            if shape is not title:
                self._shape(shape, slide)
        self._notes(slide)
        if title is None and len(self._builder) == start + 1:  # nothing stands under the number
            self._builder.retract((start,), Noise.INVISIBLE)

    # --- headings

    def _plain_title(self, shapes: Sequence[Shape]) -> Shape | None:
        """The first shape with text, when its words can be a heading and it stands at the top, or on the
        first slide anywhere."""
        for shape in shapes:
            if shape.has_text_frame and _text(shape) and role(shape) not in RUNNING:
                at_top = self._number == 1 or (shape.top or 0) <= TITLE_BAND * self._height
                lines = [said.text for said in paragraphs_of(shape._element) if said.text.strip()]
                fits = len(lines) == 1 and looks_like_heading(lines[0])
                return shape if at_top and fits else None
        return None

    def _heading(self, title: Shape | None, *, covers: bool) -> None:
        """Each slide begins a section; one without a title is named by its number."""
        level = 1 if covers or not self._has_cover else 2
        self._has_cover = self._has_cover or covers
        if title is None:
            numbered = f"第 {self._number} 页"  # none of the file's characters
            self._builder.add(Block(BlockKind.HEADING, numbered, self._anchor(), level, source_chars=0))
            return
        said = list(paragraphs_of(title._element))
        raw = " ".join(paragraph.text for paragraph in said)
        self._add(BlockKind.HEADING, raw.replace("\n", " "), level=level)
        self._before = Before(heading=raw)
        self._leave_out(said)

    # --- shapes

    def _shape(self, shape: Shape, slide: Any, depth: int = 0) -> None:
        if depth > MAX_GROUPS:
            raise ParseFailure(FailureReason.TOO_COMPLEX, "演示文稿的组合嵌套过深，请取消组合后再导入")
        if (reason := RUNNING.get(role(shape))) is not None:
            self._builder.drop(reason, all_text(shape._element))
        elif hasattr(shape, "shapes"):
            for member in in_reading_order(shape.shapes):
                self._shape(member, slide, depth + 1)
        elif getattr(shape, "has_table", False):
            self._table(shape)
        elif getattr(shape, "has_chart", False):
            part = shape.chart_part
            self._chart(chart_of(root_of(part.blob, str(part.partname))))
        elif hasattr(shape, "image") or shape._element.tag.endswith("}pic"):
            self._picture(shape)
        elif shape.has_text_frame:
            self._paragraphs(list(paragraphs_of(shape._element)), listed=role(shape) in BODIES)
        else:
            self._paragraphs([Paragraph(line) for line in diagram_lines(shape._element, slide)], listed=True)

    def _paragraphs(self, said: Sequence[Paragraph], *, listed: bool) -> None:
        filled = [paragraph for paragraph in said if paragraph.text.strip()]
        kind = BlockKind.LIST if listed and len(filled) > 1 else BlockKind.PARAGRAPH
        for paragraph in filled:
            self._add(kind, paragraph.text)
            self._before = Before(self._before.heading, paragraph.text)
        self._leave_out(said)

    def _leave_out(self, said: Iterable[Paragraph]) -> None:
        for paragraph in said:
            for part in paragraph.left_out:
                self._builder.drop(part.reason, part.text)

    def _picture(self, shape: Shape) -> None:
        try:
            data = shape.image.blob
        except (AttributeError, KeyError, ValueError):  # linked, not embedded, or its part is missing
            self._builder.note(f"第 {self._number} 页有一张图片没有保存在文件里")
            return
        self._pictures.add(data, self._anchor())

    def _table(self, shape: Shape) -> None:
        add_table(self._builder, Table(tuple(_cells(shape.table)), anchor=self._anchor()), self._before)
        self._leave_out(paragraphs_of(shape._element))
        self._before = Before(self._before.heading)

    def _chart(self, chart: Chart) -> None:
        for title in chart.titles:
            self._add(BlockKind.PARAGRAPH, title)
        title = chart.titles[0] if chart.titles else ""
        table = Table.from_rows(chart.rows, title=title, header_rows=1, anchor=self._anchor())
        if table.cells:
            add_table(self._builder, table, Before())
        self._builder.drop(Noise.TABLE_HEADER, chart.repeated)

    # --- beside the slide

    def _notes(self, slide: Any) -> None:
        for text in comments_of(slide):
            self._add(BlockKind.NOTE, text, label="批注：")
        if not slide.has_notes_slide:
            return
        notes = slide.notes_slide
        body = notes.notes_placeholder
        for shape in notes.shapes:
            if body is not None and shape._element is body._element:
                said = list(paragraphs_of(body._element))
                self._add(BlockKind.NOTE, "\n".join(paragraph.text for paragraph in said), label="备注：")
                self._leave_out(said)
            else:
                reason = RUNNING.get(role(shape), Noise.RUNNING_FOOTER)
                self._builder.drop(reason, all_text(shape._element))

    def _drop_hidden(self, slide: Any) -> None:
        text = all_text(slide._element)
        if slide.has_notes_slide:
            text += all_text(slide.notes_slide._element)
        self._builder.drop("hidden_slide", text)
        self._builder.note(f"第 {self._number} 页被隐藏，其内容未读入")

    # --- the account

    def _add(self, kind: BlockKind, raw: str, *, level: int = 0, label: str = "") -> None:
        text = normalise(raw).strip()
        if not text:
            self._builder.drop(Noise.INVISIBLE, raw)
            return
        self._builder.add(Block(kind, label + text, self._anchor(), level, source_chars=count_chars(raw)))

    def _anchor(self) -> Anchor:
        self._paragraph += 1
        return Anchor(slide=self._number, paragraph=self._paragraph)


def _text(shape: Shape) -> str:
    return all_text(shape._element).strip()


def _is_cover(shape: Shape) -> bool:
    return bool(shape.is_placeholder) and "CENTER" in str(role(shape))


def _cells(table: Any) -> Iterator[Cell]:
    for row, cells in enumerate(table.rows):
        for column, cell in enumerate(cells.cells):
            if not cell.is_spanned:
                text = "\n".join(paragraph.text for paragraph in paragraphs_of(cell._tc))
                yield Cell(row, column, text, cell.span_height, cell.span_width)
