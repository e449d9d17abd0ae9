"""Keeps a model's visible reasoning out of its answer, for servers that do not separate the two."""

_OPEN = "<think>"
_CLOSE = "</think>"


def without_reasoning(text: str) -> str:
    """`text` without a leading `<think>…</think>`, which some servers leave in the answer."""
    if not text.lstrip().startswith(_OPEN):
        return text
    return text.partition(_CLOSE)[2].lstrip()


class ReasoningFilter:
    """`without_reasoning` for a stream: `feed` returns what of the text so far may be shown."""

    def __init__(self) -> None:
        self._held = ""
        self._passing = False

    def feed(self, piece: str) -> str:
        if self._passing:
            return piece
        self._held += piece
        start = self._held.lstrip()
        if start.startswith(_OPEN):
            _, closed, rest = start.partition(_CLOSE)
            rest = rest.lstrip()
            if not closed or not rest:
                return ""
        elif _OPEN.startswith(start):
            return ""  # may still become the opening tag
        else:
            rest = self._held
        self._passing = True
        return rest

    def finish(self) -> str:
        """What was held back and turned out to be text after all."""
        held = "" if self._passing else self._held
        return "" if held.lstrip().startswith(_OPEN) else held
