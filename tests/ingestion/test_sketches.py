"""What a sketch tells of two texts without either."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingestion.sketches import PERMUTATIONS, likeness, sketch
from ingestion.versions import overlap

WORDS = "部门年度工作总结计划完成情况报告采购合同审批流程出差住宿交通补助标准印章保管登记归档培训考核"
LONG = "".join(f"第{n}条 {WORDS[n % 20 :]}{n * 7919}。" for n in range(120))


@given(st.text())
def test_a_sketch_is_as_small_for_every_text_and_like_itself(text: str) -> None:
    made = sketch(text)
    assert len(made) == 4 + 4 * PERMUTATIONS
    assert likeness(made, made) == (1.0 if overlap(text, text) else 0.0)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, len(LONG)), st.integers(0, len(LONG)))
def test_the_estimate_is_symmetric_and_within_bounds(one: int, other: int) -> None:
    first, second = sketch(LONG[:one]), sketch(LONG[other:])
    assert likeness(first, second) == likeness(second, first)
    assert 0.0 <= likeness(first, second) <= 1.0


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 1.0])
def test_the_estimate_comes_near_the_overlap(share: float) -> None:
    kept = int(len(LONG) * share)
    changed = LONG[:kept] + LONG[kept:].translate({ord(c): ord(c) + 7 for c in set(LONG)})
    assert likeness(sketch(LONG), sketch(changed)) == pytest.approx(overlap(LONG, changed), abs=0.25)
