"""Loads `prompts/<path>/<step>.md`, checks its variables and fences off whatever other people wrote.

A prompt file is optional front matter (`model: small|strong`, `temperature: 0.1`) and the parts `## system`
and `## user`. `{{name}}` alone on a line of the user part becomes a fenced block of data; `{{=name}}` is a
short value of our own (a number, a date, one word) and may stand anywhere; `{{>name}}` alone on a line is a
longer text of our own (a schema, a list of faults) that is to be followed. There are no loops or conditions.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path

from service.errors import ZhixingError
from service.fences import Data, fenced

_STEP = re.compile(r"[a-z][a-z0-9_]*(/[a-z][a-z0-9_]*)*")
_PLACEHOLDER = re.compile(r"\{\{(?P<mark>[=>]?)(?P<name>[a-z][a-z0-9_]*)\}\}")
_DATA, _INLINE, _OURS = "", "=", ">"  # the marks of a placeholder
_PART = re.compile(r"^## (system|user)[ \t]*$", re.MULTILINE)
_INLINE_LIMIT = 80  # characters; anything longer is content and belongs in a fence


class PromptError(ZhixingError):
    """A prompt file is absent or malformed, or was given other variables than it names: our own mistake."""

    code = "prompt_invalid"


class ModelSize(StrEnum):
    SMALL = "small"
    STRONG = "strong"


@dataclass(frozen=True, slots=True)
class OurText:
    """A text the program wrote, of any length, which stands in a prompt without a fence and is followed.

    Wrapping a text says so: nothing that a user, a document or a model wrote may be part of it.
    """

    text: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """The two messages of a call. `system` never contains anything a user or a document wrote."""

    system: str
    user: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """One step's wording. `blocks` are its fenced variables, `inlines` short values, `ours` texts of ours."""

    step: str
    model: ModelSize
    temperature: float
    system: str
    user: str
    blocks: frozenset[str]
    inlines: frozenset[str]
    ours: frozenset[str]

    def render(self, variables: Mapping[str, object]) -> Rendered:
        """Fill in the variables. A missing, surplus or unfit one raises PromptError."""
        self._check_names(variables)
        blocks = {name: _as_data(self.step, name, variables[name]) for name in self.blocks}
        inlines = {name: _inline(self.step, name, variables[name]) for name in self.inlines}
        ours = {name: _our_text(self.step, name, variables[name]) for name in self.ours}
        texts = {**fenced(blocks), **inlines, **ours}
        return Rendered(_fill(self.system, texts), _fill(self.user, texts))

    def _check_names(self, variables: Mapping[str, object]) -> None:
        expected = self.blocks | self.inlines | self.ours
        if missing := sorted(expected - variables.keys()):
            raise PromptError(f"提示词 {self.step} 缺少变量：{'、'.join(missing)}")
        if surplus := sorted(variables.keys() - expected):
            raise PromptError(f"提示词 {self.step} 没有这些变量：{'、'.join(surplus)}")


class PromptLibrary:
    """The prompt files under one folder, each read once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._prompts: dict[str, Prompt] = {}

    def load(self, step: str) -> Prompt:
        """`step` is the path below the folder without `.md`, e.g. `knowledge/answer`. Raises PromptError."""
        if step not in self._prompts:
            self._prompts[step] = parse_prompt(step, self._read(step))
        return self._prompts[step]

    def steps(self) -> list[str]:
        """Every prompt there is, sorted; `README.md` is for people."""
        files = (path for path in self._folder.rglob("*.md") if path.name != "README.md")
        return sorted(path.relative_to(self._folder).with_suffix("").as_posix() for path in files)

    def _read(self, step: str) -> str:
        if not _STEP.fullmatch(step):
            raise PromptError(f"提示词名称 {step!r} 不合规则")
        try:
            return (self._folder / f"{step}.md").read_text(encoding="utf-8")
        except (FileNotFoundError, UnicodeDecodeError) as error:
            raise PromptError(f"读不到提示词 {step}：{self._folder / f'{step}.md'}") from error


def parse_prompt(step: str, text: str) -> Prompt:
    """Read one prompt file's text. Raises PromptError naming what is wrong with it."""
    settings, body = _front_matter(step, text.replace("\r\n", "\n"))
    parts = _parts(step, body)
    found = {name for part, wording in parts.items() for name in _placeholders(step, part, wording)}
    counts = Counter(placeholder.name for placeholder in found)
    if mixed := sorted(name for name, count in counts.items() if count > 1):
        raise PromptError(f"提示词 {step} 的变量 {'、'.join(mixed)} 有两种写法，只能是一种变量")
    return Prompt(
        step=step,
        model=_model_size(step, settings.get("model", ModelSize.STRONG)),
        temperature=_temperature(step, settings.get("temperature", "0")),
        system=parts["system"],
        user=parts["user"],
        blocks=_named(found, _DATA),
        inlines=_named(found, _INLINE),
        ours=_named(found, _OURS),
    )


def _front_matter(step: str, text: str) -> tuple[dict[str, str], str]:
    if not text.startswith("---\n"):
        return {}, text
    head, closing, body = text[4:].partition("\n---\n")
    if not closing:
        raise PromptError(f"提示词 {step} 的首部没有以 --- 结束")
    settings: dict[str, str] = {}
    for line in head.splitlines():
        key, colon, value = line.partition(":")
        if not colon or key.strip() not in {"model", "temperature"} or key.strip() in settings:
            raise PromptError(f"提示词 {step} 的首部有无法识别的一行：{line!r}")
        settings[key.strip()] = value.strip()
    return settings, body


def _model_size(step: str, value: str) -> ModelSize:
    try:
        return ModelSize(value)
    except ValueError as error:
        raise PromptError(f"提示词 {step} 的 model 须是 small 或 strong，而不是 {value!r}") from error


def _temperature(step: str, value: str) -> float:
    try:
        temperature = float(value)
    except ValueError as error:
        raise PromptError(f"提示词 {step} 的 temperature 不是数字：{value!r}") from error
    if not 0 <= temperature <= 2:
        raise PromptError(f"提示词 {step} 的 temperature 须在 0 到 2 之间")
    return temperature


def _parts(step: str, body: str) -> dict[str, str]:
    preamble, *pieces = _PART.split(body)
    names, texts = pieces[::2], [text.strip() for text in pieces[1::2]]
    if preamble.strip() or names not in (["system", "user"], ["user"], ["system"]):
        raise PromptError(f"提示词 {step} 须由 ## system 与 ## user 两段组成，各至多一次，按此顺序")
    return {"system": "", "user": ""} | dict(zip(names, texts, strict=True))


@dataclass(frozen=True, slots=True)
class _Placeholder:
    name: str
    mark: str


def _named(placeholders: Iterable[_Placeholder], mark: str) -> frozenset[str]:
    return frozenset(each.name for each in placeholders if each.mark == mark)


def _placeholders(step: str, part: str, wording: str) -> Iterator[_Placeholder]:
    for line in wording.splitlines():
        if "{{" in _PLACEHOLDER.sub("", line):
            raise PromptError(f"提示词 {step} 里有写错的变量：{line.strip()!r}")
        for found in _PLACEHOLDER.finditer(line):
            alone = line.strip() == found[0]
            if found["mark"] == _DATA and (part == "system" or not alone):
                raise PromptError(f"提示词 {step} 的资料变量 {found[0]} 须在 ## user 里独占一行")
            if found["mark"] == _OURS and not alone:
                raise PromptError(f"提示词 {step} 的自有文字 {found[0]} 须独占一行")
            yield _Placeholder(found["name"], found["mark"])


def _as_data(step: str, name: str, value: object) -> Data:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping) and all(isinstance(key, int) for key in value):
        items = list(value.values())
    elif isinstance(value, Sequence):
        items = list(value)
    else:
        raise PromptError(f"提示词 {step} 的变量 {name} 须是文字或一组文字，而不是 {type(value).__name__}")
    if not all(isinstance(item, str) for item in items):
        raise PromptError(f"提示词 {step} 的变量 {name} 里有不是文字的一项")
    return value


def _inline(step: str, name: str, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float | date):
        raise PromptError(f"提示词 {step} 的行内变量 {name} 须是数字、日期或短词")
    text = str(value)
    if len(text) > _INLINE_LIMIT or len(text.splitlines()) > 1:
        raise PromptError(f"提示词 {step} 的行内变量 {name} 太长或有换行，应改为独占一行的资料变量")
    return text


def _our_text(step: str, name: str, value: object) -> str:
    if not isinstance(value, OurText):
        raise PromptError(f"提示词 {step} 的变量 {name} 只收程序自己的文字（OurText）")
    return value.text


def _fill(wording: str, texts: Mapping[str, str]) -> str:
    """One pass, so that braces inside a value are text and never a variable."""
    return _PLACEHOLDER.sub(lambda found: texts[found["name"]], wording)
