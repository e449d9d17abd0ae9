"""Weights that are fitted, written and read again are the same; what is damaged is refused by name."""

from pathlib import Path

import numpy as np
import pytest

from service.errors import BadRequest, Unavailable
from service.evaluation.minutes_fit import Example, fit, write
from service.evaluation.minutes_rows import MinutesRow
from service.minutes.evidence import NAMES, Features
from service.minutes.weighing import ANSWER_FILE, RANK_FILE, AskingModel, load_asking

QUESTIONS, CANDIDATES = 40, 6
REFUSED = 0.2


def example(number: int, random: np.random.Generator) -> Example:
    """Every second question has an answer, whose utterance says more of the words than the others."""
    answerable = number % 2 == 0
    rows = random.random((CANDIDATES, len(NAMES)))
    features = [dict(zip(NAMES, map(float, row), strict=True)) for row in rows]
    place = int(random.integers(CANDIDATES))
    if answerable:
        features[place] |= {"own": 1.0 + rows[place, 0], "near": 1.5}
    row = MinutesRow(id=str(number), question="问", answerable=answerable)
    return Example(row, tuple(features), tuple(answerable and each == place for each in range(CANDIDATES)))


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    random = np.random.default_rng(7)
    return [example(number, random) for number in range(QUESTIONS)]


@pytest.fixture(scope="module")
def model(examples: list[Example]) -> AskingModel:
    return fit(examples, REFUSED)


@pytest.fixture
def folder(tmp_path: Path, model: AskingModel) -> Path:
    write(tmp_path, model)
    return tmp_path


def logit(model: AskingModel, features: tuple[Features, ...]) -> float:
    return model.answers(features, model.order(features))


def test_what_is_written_and_read_again_weighs_alike(
    folder: Path, model: AskingModel, examples: list[Example]
) -> None:
    read = load_asking(folder)
    for each in examples:
        assert np.allclose(read.order(each.features), model.order(each.features), atol=0.02)
        assert logit(read, each.features) == pytest.approx(logit(model, each.features), abs=0.02)


def test_the_utterance_that_answers_comes_first(model: AskingModel, examples: list[Example]) -> None:
    first = [each.gold[int(model.order(each.features).argmax())] for each in examples if each.row.answerable]
    assert sum(first) >= 0.9 * len(first)


def test_more_is_refused_where_more_may_be(model: AskingModel, examples: list[Example]) -> None:
    """The boundary is set by questions that were left out, of which a share is refused; what they all were
    fitted to is told apart better."""
    strict, mild = fit(examples, 0.9), fit(examples, 0.0)
    biases = [each.answer.bias for each in (strict, model, mild)]
    assert biases == sorted(biases) and biases[0] < biases[-1]
    answerable = [each for each in examples if each.row.answerable]
    refused = sum(logit(model, each.features) < 0 for each in answerable) / len(answerable)
    assert refused <= REFUSED


def test_of_others_about_the_share_that_was_asked_for_is_refused(examples: list[Example]) -> None:
    """Of questions of the same making that nothing was fitted to."""
    random = np.random.default_rng(8)
    others = [example(2 * number, random) for number in range(200)]
    halved = fit(examples, 0.5)
    refused = sum(logit(halved, each.features) < 0 for each in others) / len(others)
    assert refused == pytest.approx(0.5, abs=0.25)


@pytest.mark.parametrize("few", [0, 4])
def test_nothing_to_tell_apart_is_no_fit(examples: list[Example], few: int) -> None:
    answerable = [each for each in examples if each.row.answerable]
    others = [each for each in examples if not each.row.answerable]
    for some in (answerable + others[:few], answerable[:few] + others):
        with pytest.raises(BadRequest):
            fit(some, REFUSED)


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines(keepends=True)


@pytest.mark.parametrize("name", [RANK_FILE, ANSWER_FILE])
@pytest.mark.parametrize("damage", ["absent", "empty", "head", "cut", "word", "nan", "nul", "bytes"])
def test_damaged_weights_are_told_when_they_are_read(folder: Path, name: str, damage: str) -> None:
    path = folder / name
    lines = lines_of(path)
    cells = lines[1].rstrip("\n").split(",")
    match damage:
        case "absent":
            path.unlink()
        case "empty":
            path.write_bytes(b"")
        case "head":
            path.write_text(lines[0], encoding="utf-8")
        case "cut":
            path.write_text("".join(lines)[:-4].rpartition(",")[0], encoding="utf-8")
        case "word" | "nan" | "nul":
            wrong = {"word": "much", "nan": "nan", "nul": "\0"}[damage]
            lines[1] = ",".join([*cells[:-1], wrong]) + "\n"
            path.write_text("".join(lines), encoding="utf-8")
        case "bytes":
            path.write_bytes(b"\xff\xfe" + path.read_bytes())
    with pytest.raises(Unavailable, match="会议问答的权重"):
        load_asking(folder)


@pytest.mark.parametrize("gone", [(1,), (2,), (3,), tuple(range(4, QUESTIONS + 4))])
def test_an_answer_file_without_its_scale_its_bias_or_any_example_is_refused(
    folder: Path, gone: tuple[int, ...]
) -> None:
    path = folder / ANSWER_FILE
    kept = [line for number, line in enumerate(lines_of(path)) if number not in gone]
    path.write_text("".join(kept), encoding="utf-8")
    with pytest.raises(Unavailable):
        load_asking(folder)


def test_a_spread_of_nothing_is_refused(folder: Path) -> None:
    path = folder / ANSWER_FILE
    lines = lines_of(path)
    lines[2] = ",".join(["spread", "0", *lines[2].split(",")[2:]])
    path.write_text("".join(lines), encoding="utf-8")
    with pytest.raises(Unavailable):
        load_asking(folder)
