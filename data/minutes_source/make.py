"""Makes the minutes that are kept as docx: `python data/minutes_source/make.py [FOLDER]`.

Without FOLDER the files in `data/minutes` are rewritten. The same text gives the same bytes, always.
A text's first block is the title and the lines on time and place; every line after it is a paragraph.
All other minutes in `data/minutes` are kept as the transcripts they are and have no source here.
"""

import io
import re
import sys
from datetime import datetime
from pathlib import Path

from docx import Document
from docx.oxml.ns import qn
from docx.shared import Pt
from docx.text.paragraph import Paragraph as WordParagraph

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # run as a script, this file knows no packages beside its own folder

from documents_source.archive import pinned  # noqa: E402
from documents_source.word import slim  # noqa: E402

TEXTS = HERE / "text"
_SPEAKER = re.compile(r"[\u4e00-\u9fff]{2,4}(：| \d{2}:\d{2}:\d{2}$)")


def write(text: str, dated: datetime) -> bytes:
    """The docx file of one meeting's `text`, last modified at `dated`."""
    head, _, body = text.partition("\n\n")
    title, *facts = head.splitlines()
    document = Document()
    slim(document)
    font = document.styles["Normal"].font
    font.name, font.size = "宋体", Pt(11)
    document.styles["Normal"].element.rPr.rFonts.set(qn("w:eastAsia"), "宋体")
    document.add_heading(title, level=0)
    for fact in facts:
        document.add_paragraph(fact)
    for line in filter(None, body.splitlines()):
        _spoken(document.add_paragraph(), line)
    out = io.BytesIO()
    document.save(out)
    return pinned(out.getvalue(), dated)


def _spoken(paragraph: WordParagraph, line: str) -> None:
    """`line` in `paragraph`, a speaker's name at its start in bold."""
    match = _SPEAKER.match(line)
    name = match[0] if match else ""
    if name:
        paragraph.add_run(name).bold = True
    paragraph.add_run(line[len(name) :])


def make(folder: Path) -> list[Path]:
    """Write every meeting that has a text here into `folder`; returns the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for source in sorted(TEXTS.glob("*.txt")):
        target = folder / f"{source.stem}.docx"
        dated = datetime.fromisoformat(source.stem[:10])
        target.write_bytes(write(source.read_text(encoding="utf-8"), dated))
        written.append(target)
    return written


if __name__ == "__main__":
    for path in make(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "minutes"):
        sys.stdout.write(f"{path}\n")
