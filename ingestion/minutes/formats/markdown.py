"""Markdown: its signs are markup, every word stays."""

import re

from ingestion.minutes.lines import Line, LineBuilder, Lines, split

_FENCE = re.compile(r"\s*(?:```+|~~~+)")
_HEADING = re.compile(r"\s{0,3}#{1,6}(?=\s|$)")
_CLOSING = re.compile(r"\s#+\s*$")
_RULE = re.compile(r"\s*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*)")
_DELIMITERS = re.compile(r"(?=.*\|)(?=.*-)[\s|:-]+")
_QUOTE = re.compile(r"(?:\s*>)+")
_BULLET = re.compile(r"\s*[-*+](?=\s)")
_STRONG = re.compile(r"\*\*(?=\S)([^*]+)(?<=\S)\*\*")


def read_markdown(text: str) -> Lines:
    """Headings end whoever spoke before. Inside code fences nothing is a sign."""
    builder = LineBuilder(split(text))
    fenced = False
    for line in builder:
        if fence := _FENCE.match(line.text):
            fenced = not fenced
            builder.keep(line, line.text[fence.end() :])
        elif fenced:
            builder.keep(line)
        else:
            _keep(builder, line)
    return builder.finish()


def _keep(builder: LineBuilder, line: Line) -> None:
    if _RULE.fullmatch(line.text) or _DELIMITERS.fullmatch(line.text):
        return
    if heading := _HEADING.match(line.text):
        words = _CLOSING.sub("", line.text[heading.end() :])
        builder.keep(Line("", fresh=True) if not words else Line(_plain(words), fresh=True))
        return
    words = line.text
    for sign in (_QUOTE, _BULLET):
        if found := sign.match(words):
            words = words[found.end() :]
    builder.keep(line, _plain(_without_outer_pipes(words)))


def _plain(words: str) -> str:
    return _STRONG.sub(r"\1", words)


def _without_outer_pipes(words: str) -> str:
    row = words.strip()
    if len(row) < 2 or not row.startswith("|"):
        return words
    return row[1:-1] if row.endswith("|") else row[1:]
