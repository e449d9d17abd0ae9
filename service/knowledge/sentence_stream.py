"""Cuts a text that arrives in pieces into whole sentences, so that each is checked before anyone reads it.

A sentence ends with its mark, the closing quotes and the citation numbers that follow: 「……提交报销单。[2]」
and 「……提交报销单[2]。」 are one sentence each. A line end closes one too; the line end stays with it.
"""

import re

from service.knowledge.marks import BROKEN_MARK, MARK

_END = re.compile(rf"[。！？!?；;]+[”’」』）)\"']*(?:\s*{MARK})*|(?<=\])\.(?=\s)|\.(?:\s?{MARK})+|\n+")
_BROKEN_CITATION = re.compile(rf"\s*{BROKEN_MARK}")


class SentenceStream:
    """`feed` returns the sentences that are complete, `finish` what is left."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, piece: str) -> list[str]:
        self._held += piece
        done: list[str] = []
        while (end := self._end()) is not None:
            done.append(self._held[:end])
            self._held = self._held[end:]
        return done

    def finish(self) -> str:
        left, self._held = self._held, ""
        return left

    def _end(self) -> int | None:
        """Where the first sentence ends; None while a closing quote or a citation may still follow it."""
        begin = len(self._held) - len(self._held.lstrip())  # blank lines go with the sentence they precede
        found = _END.search(self._held, begin)
        if found is None:
            return None
        rest = self._held[found.end() :]
        if found.group().endswith("\n") or rest.strip(" "):
            return None if _BROKEN_CITATION.fullmatch(rest) else found.end()
        return None
