"""What every index adapter must do: Edge, local mode of qdrant-client, and a server if one is set."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from threading import Thread

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingestion.errors import IndexMismatch
from ingestion.index.schema import STAGED, Filter, Index, Payload, SparseVector
from tests.ingestion.index.points import DIMENSIONS, direction, point, point_id

ANY = Filter()
TOKEN = SparseVector((1,), (1.0,))


def found(index: Index, where: Filter) -> set[str]:
    """Ids that pass a filter, asked through both legs, which must agree."""
    dense = {hit.id for hit in index.search_dense(direction(0), where, 50)}
    assert dense == {hit.id for hit in index.search_keyword(TOKEN, where, 50)}
    return dense


def ids(*names: object) -> set[str]:
    return {point_id(name) for name in names}


# -- writing -----------------------------------------------------------------------------------------------


def test_a_new_index_is_empty(index: Index) -> None:
    assert index.ids() == set()
    assert index.stats().points == 0
    assert found(index, ANY) == set()


def test_upserted_points_are_found_with_their_revision_and_document(index: Index) -> None:
    index.upsert([point("a", Payload("r1", "d1"))])
    (hit,) = index.search_dense(direction(0), ANY, 5)
    assert (hit.id, hit.revision_id, hit.document_id) == (point_id("a"), "r1", "d1")
    assert hit.score == pytest.approx(1.0, abs=1e-5)


def test_upserting_nothing_changes_nothing(index: Index) -> None:
    index.upsert([])
    assert index.ids() == set()


def test_upserting_an_id_again_replaces_its_vectors_and_payload(index: Index) -> None:
    index.upsert([point("a", Payload("r1", "d1", owner="甲"), dense=direction(1))])
    index.upsert([point("a", Payload("r2", "d2"), dense=direction(2), keyword=SparseVector((9,), (2.0,)))])
    assert index.ids() == ids("a")
    (hit,) = index.search_dense(direction(2), ANY, 5)
    assert (hit.revision_id, hit.document_id) == ("r2", "d2")
    assert hit.score == pytest.approx(1.0, abs=1e-5)
    assert index.search_keyword(TOKEN, ANY, 5) == []
    assert found_by_owner(index, "甲") == set()


def found_by_owner(index: Index, owner: str) -> set[str]:
    return {hit.id for hit in index.search_dense(direction(0), Filter(owners=(owner,)), 5)}


def test_of_one_id_given_twice_the_last_point_stays(index: Index) -> None:
    index.upsert([point("a", Payload("r1", "d1")), point("a", Payload("r2", "d2"))])
    (hit,) = index.search_dense(direction(0), ANY, 5)
    assert (index.stats().points, hit.revision_id) == (1, "r2")


def test_more_points_than_one_batch_all_arrive(index: Index) -> None:
    index.upsert([point(number) for number in range(600)])
    assert index.stats().points == 600
    assert index.ids() == ids(*range(600))
    index.delete_points([point_id(number) for number in range(599)])
    assert index.ids() == ids(599)


def test_a_vector_of_the_wrong_size_is_refused_and_nothing_is_written(index: Index) -> None:
    with pytest.raises(IndexMismatch, match="8"):
        index.upsert([point("good"), point("bad", dense=direction(0, DIMENSIONS + 1))])
    assert index.ids() == set()
    with pytest.raises(IndexMismatch):
        index.search_dense(direction(0, DIMENSIONS - 1), ANY, 5)


def test_a_point_without_tokens_is_found_by_its_vector_only(index: Index) -> None:
    index.upsert([point("a", keyword=SparseVector((), ()))])
    assert [hit.id for hit in index.search_dense(direction(0), ANY, 5)] == [point_id("a")]
    assert index.search_keyword(TOKEN, ANY, 5) == []


def test_deleting_a_revision_removes_its_points_only(index: Index) -> None:
    index.upsert([point(name, Payload(f"r{name % 2}", "d")) for name in range(6)])
    index.delete_revision("r0")
    assert index.ids() == ids(1, 3, 5) == found(index, ANY)
    index.delete_revision("unknown")
    assert index.ids() == ids(1, 3, 5)


def test_deleting_points_ignores_unknown_ids(index: Index) -> None:
    index.upsert([point("a"), point("b")])
    index.delete_points([point_id("a"), point_id("never stored")])
    index.delete_points([])
    assert index.ids() == ids("b") == found(index, ANY)


def test_clear_removes_everything_and_leaves_a_usable_index(index: Index) -> None:
    index.upsert([point("a")])
    index.clear()
    assert index.ids() == set()
    index.upsert([point("b")])
    assert found(index, ANY) == ids("b")


# -- publishing ----------------------------------------------------------------------------------------------


def test_staged_points_are_filtered_out_until_they_are_active(index: Index) -> None:
    index.upsert(
        [point("old", Payload("r1", "d")), point("new", Payload("r2", "d", status=STAGED, owner="甲"))]
    )
    active = Filter(statuses=("active",))
    assert found(index, active) == ids("old")
    index.set_payload("r2", Payload("r2", "d", owner="甲"))
    index.set_payload("r1", Payload("r1", "d", status="superseded"))
    assert found(index, active) == ids("new")
    assert found(index, Filter(statuses=("superseded", STAGED))) == ids("old")
    assert found(index, Filter(owners=("甲",))) == ids("new")


def test_set_payload_replaces_every_fact_of_the_revision_and_of_no_other(index: Index) -> None:
    rich = Payload("r1", "d", labels=("hr",), owner="甲", meeting_date=date(2025, 1, 1))
    index.upsert([point("a", rich), point("b", rich), point("c", replace(rich, revision_id="r2"))])
    index.set_payload("r1", Payload("r1", "d", labels=("finance",), effective_to=date(2024, 1, 1)))
    assert found(index, Filter(labels=("finance",))) == ids("a", "b")
    for where in (
        Filter(labels=("hr",)),
        Filter(owners=("甲",)),
        Filter(meeting_from=date(2020, 1, 1)),
        Filter(in_force_on=date(2024, 1, 1)),
    ):
        assert found(index, where) == ids("c")
    assert set(index.vectors([point_id("a")])) == ids("a"), "the vectors stay"


def test_who_speaks_in_a_chunk_outlives_new_facts_of_its_revision(index: Index) -> None:
    facts = Payload("r1", "d", kind="minutes", meeting_date=date(2025, 1, 1))
    index.upsert([point("a", facts, speakers=("张总", "李总")), point("b", facts, speakers=("李总",))])
    index.set_payload("r1", replace(facts, labels=("hr",), meeting_date=None))
    assert found(index, Filter(speakers=("张总",), labels=("hr",))) == ids("a")
    assert found(index, Filter(meeting_to=date(2026, 1, 1))) == set(), "a day nobody knows is in no period"


def test_speakers_choose_the_chunks_in_which_one_of_them_speaks(index: Index) -> None:
    index.upsert([point("in", ALIKE, speakers=("李总", "张总")), point("out", ALIKE)])
    assert found(index, Filter(speakers=("张总",))) == ids("in")
    assert found(index, Filter(speakers=())) == set()


# -- filters -------------------------------------------------------------------------------------------------

DAY = date(2025, 6, 1)
ALIKE = Payload("r", "d")
CHOICES = [
    ("labels", "labels", ("hr",), ("finance", "hr"), ("public",)),
    ("statuses", "status", ("active", "draft"), "draft", "superseded"),
    ("knowledge_bases", "knowledge_base", ("制度",), "制度", "default"),
    ("kinds", "kind", ("minutes",), "minutes", "document"),
    ("document_ids", "document_id", ("d1", "d2"), "d1", "d3"),
    ("revision_ids", "revision_id", ("r1",), "r1", "r2"),
    ("business_lines", "business_line", ("采购",), "采购", ""),
    ("issuers", "issuer", ("办公室",), "办公室", "财务部"),
    ("owners", "owner", ("甲",), "甲", "乙"),
    ("meetings", "meeting", ("周例会",), "周例会", "周例会纪要"),
]


@pytest.mark.parametrize(("name", "field", "wanted", "passes", "fails"), CHOICES)
def test_a_choice_passes_the_points_that_hold_one_of_its_values(
    index: Index, name: str, field: str, wanted: tuple[str, ...], passes: object, fails: object
) -> None:
    index.upsert(
        [point("in", replace(ALIKE, **{field: passes})), point("out", replace(ALIKE, **{field: fails}))]
    )
    assert found(index, Filter(**{name: wanted})) == ids("in")
    assert found(index, Filter(**{name: ()})) == set(), "an empty choice passes nothing"
    assert found(index, Filter(**{name: None})) == ids("in", "out"), "no condition passes all"


@pytest.mark.parametrize(
    ("start", "end", "in_force"),
    [
        (None, None, True),
        (DAY, None, True),
        (DAY + timedelta(1), None, False),
        (None, DAY, False),
        (None, DAY + timedelta(1), True),
        (DAY - timedelta(9), DAY + timedelta(9), True),
        (DAY - timedelta(9), DAY - timedelta(1), False),
        (date.min, date.max, True),
    ],
)
def test_in_force_is_start_inclusive_end_exclusive_with_open_ends(
    index: Index, start: date | None, end: date | None, in_force: bool
) -> None:
    index.upsert([point("a", replace(ALIKE, effective_from=start, effective_to=end))])
    assert found(index, Filter(in_force_on=DAY)) == (ids("a") if in_force else set())


def test_an_open_end_is_in_force_on_the_last_day_there_is(index: Index) -> None:
    index.upsert([point("a")])
    assert found(index, Filter(in_force_on=date.max)) == ids("a")
    assert found(index, Filter(in_force_on=date.min)) == ids("a")


@pytest.mark.parametrize(
    ("field", "first", "last"),
    [
        ("meeting_date", "meeting_from", "meeting_to"),
        ("source_updated", "source_updated_from", "source_updated_to"),
        ("effective_from", "effective_since", None),
    ],
)
def test_date_bounds_are_inclusive_and_pass_no_point_without_the_date(
    index: Index, field: str, first: str, last: str | None
) -> None:
    days = {"before": DAY - timedelta(1), "on": DAY, "after": DAY + timedelta(1), "none": None}
    index.upsert([point(name, replace(ALIKE, **{field: day})) for name, day in days.items()])
    assert found(index, Filter(**{first: DAY})) == ids("on", "after")
    if last is not None:
        assert found(index, Filter(**{last: DAY})) == ids("before", "on")
        assert found(index, Filter(**{first: DAY, last: DAY})) == ids("on")


def test_all_conditions_must_hold_together(index: Index) -> None:
    base = Payload("r", "d", labels=("hr",), owner="甲", effective_from=DAY)
    index.upsert(
        [
            point("all", base),
            point("label", replace(base, labels=("public",))),
            point("owner", replace(base, owner="乙")),
            point("later", replace(base, effective_from=DAY + timedelta(1))),
        ]
    )
    assert found(index, Filter(labels=("hr",), owners=("甲",), in_force_on=DAY)) == ids("all")


# -- searching -----------------------------------------------------------------------------------------------


def test_dense_hits_come_best_first_with_their_cosine(index: Index) -> None:
    vectors = {number: direction(number) for number in range(20)}
    index.upsert([point(number, dense=vector) for number, vector in vectors.items()])
    query = direction(99)
    hits = index.search_dense(query, ANY, 5)
    expected = sorted(vectors, key=lambda number: -float(vectors[number] @ query))[:5]
    assert [hit.id for hit in hits] == [point_id(number) for number in expected]
    assert [hit.score for hit in hits] == pytest.approx(
        [float(vectors[number] @ query) for number in expected], abs=1e-5
    )


sparse_vectors = st.dictionaries(
    st.integers(0, 2**32 - 1) | st.integers(0, 5),
    st.floats(0.125, 50, width=32),
    min_size=1,
    max_size=12,
).map(lambda weights: SparseVector(tuple(weights), tuple(weights.values())))


@given(stored=st.lists(sparse_vectors, min_size=1, max_size=6), query=sparse_vectors)
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_keyword_score_is_always_the_dot_product_without_any_idf(
    index: Index, stored: list[SparseVector], query: SparseVector
) -> None:
    index.delete_points(sorted(index.ids()))
    index.upsert([point(number, keyword=vector) for number, vector in enumerate(stored)])
    weights = dict(zip(query.indices, query.values, strict=True))
    expected = {}
    for number, vector in enumerate(stored):
        shared = [(weights[i], v) for i, v in zip(vector.indices, vector.values, strict=True) if i in weights]
        if shared:
            expected[point_id(number)] = sum(a * b for a, b in shared)
    hits = index.search_keyword(query, ANY, 50)
    assert {hit.id: hit.score for hit in hits} == pytest.approx(expected, rel=1e-4)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_query_without_tokens_finds_nothing(index: Index) -> None:
    index.upsert([point("a")])
    assert index.search_keyword(SparseVector((), ()), ANY, 5) == []


def test_the_limit_is_kept_and_zero_finds_nothing(index: Index) -> None:
    index.upsert([point(number, dense=direction(number)) for number in range(10)])
    assert len(index.search_dense(direction(0), ANY, 3)) == 3
    assert len(index.search_keyword(TOKEN, ANY, 3)) == 3
    assert len(index.search_dense(direction(0), ANY, 100)) == 10
    assert index.search_dense(direction(0), ANY, 0) == []
    assert index.search_keyword(TOKEN, ANY, 0) == []


def test_vectors_come_back_as_stored_and_unknown_ids_are_absent(index: Index) -> None:
    index.upsert([point(number, dense=direction(number)) for number in range(300)])
    wanted = [point_id(number) for number in range(300)]
    vectors = index.vectors([*wanted, point_id("never stored")])
    assert set(vectors) == set(wanted)
    for number, name in enumerate(wanted):
        assert vectors[name].dtype == np.float32
        np.testing.assert_allclose(vectors[name], direction(number), atol=1e-6)
    assert index.vectors([]) == {}


# -- life ----------------------------------------------------------------------------------------------------


def test_what_was_written_is_there_after_reopening(open_index: Callable[[], Index]) -> None:
    index = open_index()
    index.upsert([point("a", Payload("r1", "d", status=STAGED)), point("b"), point("c")])
    index.set_payload("r1", Payload("r1", "d"))
    index.delete_points([point_id("b")])
    index.close()
    again = open_index()
    assert again.ids() == ids("a", "c")
    assert found(again, Filter(statuses=("active",))) == ids("a", "c")
    again.upsert([point("d")])
    assert found(again, ANY) == ids("a", "c", "d")


def test_optimise_keeps_every_point_and_answer(index: Index) -> None:
    index.upsert([point(number, dense=direction(number)) for number in range(50)])
    before = index.search_dense(direction(7), ANY, 10)
    index.optimise()
    assert index.ids() == ids(*range(50))
    assert [hit.id for hit in index.search_dense(direction(7), ANY, 10)] == [hit.id for hit in before]
    index.upsert([point("later")])
    assert point_id("later") in index.ids()


def test_threads_write_and_search_at_the_same_time(index: Index) -> None:
    failures: list[BaseException] = []

    def write(worker: int) -> None:
        try:
            for number in range(10):
                index.upsert([point(f"{worker}-{number}", Payload(f"r{worker}", "d"))])
                assert (
                    len(index.search_dense(direction(0), Filter(revision_ids=(f"r{worker}",)), 50))
                    == number + 1
                )
        except BaseException as failure:  # noqa: BLE001 - reported by the test's own assertion
            failures.append(failure)

    workers = [Thread(target=write, args=(worker,)) for worker in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert failures == []
    assert index.stats().points == 30
