"""The same questions over real files: read by the service's own path, judged by the rows of a data file.

A row says what a passage is called (`doc_id`) and what it reads. Its version is the file that holds most of
that version's rows; a chunk holds the rows whose words it covers. Nothing of a row is told to the service:
titles, headings and dates are what it read in the files itself.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from ingestion.documents import Chunk
from service import bootstrap
from service.access import LOCAL
from service.config import Settings
from service.errors import BadRequest
from service.evaluation.metrics import comparable
from service.evaluation.rows import CorpusRow, QueryRow
from service.home import Home
from service.incoming import Incoming, files_under
from service.retrieval.retriever import Retriever

_MOST = 0.8  # of a version's rows are in its file; of another version's there are always some, too
_PAGE = 1_000


@dataclass(frozen=True, slots=True)
class Placed:
    """A row and the characters of the chunk it covers."""

    doc_id: str
    start: int
    end: int


@dataclass(frozen=True)
class FiledBench:
    """A `Bench` over files; `known` are the rows they hold."""

    retriever: Retriever
    index_seconds: float
    documents: int
    placed: Mapping[str, tuple[Placed, ...]]  # by chunk id
    known: frozenset[str]

    def rows_of(self, chunk_id: str, start: int | None = None) -> tuple[str, ...]:
        found = self.placed.get(chunk_id, ())
        return tuple(row.doc_id for row in found if start is None or row.start <= start < row.end)

    def about_the_files(self, queries: Sequence[QueryRow]) -> list[QueryRow]:
        """The questions whose rows, right and stale, the files hold."""
        return [q for q in queries if (named := {*q.relevant, *q.stale}) and named <= self.known]


@contextmanager
def filed(settings: Settings, paths: Sequence[Path], rows: Sequence[CorpusRow]) -> Iterator[FiledBench]:
    """Take the files into a library of their own; it is gone afterwards. Raises BadRequest naming a file that
    could not be read."""
    with TemporaryDirectory(prefix="zhixing-eval-") as folder:
        own = settings.model_copy(
            update={"home": Path(folder) / "home", "database_url": None, "qdrant_url": None}
        )
        with Home(own.home) as home:
            parts = bootstrap.build(own, home)
            try:
                started = perf_counter()
                _take(parts, paths)
                seconds = perf_counter() - started
                texts = list(_texts(parts))
                placed = _place(rows, texts)
                known = frozenset(row.doc_id for found in placed.values() for row in found)
                yield FiledBench(parts.retriever, seconds, len(texts), placed, known)
            finally:
                parts.close()


def _take(parts: bootstrap.Parts, paths: Sequence[Path]) -> None:
    items = files_under(paths, Incoming("", ""))
    task = parts.tasks.create(LOCAL, "ingest", len(items))
    unread = [item.record for item in parts.intake.run(LOCAL, task.id, items) if not item.published]
    if unread:
        named = "；".join(f"{record.file_name}（{record.message}）" for record in unread)
        raise BadRequest(f"有文件没有读入，无法评测：{named}")


@dataclass(frozen=True, slots=True)
class _Text:
    """A revision's text as it is compared, and where each compared character stands in the canonical text."""

    compared: str
    places: tuple[int, ...]
    chunks: tuple[Chunk, ...]

    def find(self, words: str) -> tuple[int, int] | None:
        """Where `words` stand in the canonical text: first character, and one past the last."""
        at = self.compared.find(words) if words else -1
        return None if at < 0 else (self.places[at], self.places[at + len(words) - 1] + 1)


def _texts(parts: bootstrap.Parts) -> Iterator[_Text]:
    total = parts.documents.page(LOCAL, page_size=1).total
    for number in range(1, total // _PAGE + 2):
        for document in parts.documents.page(LOCAL, number=number, page_size=_PAGE).items:
            for stored in document.revisions:
                text = parts.documents.content(LOCAL, document.document.id, stored.revision.id).text
                chunks = parts.documents.section(LOCAL, stored.revision.id, 0, stored.chunk_count)
                yield _read(text, chunks)


def _read(text: str, chunks: Sequence[Chunk]) -> _Text:
    compared, places = [], []
    for place, char in enumerate(text):
        folded = comparable(char)
        compared.append(folded)
        places += [place] * len(folded)
    return _Text("".join(compared), tuple(places), tuple(chunks))


def _place(rows: Sequence[CorpusRow], texts: Sequence[_Text]) -> dict[str, tuple[Placed, ...]]:
    versions: dict[tuple[str, str], list[CorpusRow]] = defaultdict(list)
    for row in rows:
        versions[row.law or row.title, row.version].append(row)
    placed: dict[str, list[Placed]] = defaultdict(list)
    for members in versions.values():
        text = _file_of(members, texts)
        if text is None:
            continue
        for row in members:
            for chunk_id, found in _held_by(row, text):
                placed[chunk_id].append(found)
    return {chunk_id: tuple(found) for chunk_id, found in placed.items()}


def _file_of(members: Sequence[CorpusRow], texts: Sequence[_Text]) -> _Text | None:
    held = Counter(
        {place: sum(_found(row, text) is not None for row in members) for place, text in enumerate(texts)}
    )
    [(best, count)] = held.most_common(1) or [(0, 0)]
    return texts[best] if count and count >= _MOST * len(members) else None


def _found(row: CorpusRow, text: _Text) -> tuple[int, int] | None:
    """With its number in front, since short provisions of one text may read the same."""
    words = comparable(row.text)
    return text.find(comparable(row.article) + words) or text.find(words)


def _held_by(row: CorpusRow, text: _Text) -> Iterator[tuple[str, Placed]]:
    """The chunks that hold at least half of the row, or nothing but it."""
    span = _found(row, text)
    if span is None:
        return
    for chunk in text.chunks:
        start, end = max(span[0], chunk.char_start), min(span[1], chunk.char_end)
        shorter = min(span[1] - span[0], chunk.char_end - chunk.char_start)
        if end > start and 2 * (end - start) >= shorter:
            yield chunk.id, Placed(row.doc_id, start - chunk.char_start, end - chunk.char_start)
