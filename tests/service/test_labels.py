"""Labels as people give them: what means nothing is refused, and no revision opens a restricted document."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.access import PUBLIC, Principal
from service.errors import BadRequest
from service.labels import LONGEST_LABEL, MOST_LABELS, checked_labels, labels_after


@pytest.mark.parametrize(
    ("offered", "label"),
    [
        ("public", "public"),
        (" public ", "public"),
        ("department:总部/财务部", "department:总部/财务部"),
        ("department: /总部// 财务部/", "department:总部/财务部"),
        ("group: 采购小组", "group:采购小组"),
        ("user:6b1c", "user:6b1c"),
    ],
)
def test_a_label_comes_in_its_usual_form(offered: str, label: str) -> None:
    assert checked_labels([offered, offered]) == (label,)


@pytest.mark.parametrize(
    "offered",
    [
        "",
        " ",
        "Public",
        "公开",
        "public:",
        "department",
        "department:",
        "department:/",
        "group: ",
        "role:admin",
    ]
    + ["group:a\nb", "group:\x00", "group:\u200b", "user:\ud800", "group:" + "x" * LONGEST_LABEL],
)
def test_a_label_nobody_carries_is_refused(offered: str) -> None:
    with pytest.raises(BadRequest, match="标签"):
        checked_labels([PUBLIC, offered])


def test_no_label_and_too_many_are_refused() -> None:
    for offered in ([], [f"group:{number}" for number in range(MOST_LABELS + 1)]):
        with pytest.raises(BadRequest, match="标签"):
            checked_labels(offered)


@given(st.text(min_size=1).filter(str.strip))
def test_every_department_that_is_accepted_is_read_by_who_belongs_there(name: str) -> None:
    try:
        labels = checked_labels([f"department:{name}"])
    except BadRequest:
        return
    _kind, _colon, department = labels[0].partition(":")
    assert Principal("x", department=department).may_read(labels)


LABELS = st.lists(st.sampled_from([PUBLIC, "group:甲", "group:乙"]), min_size=1, unique=True).map(tuple)


@given(LABELS, st.none() | LABELS)
def test_a_restricted_document_is_never_opened_to_everybody(
    current: tuple[str, ...], said: tuple[str, ...] | None
) -> None:
    after = labels_after(current, said)
    assert PUBLIC in current or PUBLIC not in after
    assert after == (current if said is None else after)
    if said is not None and PUBLIC not in said:
        assert after == said
