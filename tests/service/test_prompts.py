import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.config import ASSETS
from service.prompts import ModelSize, OurText, PromptError, PromptLibrary, parse_prompt

SHIPPED = PromptLibrary(ASSETS / "prompts")
SIMPLE = """---
model: small
temperature: 0.3
---
## system

说明 {{=day}}

## user

问题：

{{question}}
"""
ANSWER = {"day": date(2024, 5, 1), "constraints": "", "passages": ["甲", "乙"], "question": "多久报销？"}


def test_front_matter_names_model_and_temperature() -> None:
    prompt = parse_prompt("a/b", SIMPLE)
    assert (prompt.model, prompt.temperature) == (ModelSize.SMALL, 0.3)
    assert (set(prompt.blocks), set(prompt.inlines)) == ({"question"}, {"day"})


def test_without_front_matter_the_strong_model_answers_at_temperature_zero() -> None:
    prompt = parse_prompt("a", "## user\n\n你好\n")
    assert (prompt.model, prompt.temperature, prompt.system, prompt.user) == (
        ModelSize.STRONG,
        0.0,
        "",
        "你好",
    )


def test_missing_variable_is_an_error_that_names_it() -> None:
    with pytest.raises(PromptError, match="a/b 缺少变量：question"):
        parse_prompt("a/b", SIMPLE).render({"day": 1})


def test_surplus_variable_is_an_error_that_names_it() -> None:
    with pytest.raises(PromptError, match="没有这些变量：extra"):
        parse_prompt("a/b", SIMPLE).render({"day": 1, "question": "问", "extra": "x"})


@pytest.mark.parametrize(
    "value",
    [3, None, b"bytes", ["a", 1], {"a": "b"}, {1, 2}],
    ids=["int", "none", "bytes", "mixed", "keys", "set"],
)
def test_data_variable_that_is_not_text_is_refused(value: object) -> None:
    with pytest.raises(PromptError, match="question"):
        parse_prompt("a", SIMPLE).render({"day": 1, "question": value})


@pytest.mark.parametrize(
    "value", ["两\n行", "长" * 81, ["x"], None, True], ids=["lines", "long", "list", "none", "bool"]
)
def test_inline_variable_takes_only_short_values(value: object) -> None:
    with pytest.raises(PromptError, match="day"):
        parse_prompt("a", SIMPLE).render({"day": value, "question": "问"})


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("---\nmodel: huge\n---\n## user\nx", "small 或 strong"),
        ("---\ntemperature: hot\n---\n## user\nx", "不是数字"),
        ("---\ntemperature: nan\n---\n## user\nx", "0 到 2"),
        ("---\nmodell: small\n---\n## user\nx", "无法识别"),
        ("---\nmodel: small\nmodel: strong\n---\n## user\nx", "无法识别"),
        ("---\nmodel: small\n## user\nx", "没有以 --- 结束"),
        ("开头\n## user\nx", "两段组成"),
        ("## user\nx\n## system\ny", "两段组成"),
        ("## user\nx\n## user\ny", "两段组成"),
        ("没有段落", "两段组成"),
        ("## user\n{{ question }}", "写错的变量"),
        ("## user\n{{Question}}", "写错的变量"),
        ("## user\n问：{{question}}", "独占一行"),
        ("## system\n{{question}}\n## user\nx", "独占一行"),
        ("## user\n{{name}}\n{{=name}}", "name 有两种写法"),
        ("## user\n{{>name}}\n{{name}}", "name 有两种写法"),
        ("## user\n须符合 {{>name}}", "独占一行"),
    ],
)
def test_malformed_prompt_file_is_refused_with_its_reason(text: str, complaint: str) -> None:
    with pytest.raises(PromptError, match=complaint):
        parse_prompt("a", text)


def test_a_text_of_our_own_stands_outside_every_fence() -> None:
    prompt = parse_prompt("a", "## user\n{{>schema}}\n\n{{question}}")
    rendered = prompt.render({"schema": OurText('{"type":\n"object"}'), "question": "问"})
    assert rendered.user.startswith('{"type":\n"object"}\n\n<question-')


@pytest.mark.parametrize("value", ["用户的话", ["甲"], 3, None])
def test_a_plain_text_never_passes_for_one_of_our_own(value: object) -> None:
    with pytest.raises(PromptError, match="schema"):
        parse_prompt("a", "## user\n{{>schema}}").render({"schema": value})


@pytest.mark.parametrize(("step", "ours"), [("output_json", "schema"), ("repair_json", "problem")])
def test_what_a_model_has_to_follow_is_not_fenced_off_as_data(step: str, ours: str) -> None:
    prompt = SHIPPED.load(step)
    assert ours in prompt.ours and ours not in prompt.blocks


@pytest.mark.parametrize("step", ["../secrets", "/etc/passwd", "a//b", "A", "", "knowledge/absent"])
def test_unknown_or_climbing_step_is_refused(step: str) -> None:
    with pytest.raises(PromptError):
        SHIPPED.load(step)


def test_prompt_file_is_read_once(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("## user\n甲", encoding="utf-8")
    library = PromptLibrary(tmp_path)
    first = library.load("a")
    (tmp_path / "a.md").unlink()
    assert library.load("a") is first


def test_value_with_braces_is_text_and_not_a_variable() -> None:
    rendered = parse_prompt("a", SIMPLE).render({"day": 1, "question": "{{=day}} {{question}} {{other}}"})
    assert "{{=day}} {{question}} {{other}}" in rendered.user


def test_system_part_holds_nothing_that_others_wrote() -> None:
    rendered = SHIPPED.load("knowledge/answer").render(
        ANSWER | {"question": "标记甲", "passages": ["标记乙"]}
    )
    assert "标记" not in rendered.system


def test_passages_are_numbered_from_one_and_mappings_by_their_keys() -> None:
    prompt = parse_prompt("a", "## user\n{{lines}}")
    assert re.findall(r'n="(\d+)">\n(.)', prompt.render({"lines": ["甲", "乙"]}).user) == [
        ("1", "甲"),
        ("2", "乙"),
    ]
    assert re.findall(r'n="(\d+)">\n(.)', prompt.render({"lines": {7: "丙"}}).user) == [("7", "丙")]


def test_empty_data_is_an_empty_fence() -> None:
    rendered = parse_prompt("a", "## user\n{{lines}}").render({"lines": []})
    assert re.fullmatch(r"<lines-(\w+)>\n</lines-\1>", rendered.user)


def test_equal_variables_render_equally() -> None:
    prompt = SHIPPED.load("knowledge/answer")
    assert prompt.render(ANSWER) == prompt.render(dict(reversed(ANSWER.items())))


HOSTILE = st.text(alphabet=st.sampled_from(list("<>/-abcdef0123456789 \n{}=甲")), max_size=60) | st.text(
    max_size=60
)


@given(st.lists(HOSTILE, max_size=4), HOSTILE)
def test_no_content_can_close_its_fence_or_add_a_passage(passages: list[str], question: str) -> None:
    rendered = SHIPPED.load("knowledge/answer").render(ANSWER | {"passages": passages, "question": question})
    nonce = re.search(r"<question-(\w+)>", rendered.user)
    assert nonce is not None
    for tag in (f"<question-{nonce[1]}>", f"</question-{nonce[1]}>", f"</passages-{nonce[1]}>"):
        assert rendered.user.count(tag) == 1
    assert (
        rendered.user.count(f"<item-{nonce[1]} n=")
        == rendered.user.count(f"</item-{nonce[1]}>")
        == len(passages)
    )


def test_replayed_fence_of_an_earlier_prompt_does_not_close_a_new_one() -> None:
    prompt = parse_prompt("a", "## user\n{{text}}")
    earlier = prompt.render({"text": "无害"}).user
    later = prompt.render({"text": earlier}).user
    outer = later.splitlines()[-1]
    assert later.count(outer) == 1 and outer != earlier.splitlines()[-1]


@pytest.mark.parametrize(
    "marker",
    ["<|im_start|>system", "<|im_end|>", "<｜User｜>", "<start_of_turn>user", "[/INST]", "<<SYS>>", "</s>"],
)
def test_chat_template_markers_in_content_lose_their_power_and_stay_readable(marker: str) -> None:
    rendered = parse_prompt("a", "## user\n{{text}}").render({"text": f"甲{marker}乙"}).user
    assert marker not in rendered
    assert "甲" in rendered and "乙" in rendered and marker[2:] in rendered


@pytest.mark.parametrize("text", ["a < b 且 c > d", "表[1]", "<table>", "5<|x", "[INSTALL]"])
def test_ordinary_brackets_are_left_alone(text: str) -> None:
    assert text in parse_prompt("a", "## user\n{{text}}").render({"text": text}).user


@pytest.mark.parametrize("step", SHIPPED.steps())
def test_every_shipped_prompt_is_well_formed_and_in_chinese(step: str) -> None:
    prompt = SHIPPED.load(step)
    assert re.search("[一-鿿]{4}", prompt.system + prompt.user)


def test_answer_prompt_demands_citations_and_the_refusal_wording() -> None:
    prompt = SHIPPED.load("knowledge/answer")
    assert (prompt.model, prompt.temperature <= 0.1) == (ModelSize.STRONG, True)
    assert "已知资料中未覆盖该问题" in prompt.system
    assert "[2]" in prompt.system


def test_understanding_is_a_task_of_the_small_model() -> None:
    assert SHIPPED.load("knowledge/understand").model is ModelSize.SMALL
