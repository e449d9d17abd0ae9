"""Markdown by the CommonMark grammar, with tables, front matter and footnotes.

Every line of the file belongs to one block or to the markup around it. Embedded HTML is read by `html`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from markdown_it import MarkdownIt
from markdown_it.token import Token

from ingestion.documents import Anchor, Block, BlockBuilder, BlockKind, Metadata, Parsed, count_chars
from ingestion.glyphs import normalise
from ingestion.headings import Outline, looks_like_heading, numbering
from ingestion.parsers.attachment_lists import drop_attachment_lists
from ingestion.parsers.embedded_tables import Before, add_table
from ingestion.parsers.html import Walker, count_text, tree
from ingestion.parsers.html_page import Page
from ingestion.parsers.inline import collapse
from ingestion.parsers.text import BODY_SIZE, TITLE_SIZE, decode_text, note_encoding
from ingestion.protocols import Ocr
from ingestion.tables import Table, source_characters

_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\n(.*?\n)?\1[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT_FIELD = re.compile(r"""^(\w[\w -]{0,40}?)\s*[:=]\s*["']?(.*?)["']?\s*$""", re.MULTILINE)
_FRONT_LINE = re.compile(r"\w[\w .-]{0,40}\s*(?::(?:\s|$)|=)|-\s|\s+\S|#|\[[^\]]+\]\s*$|\s*$")
_FOOTNOTE = re.compile(r"^\[\^[^\]\s]+\]:\s*")
_FOOTNOTE_MARK = re.compile(r"\[\^[^\]\s]+\]")
_LINK_DEFINITION = re.compile(r"\[[^\]]+\]:\s*<?(?:[a-z]+:|[./#])\S*", re.IGNORECASE)
_LINE_END = re.compile(r"\r\n?")


def parse(data: bytes, *, password: str | None = None, ocr: Ocr | None = None) -> Parsed:
    """`password` and `ocr` have no meaning for text. Raises ParseFailure when the bytes are no text."""
    decoded = decode_text(data)
    builder = BlockBuilder()
    note_encoding(builder, decoded)
    text = _LINE_END.sub("\n", decoded.text)
    front = _front_matter(text)
    fields = _FRONT_FIELD.findall(front)
    builder.drop("front_matter", front)
    body = len(front)
    reader = _Reader(builder, text[body:], first_line=text.count("\n", 0, body) + 1)
    reader.read()
    drop_attachment_lists(builder)
    metadata = Metadata(
        title=next((value for name, value in fields if name.lower() in ("title", "标题")), ""),
        author=next((value for name, value in fields if name.lower() in ("author", "作者")), ""),
        encoding=decoded.encoding,
        running_headers=tuple(f"{name}: {value}" for name, value in fields),
        revision_table=reader.records,
    )
    return builder.finish(count_chars(text), metadata=metadata)


def _front_matter(text: str) -> str:
    """The fields between two rules at the top; empty when anything else than fields stands there.

    Fields go on in list items and indented lines, with comments between: text between two rules is text.
    """
    found = _FRONT_MATTER.match(text)
    lines = (found[2] or "").split("\n") if found else []
    opens = next((line for line in lines if line.strip() and not line.startswith(("#", "["))), "")
    if found is None or not _FRONT_FIELD.match(opens) or not all(map(_FRONT_LINE.match, lines)):
        return ""
    return found.group()


@dataclass
class _Reader:
    builder: BlockBuilder
    text: str
    first_line: int = 1
    records: tuple[tuple[str, ...], ...] = ()
    _outline: Outline = field(default_factory=Outline)
    _before: Before = field(default_factory=Before)
    _slugs: dict[str, int] = field(default_factory=dict)
    _slug: str | None = None

    def __post_init__(self) -> None:
        self._lines = self.text.split("\n")
        self._tokens = _grammar().parse(self.text)

    def read(self) -> None:
        index = 0
        while index < len(self._tokens):
            index = self._take(index)
        # What no block covers is markup between blocks: rules, marks of lists and quotes without text.
        self._drop_markup("\n".join(self._lines), kept=0)

    def _take(self, index: int) -> int:
        """Deal with the token at `index`; returns the index of the next one."""
        token = self._tokens[index]
        match token.type:
            case "heading_open":
                self._heading(token, self._tokens[index + 1])
            case "paragraph_open":
                self._paragraph(index)
            case "fence" | "code_block":
                self._keep(BlockKind.PARAGRAPH, token.content.strip("\n"), token)
            case "html_block":
                self._html(token)
            case "table_open":
                return self._table(index)
        return index + 1

    def _heading(self, token: Token, inline: Token) -> None:
        text = visible(inline)
        self._open_section(text)
        level = self._outline.level(numbering(text), styled=int(token.tag[1]), size=TITLE_SIZE)
        self._keep(BlockKind.HEADING, text, token, level)
        self._before = Before(heading=text)

    def _open_section(self, text: str) -> None:
        slug = slug_of(text)
        seen = self._slugs.get(slug, 0)
        self._slugs[slug] = seen + 1
        self._slug = f"{slug}-{seen}" if seen else slug

    def _paragraph(self, index: int) -> None:
        token, inline = self._tokens[index], self._tokens[index + 1]
        text = visible(inline)
        if _FOOTNOTE.match(inline.content):
            self._keep(BlockKind.NOTE, _FOOTNOTE.sub("", text), token)
        elif all(map(_LINK_DEFINITION.match, inline.content.split("\n"))):
            self.builder.drop("link_definition", self._book(token))
        elif _is_bold_heading(inline, text):
            self._open_section(text)
            self._keep(BlockKind.HEADING, text, token, self._outline.level(numbering(text), size=BODY_SIZE))
            self._before = Before(heading=text)
        elif item := self._item_of(index):
            number = f"{item.info}{item.markup} " if item.info else ""
            self._keep(BlockKind.LIST, number + text, token)
        else:
            self._keep(BlockKind.PARAGRAPH, text, token)
            self._before = Before(self._before.heading, text)

    def _item_of(self, index: int) -> Token | None:
        """The list item a paragraph opens; a later paragraph of the item goes without its number."""
        previous = self._tokens[index - 1] if index else None
        if previous is not None and previous.type == "list_item_open":
            return previous
        return (
            Token("list_item_open", "li", 1)
            if self._tokens[index].level >= 2 and self._in_list(index)
            else None
        )

    def _in_list(self, index: int) -> bool:
        depth = 0
        for token in reversed(self._tokens[:index]):
            if token.type in ("list_item_open", "list_item_close"):
                depth += token.nesting
                if depth > 0:
                    return True
            if token.level == 0 and token.nesting >= 0 and token.type != "list_item_open":
                break
        return False

    def _html(self, token: Token) -> None:
        raw = self._book(token)
        root = tree(token.content)
        if root is None:
            self.builder.drop("comment", raw)  # nothing but comments makes no tree
            return
        self.records += Walker(self.builder, Page(root), self._outline).walk(root)
        self._drop_markup(raw, kept=count_text(root))

    def _table(self, index: int) -> int:
        end = _closing(self._tokens, index)
        token = self._tokens[index]
        rows = list(_table_rows(self._tokens[index:end]))
        table = Table.from_rows(rows, header_rows=1, anchor=self._anchor(token))
        raw = self._book(token)
        self.records += add_table(self.builder, table, self._before)
        self._before = Before(self._before.heading)
        self._drop_markup(raw, kept=source_characters(table))
        return end + 1

    def _keep(self, kind: BlockKind, text: str, token: Token, level: int = 0) -> None:
        raw = self._book(token)
        clean = normalise(text)
        kept = min(count_chars(raw), count_chars(text)) if clean.strip() else 0
        self.builder.add(Block(kind, clean, self._anchor(token), level=level, source_chars=kept))
        self._drop_markup(raw, kept)

    def _anchor(self, token: Token) -> Anchor:
        return Anchor(element=self._slug, paragraph=token.map[0] + self.first_line if token.map else None)

    def _book(self, token: Token) -> str:
        """The lines of a token, each line of the file once."""
        first, last = token.map or (0, 0)
        raw = "\n".join(self._lines[first:last])
        self._lines[first:last] = [""] * (min(last, len(self._lines)) - first)
        return raw

    def _drop_markup(self, raw: str, kept: int) -> None:
        self.builder.drop("markup", raw, max(0, count_chars(raw) - kept))


def _grammar() -> MarkdownIt:
    # Link definitions stay visible: under the rule a footnote's text would vanish as if it were a target.
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("reference")


def visible(inline: Token) -> str:
    """The text of an inline token as a reader sees it, on one line."""
    parts: list[str] = []
    for child in inline.children or ():
        if child.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif child.type == "image":
            parts.append(f"{child.content} ")
        elif child.type == "html_inline":
            parts.append("\n" if child.content.lower().startswith("<br") else "")
        else:
            parts.append(child.content)
    return collapse(_FOOTNOTE_MARK.sub(_keep_definition, "".join(parts)))


def _keep_definition(mark: re.Match[str]) -> str:
    is_definition = mark.start() == 0 and mark.string[mark.end() : mark.end() + 1] == ":"
    return mark.group() if is_definition else ""


def _is_bold_heading(inline: Token, text: str) -> bool:
    children = [child for child in inline.children or () if child.type != "text" or child.content.strip()]
    bold = len(children) >= 3 and children[0].type == "strong_open" and children[-1].type == "strong_close"
    found = numbering(text)
    whole = sum(child.type == "strong_open" for child in children) == 1
    return bold and whole and found is not None and not found.is_clause and looks_like_heading(text)


def _closing(tokens: Sequence[Token], index: int) -> int:
    level = tokens[index].level
    return next(
        i
        for i in range(index + 1, len(tokens))
        if tokens[i].type == "table_close" and tokens[i].level == level
    )


def _table_rows(tokens: Sequence[Token]) -> Iterator[list[str]]:
    row: list[str] = []
    for token in tokens:
        if token.type == "inline":
            row.append(visible(token))
        elif token.type == "tr_close":
            yield row
            row = []


def slug_of(text: str) -> str:
    """The id a Markdown viewer gives a heading: lower case, blanks as hyphens, punctuation left out."""
    return re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
