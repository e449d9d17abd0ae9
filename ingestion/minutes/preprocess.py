"""录入员: from the decoded text to numbered paragraphs, with an account of every character."""

import re
from collections import Counter
from collections.abc import Sequence

from ingestion.minutes.agent import Agent
from ingestion.minutes.formats import lines_of
from ingestion.minutes.heading import read_heading
from ingestion.minutes.lines import Layout, Line
from ingestion.minutes.speakers import assign
from ingestion.minutes.transcript import Drop, Paragraph, Transcript

_PICTURE = r"\u00a9\u00ae\u203c-\u2049\u2122-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_JOINER = rf"(?<=[{_PICTURE}\ufe0f])\u200d(?=[{_PICTURE}])"
_ZERO_WIDTH = re.compile(
    rf"({_JOINER})|[\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")


class PreprocessAgent(Agent):
    """Normalises line ends, counts and drops what is no speech, numbers the rest, reads who speaks when."""

    name = "录入员(PreprocessAgent)"

    def run(self, text: str, name: str = "", layout: Layout = Layout.TEXT) -> Transcript:
        """`text` is a file's decoded text, `name` the file's, for its title and day.

        A lone surrogate, which no file can hold, becomes U+FFFD. Raises ValueError for a JSON layout whose
        text is no JSON.
        """
        self._log(f"开始预处理，文本长度={len(text)}")
        read = lines_of(text, layout)
        drops = Counter({Drop.LINE_END: read.line_ends, Drop.MARKUP: read.markup})
        lines = _clean(read.lines, drops)
        heading = read_heading(lines, _encodable(name))
        spoken = assign(lines, heading.attendees)
        transcript = Transcript(
            title=heading.title,
            day=heading.day,
            attendees=heading.attendees,
            paragraphs=tuple(
                Paragraph(number, line.text, line.speaker, line.time) for number, line in enumerate(spoken, 1)
            ),
            drops={kind: drops[kind] for kind in Drop},
            raw_chars=len(text),
        )
        self._log(f"完成：{len(transcript.paragraphs)} 个段落，保留 {transcript.kept_chars} 字符")
        return transcript


def _clean(lines: Sequence[Line], drops: Counter[Drop]) -> list[Line]:
    """The lines that have text, without what cannot be seen; a blank line's freshness goes to the next."""
    kept: list[Line] = []
    fresh = False
    for line in lines:
        whole = _encodable(line.text)
        visible = _ZERO_WIDTH.sub(lambda found: found[1] or "", whole)
        text = visible.strip()
        drops[Drop.ZERO_WIDTH] += len(whole) - len(visible)
        drops[Drop.BLANK] += len(visible) - len(text)
        fresh = fresh or line.fresh
        if text:
            speaker, time = _encodable(line.speaker), _encodable(line.time)
            kept.append(Line(text, speaker, time, fresh))
            fresh = False
    return kept


def _encodable(text: str) -> str:
    return _SURROGATE.sub("\ufffd", text)
