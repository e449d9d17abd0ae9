"""One way of writing for all questions and names, character for character, so that offsets stay true."""

from functools import lru_cache

from ingestion.analyzer import simplify
from rules.mentions.folding import fold

_CACHED = 8192  # characters; those of everyday Chinese and then some


def plain(text: str) -> str:
    """Half-width, simplified, lower case; 〇 is 零. Of the same length as `text`, whatever it holds."""
    return "".join(map(_plain, text))


@lru_cache(maxsize=_CACHED)
def _plain(char: str) -> str:
    folded = fold(simplify(char)).lower()
    return folded if len(folded) == 1 else char
