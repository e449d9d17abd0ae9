"""Fences around text that others wrote, for a prompt: marks that no content contains, so none can close.

What lies inside is data; `prompts/data_fence.md` tells the model so.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

_NONCE_LENGTH = 12  # hexadecimal digits

# Servers that tokenise the rendered chat template would read these, inside a passage, as the start of a new
# turn (ChatML and DeepSeek, Gemma, Llama/Mistral). Only the model's copy is changed, never what is cited.
_CHAT_CONTROL = re.compile(r"<(?=[|｜][^<>]{1,40}[|｜]>|/?s>|(?:start|end)_of_turn>|<SYS>>)|\[(?=/?INST\])")
_LOOKALIKE = {"<": "＜", "[": "［"}

Data = str | Sequence[str] | Mapping[int, str]
"""What a fence can hold: one text, texts numbered from 1, or texts under their own numbers."""


def fenced(blocks: Mapping[str, Data]) -> dict[str, str]:
    """Each named text between `<name-mark>` and `</name-mark>`, the items of a list each in marks too."""
    nonce = _nonce(blocks)
    return {name: _fence(name, data, nonce) for name, data in blocks.items()}


def _texts(data: Data) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    else:
        yield from data.values() if isinstance(data, Mapping) else data


def _nonce(blocks: Mapping[str, Data]) -> str:
    """A mark that occurs in none of the texts, so that none can close its fence; equal input, equal mark."""
    texts = [text for name in sorted(blocks) for text in _texts(blocks[name])]
    folded = [unicodedata.normalize("NFKC", text).casefold() for text in texts]
    digest = hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass"))
    while True:
        digest.update(b"next")
        nonce = digest.hexdigest()[:_NONCE_LENGTH]
        if not any(nonce in text for text in folded):
            return nonce


def _fence(name: str, data: Data, nonce: str) -> str:
    tag = f"{name}-{nonce}"
    if isinstance(data, str):
        lines = [_defused(data)]
    else:
        numbered = data.items() if isinstance(data, Mapping) else enumerate(data, start=1)
        item = f"item-{nonce}"
        lines = [f'<{item} n="{number}">\n{_defused(text)}\n</{item}>' for number, text in numbered]
    return "\n".join([f"<{tag}>", *lines, f"</{tag}>"])


def _defused(text: str) -> str:
    return _CHAT_CONTROL.sub(lambda found: _LOOKALIKE[found[0]], text)
