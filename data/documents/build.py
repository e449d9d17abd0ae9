"""Makes the sample documents from `data/documents_source`: `python data/documents/build.py [FOLDER]`.

Without FOLDER the files beside this script are rewritten. The same text gives the same bytes, always.
"""

import sys
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # run as a script, this file knows no packages beside its own folder

from documents_source import outline, paged, plain, word, workbook  # noqa: E402
from documents_source.outline import Source  # noqa: E402

TEXTS = HERE.parent / "documents_source" / "text"
WRITERS: dict[str, Callable[[Source], bytes]] = {
    ".docx": word.write,
    ".xlsx": workbook.write,
    ".pdf": paged.write,
    ".html": plain.write_html,
    ".md": plain.write_markdown,
    ".txt": plain.write_text,
    ".csv": plain.write_csv,
}


def sources() -> list[Source]:
    """Every sample document's source, by file name."""
    return sorted((outline.read(path) for path in TEXTS.glob("*.md")), key=lambda source: source.file_name)


def build(folder: Path) -> list[Path]:
    """Write all sample documents into `folder`; returns the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for source in sources():
        target = folder / source.file_name
        target.write_bytes(WRITERS[target.suffix](source))
        written.append(target)
    return written


if __name__ == "__main__":
    for path in build(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE):
        sys.stdout.write(f"{path}\n")
