"""A newsroom over HTTP: what a request asked, and a model that answers its three roles as it is told."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tests.doubles.behaviours import Behaviour, say_json
from tests.doubles.llm import RecordedRequest

_LINE = re.compile(r"^\[(\d+)\](\[context\])? ", re.MULTILINE)
_HEADING = re.compile(r"^=== 模块 (\d+)｜主题：(.*?)｜段落 (\d+)—(\d+)", re.MULTILINE)
_COUNT = re.compile(r"本次共 (\d+) 组")

DESCRIPTION = {
    "topic": "华东区返点调整",
    "keywords": ["返点", "经销商", "华东区"],
    "synonyms": ["渠道返利", "折扣政策"],
}


@dataclass(frozen=True)
class Module:
    """A heading of the review's prompt."""

    index: int
    topic: str
    start: int
    end: int


def part(request: RecordedRequest, name: str) -> str:
    """What stands in the prompt between the fences of one variable."""
    found = re.search(rf"<{name}-([0-9a-f]{{12}})>\n(.*?)\n</{name}-\1>", request.user, re.DOTALL)
    assert found is not None, f"{request.step} has no {name}"
    return found[2]


def judged(request: RecordedRequest) -> list[int]:
    """Numbers of the paragraphs of a boundary request's batch."""
    return [int(n) for n, context in _LINE.findall(part(request, "paragraphs")) if not context]


def context(request: RecordedRequest) -> list[int]:
    return [int(n) for n, context in _LINE.findall(part(request, "paragraphs")) if context]


def modules(request: RecordedRequest) -> list[Module]:
    found = _HEADING.findall(part(request, "segments"))
    return [Module(int(index), topic, int(start), int(end)) for index, topic, start, end in found]


def count(request: RecordedRequest) -> int:
    found = _COUNT.search(request.user)
    assert found is not None
    return int(found[1])


def starting_at(*numbers: int) -> Behaviour:
    return say_json({"starts": list(numbers)})


def described(number: int) -> Behaviour:
    return say_json({"groups": [DESCRIPTION] * number})


def passing() -> Behaviour:
    return say_json({"passed": True, "issues": [], "suggestion": "OK"})


def objecting(issues: Mapping[int, str], suggestion: str = "按议程合并") -> Behaviour:
    listed = [{"semantics_index": index, "issue": issue} for index, issue in issues.items()]
    return say_json({"passed": False, "issues": listed, "suggestion": suggestion})


def _first_of_batch(request: RecordedRequest) -> Behaviour:
    return starting_at(judged(request)[0])


def _right_count(request: RecordedRequest) -> Behaviour:
    return described(count(request))


def _pass(request: RecordedRequest) -> Behaviour:
    return passing()


@dataclass
class Newsroom:
    """`answer_with` this: each role as told, and every request by its role."""

    boundary: Callable[[RecordedRequest], Behaviour] = _first_of_batch
    metadata: Callable[[RecordedRequest], Behaviour] = _right_count
    review: Callable[[RecordedRequest], Behaviour] = _pass
    asked: dict[str, list[RecordedRequest]] = field(
        default_factory=lambda: {"boundary": [], "metadata": [], "review": []}
    )

    def __call__(self, request: RecordedRequest) -> Behaviour:
        role = request.step.removeprefix("minutes/")
        self.asked[role].append(request)
        answer = {"boundary": self.boundary, "metadata": self.metadata, "review": self.review}[role]
        return answer(request)
