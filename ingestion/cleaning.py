"""What in a document is no content: running headers, page numbers, tables of contents, revision records.

Each function recognises one kind of noise from text (and, for pages, position); the parser removes it and
books every character in its report under one of the `Noise` reasons. Character repair lives in `glyphs`.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from ingestion.dates import DATE
from ingestion.glyphs import normalise
from ingestion.headings import numbering


class Noise(StrEnum):
    """Reasons under which text is dropped."""

    RUNNING_HEADER = "running_header"
    RUNNING_FOOTER = "running_footer"
    PAGE_NUMBER = "page_number"
    TOC = "table_of_contents"
    REVISION_RECORD = "revision_record"
    ATTACHMENT_LIST = "attachment_list"
    WATERMARK = "watermark"
    INVISIBLE = "invisible"  # zero-width characters and line-end hyphens
    GARBLED = "garbled"  # a page whose font has no usable character map
    TABLE_HEADER = "repeated_table_header"  # printed again where a table goes on over a page


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Text inside a paragraph or table that is no content, and why: a `Noise` or a reason of the format."""

    text: str
    reason: str


# --- running headers and footers -------------------------------------------------------------------------

_BAND = 0.15  # outer share of the page height in which a running line can stand
_LINES_PER_BAND = 3
_REPEATED = 0.4  # share of the pages, or of the odd or even pages
_SAME_PLACE = 3.0  # points
_PAGE_NUMBER = re.compile(
    r"[-—–·\s]*(?:第?\s*\d{1,4}\s*页?|[ivxlc]{1,6})[-—–·\s]*"
    r"|第?\s*\d{1,4}\s*页?\s*(?:[/／,，|]\s*共?|共)\s*\d{1,4}\s*页?|page\s*\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?",
    re.I,
)
_NUMBER = re.compile(r"\d+|[〇零一二三四五六七八九十百千]+")


@dataclass(frozen=True, slots=True)
class PageLine:
    """A line by its place: `top` and `bottom` in points from the top of the page."""

    text: str
    top: float
    bottom: float


def is_page_number(text: str) -> bool:
    """`12`, `- 12 -`, `第 3 页 共 8 页`, `3/8`: only meaningful in the outer band of a page."""
    return bool(_PAGE_NUMBER.fullmatch(text.strip()))


def running_lines(pages: Sequence[Sequence[PageLine]], heights: Sequence[float]) -> list[dict[int, Noise]]:
    """Per page, the indices of lines that are running headers, footers or page numbers.

    A line counts when its text with every number as # stands at the same height (3 pt) on 40 % of the pages,
    or of the odd or even ones, and on two pages at least. Going inwards the first line that does not
    repeat ends the search, so a repeated sub-heading in the body stays. A single page is never judged.
    """
    if len(pages) < 2:
        return [{} for _ in pages]
    bands = [_bands(page, height) for page, height in zip(pages, heights, strict=True)]
    places: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for index, (page, band) in enumerate(zip(pages, bands, strict=True)):
        for i in {*band.top, *band.bottom}:
            places[_key(page[i].text)].append((index, page[i].top))
    found: list[dict[int, Noise]] = []
    for index, (page, band) in enumerate(zip(pages, bands, strict=True)):
        noise: dict[int, Noise] = {}
        for indices, reason in ((band.top, Noise.RUNNING_HEADER), (band.bottom, Noise.RUNNING_FOOTER)):
            for i in indices:
                if is_page_number(page[i].text):
                    noise[i] = Noise.PAGE_NUMBER
                elif _repeats(places[_key(page[i].text)], index, page[i].top, len(pages)):
                    noise.setdefault(i, reason)
                else:
                    break
        found.append(noise)
    return found


@dataclass(frozen=True, slots=True)
class _Bands:
    """Line indices of one page from the outside inwards."""

    top: list[int]
    bottom: list[int]


def _bands(page: Sequence[PageLine], height: float) -> _Bands:
    order = sorted(range(len(page)), key=lambda i: page[i].top)
    top = [i for i in order if page[i].bottom <= height * _BAND]
    bottom = [i for i in reversed(order) if page[i].top >= height * (1 - _BAND)]
    return _Bands(_outer(page, top), _outer(page, bottom))


def _outer(page: Sequence[PageLine], indices: Sequence[int]) -> list[int]:
    """The lines of the outermost three rows: a header's left and right part share a row."""
    kept: list[int] = []
    rows = 0
    for i in indices:
        rows += not kept or abs(page[i].top - page[kept[-1]].top) > _SAME_PLACE
        if rows > _LINES_PER_BAND:
            break
        kept.append(i)
    return kept


def _key(text: str) -> str:
    return _NUMBER.sub("#", re.sub(r"\s", "", normalise(text)))


def _repeats(places: Sequence[tuple[int, float]], page: int, top: float, pages: int) -> bool:
    same = {index for index, other in places if abs(other - top) <= _SAME_PLACE}
    parity = sum(index % 2 == page % 2 for index in same)
    of_parity = (pages + 1 - page % 2) // 2
    return len(same) >= 2 and (len(same) >= _REPEATED * pages or 2 <= parity >= _REPEATED * of_parity > 1)


# --- tables of contents ----------------------------------------------------------------------------------

_LEADER = re.compile(r"(?:[.．]\s?){4,}|…{2,}|·{4,}|(?:\.\s){3,}|_{6,}")
_TOC_ENTRY = re.compile(rf"({_LEADER.pattern})\s*[-–—(（]?\s*[\divxIVX]{{1,5}}\s*[-–—)）]?\s*$")
_TOC_TITLE = re.compile(r"(?:目\s*(?:录|錄|次)|(?:table of )?contents)", re.I)
_NUMBERED_ENTRY = re.compile(r"^(?P<title>.*[^\W\d_].*?)[\s\t]+\d{1,4}$")
_TOC_SHARE = 0.4
_TOC_LINES = 3


def is_toc_title(text: str) -> bool:
    """目录, 目 次, Contents."""
    return bool(_TOC_TITLE.fullmatch(text.strip(" :：")))


def is_toc_entry(text: str) -> bool:
    """A title, leader dots and a page number."""
    return bool(_TOC_ENTRY.search(text.strip()))


def toc_title(text: str) -> str:
    """The title of a table-of-contents entry, without leader and page number: a hint where headings are."""
    text = text.strip()
    if match := _TOC_ENTRY.search(text):
        return text[: match.start()].strip()
    match = _NUMBERED_ENTRY.match(text)
    return match["title"].strip() if match else text


def toc_lines(lines: Sequence[str]) -> range:
    """The lines of one page that are its table of contents; an empty range when there is none.

    A page with three lines or more of which 40 % are entries, or one headed 目录 with at least one entry.
    An agenda without page numbers is content and stays.
    """
    texts = [line.strip() for line in lines]
    headed = next((i for i, text in enumerate(texts[:3]) if is_toc_title(text)), None)
    entries = [i for i, text in enumerate(texts) if is_toc_entry(text)]
    if headed is not None:
        entries = entries or [i for i in range(headed + 1, len(texts)) if _NUMBERED_ENTRY.match(texts[i])]
        plausible = bool(entries) and len(entries) * 2 >= entries[-1] - headed
        return range(headed, entries[-1] + 1) if plausible else range(0)
    if len(texts) >= _TOC_LINES and len(entries) >= max(2, _TOC_SHARE * len(texts)):
        return range(_entry_start(texts, entries[0]), entries[-1] + 1)
    return range(0)


def _entry_start(texts: Sequence[str], first: int) -> int:
    """A first entry wrapped over two lines begins one line earlier."""
    wrapped = first > 0 and numbering(texts[first]) is None and numbering(texts[first - 1]) is not None
    return first - 1 if wrapped else first


# --- revision records ------------------------------------------------------------------------------------

_WHAT_CHANGED = re.compile(r"版本|版次|修订|更改|变更|修改")
_MAX_HEADER = 16  # characters
_HEADER_ROWS = 3  # a record's header may stand below a title row
_WHEN = re.compile(r"日期|时间")
_HOW = re.compile(r"说明|内容|描述|摘要|状态|原因")
_REVISION_TITLE = re.compile(
    r"(?:文[件档])?(?:修订|修改|更改|变更|版本)(?:记录|履历|历史|历程|状态|控制)(?:表|页)?|版本(?:说明|信息)表"
)
_VERSION = re.compile(r"\b[Vv]?\d{1,2}(?:\.\d{1,3}){0,3}\b|第?[一二三四五六七八九十\d]+版")
_DATE = re.compile(r"(?:19|20)\d{2}\s*[-./年]\s*\d{1,2}(?:\s*[-./月]\s*\d{1,2})?")


def is_revision_title(text: str) -> bool:
    """修订记录, 更改履历, 版本历史 standing alone."""
    return bool(_REVISION_TITLE.fullmatch(re.sub(r"\s", "", text).strip("：:")))


def is_revision_header(cells: Iterable[str]) -> bool:
    """Whether the header row of a table is that of a revision record.

    Two columns or more that say what changed (版本, 修订, 更改), one that says when, one that says how; a
    table that merely has a 修改时间 column is data.
    """
    texts = [re.sub(r"\s", "", cell) for cell in cells if cell.strip()]
    changed = sum(bool(_WHAT_CHANGED.search(text)) for text in texts)
    when = any(_WHEN.search(text) for text in texts)
    how = any(_HOW.search(text) for text in texts)
    return changed >= 2 and when and how and all(len(text) <= _MAX_HEADER for text in texts)


def is_revision_record(rows: Sequence[Sequence[str]], above: str) -> bool:
    """Whether a table is a revision record: by its header within the first rows, or by its title.

    A title such as 版本历史 right above (with or without a number) or in a row of its own is not enough: data
    stands under 变更控制, too. A column must say when, and a cell a day.
    """
    heads = rows[:_HEADER_ROWS]
    if any(is_revision_header(row) for row in heads):
        return True
    found = numbering(above)
    title_row = rows[0][0] if rows and len(rows[0]) == 1 else ""
    titled = is_revision_title(found.title if found else above) or is_revision_title(title_row)
    dated = any(_has_date_column(row) for row in heads)
    return titled and dated and any(_DATE.search(cell) for row in rows for cell in row)


def _has_date_column(cells: Iterable[str]) -> bool:
    return any(_WHEN.search(cell) and len(cell) <= _MAX_HEADER for cell in cells)


def is_revision_row(text: str) -> bool:
    """A line `V1.0 2020-01-01 人力资源部 全面修订` of a revision record that is not ruled."""
    return bool(_VERSION.match(text.strip()) and _DATE.search(text))


# --- lists of attachments --------------------------------------------------------------------------------

_LIST_TITLE = re.compile(r"附\s*[件录](?:清单|目录|列表|一览表?)(?:如下)?\s*[：:]?|附\s*件\s*[：:]")
_LIST_OPENING = re.compile(r"附\s*件\s*[：:]\s*(?=(?:1|一|①|（一）|\(一\))\s*[.．、:：]?\s*\S)")
_ITEM = re.compile(r"附\s*[件录表]\s*[\d一二三四五六七八九十]{1,2}\s*[：:、.．]?\s*\S")
_NUMBERED_NAME = re.compile(r"\d{1,2}\s*[.．、:：)）]\s*\S")
_DAY = re.compile(rf"\s*(?:{DATE})")
_HAN, _CIRCLED = "一二三四五六七八九十", "①②③④⑤⑥⑦⑧⑨⑩"
_MAX_ITEM = 60


def attachment_lists(texts: Sequence[str]) -> list[range]:
    """The places of every 附件清单 in texts in reading order; an empty text belongs to none."""
    found: list[range] = []
    place = 0
    while place < len(texts):
        length = attachment_list(texts, place)
        if length:
            found.append(range(place, place + length))
        place += max(length, 1)
    return found


def attachment_list(texts: Sequence[str], start: int = 0) -> int:
    """How many texts from `start` on are a 附件清单: the names of attachments, not their content.

    The title (附件清单, 附件：) followed by short names numbered in one way, or 附件：1.甲 followed by 2.乙.
    0 when there is none; one name alone behind 附件： is a list, too.
    """
    first = texts[start].strip()
    opening = _numbered_by(_LIST_OPENING.sub("", first)) if _LIST_OPENING.match(first) else ""
    if not opening and not _LIST_TITLE.fullmatch(first):
        return 0
    end = start + 1
    style = opening or (_numbered_by(texts[end].strip()) if end < len(texts) else "")
    while style and end < len(texts) and _numbered_by(texts[end].strip()) == style:
        end += 1
    return end - start if opening or end - start > 1 else 0


def _numbered_by(text: str) -> str:
    """How a short name is numbered (1, 一, 附); empty for what is no name: a day under it signs off."""
    if not 0 < len(text) <= _MAX_ITEM or re.search(r"[。！？]", text) or _DAY.match(text):
        return ""
    if not (_ITEM.match(text) or _NUMBERED_NAME.match(text) or numbering(text) is not None):
        return ""
    return next((kind[0] for kind in ("0123456789", _HAN, _CIRCLED) if text[0] in kind), text[0])


def most_common(texts: Iterable[str], limit: int = 5) -> tuple[str, ...]:
    """The distinct texts by frequency, the first seen first among equals."""
    return tuple(text for text, _ in Counter(texts).most_common(limit))
