"""Conversations belong to one person; messages, events and ratings belong to conversations."""

from threading import Thread

import pytest

from service.access import Principal, Role
from service.errors import NotFound
from service.store.conversations import ConversationStore, StoredEvent
from service.store.database import Database

ANNA, BEN = Principal("anna"), Principal("ben", role=Role.ADMIN)
ABSENT = "00000000-0000-0000-0000-000000000000"


@pytest.fixture
def store(database: Database) -> ConversationStore:
    return ConversationStore(database)


def test_a_conversation_is_titled_by_its_first_words(store: ConversationStore) -> None:
    opened = store.open(ANNA, None, "  住宿费\n标准  是多少" + "？" * 40)
    assert opened.title == ("住宿费 标准 是多少" + "？" * 40)[:24]
    assert store.open(ANNA, opened.id, "别的").title == opened.title


def test_messages_come_in_the_order_they_were_said(store: ConversationStore) -> None:
    conversation = store.open(ANNA, None, "问")
    for number in range(6):
        store.add(ANNA, conversation.id, "user" if number % 2 == 0 else "assistant", str(number))
    assert [message.text for message in store.messages(ANNA, conversation.id)] == list("012345")
    assert [message.text for message in store.messages(ANNA, conversation.id, limit=2)] == list("45")


def test_what_is_another_s_looks_absent_even_to_an_administrator(store: ConversationStore) -> None:
    conversation = store.open(ANNA, None, "问")
    message = store.add(ANNA, conversation.id, "assistant", "答")
    attempts = (
        lambda c, m: store.open(BEN, c, "问"),
        lambda c, m: store.messages(BEN, c),
        lambda c, m: store.add(BEN, c, "user", "问"),
        lambda c, m: store.delete(BEN, c),
        lambda c, m: store.message(BEN, m),
        lambda c, m: store.events(BEN, m, 0),
        lambda c, m: store.rate(BEN, m, "like", ""),
    )
    for attempt in attempts:
        with pytest.raises(NotFound) as of_hidden:
            attempt(conversation.id, message.id)
        with pytest.raises(NotFound) as of_absent:
            attempt(ABSENT, ABSENT)
        assert of_hidden.value.message == of_absent.value.message
    assert store.recent(BEN, 1, 10) == ([], 0)
    assert [item.id for item in store.recent(ANNA, 1, 10)[0]] == [conversation.id]


def test_the_last_spoken_in_comes_first(store: ConversationStore) -> None:
    first, second, third = (store.open(ANNA, None, name) for name in "甲乙丙")
    store.add(ANNA, first.id, "user", "再问")
    page, total = store.recent(ANNA, 1, 2)
    assert ([item.id for item in page], total) == ([first.id, third.id], 3)
    assert [item.id for item in store.recent(ANNA, 2, 2)[0]] == [second.id]


def test_a_stream_can_be_resumed_from_any_event(store: ConversationStore) -> None:
    message = store.add(ANNA, store.open(ANNA, None, "问").id, "assistant", "", state="streaming")
    store.save_events(message.id, [StoredEvent(n, "delta", {"text": str(n)}) for n in (1, 2, 3)])
    store.finish(message.id, "123", "done", "offline", {"citations": []})
    assert [event.number for event in store.events(ANNA, message.id, 1)] == [2, 3]
    kept = store.message(ANNA, message.id)
    assert (kept.text, kept.state, kept.engine, kept.body) == ("123", "done", "offline", {"citations": []})


def test_a_conversation_deleted_while_it_is_answered_leaves_nothing(store: ConversationStore) -> None:
    conversation = store.open(ANNA, None, "问")
    message = store.add(ANNA, conversation.id, "assistant", "", state="streaming")
    store.rate(ANNA, message.id, "like", "")
    store.delete(ANNA, conversation.id)
    store.save_events(message.id, [StoredEvent(1, "delta", {"text": "答"})])
    store.finish(message.id, "答", "done", "offline", {})
    with pytest.raises(NotFound):
        store.message(ANNA, message.id)


def test_the_last_rating_counts_however_often_the_button_is_pressed(store: ConversationStore) -> None:
    conversation = store.open(ANNA, None, "问")
    message = store.add(ANNA, conversation.id, "assistant", "答")
    failures: list[Exception] = []

    def press() -> None:
        try:
            store.rate(ANNA, message.id, "like", "")
        except Exception as error:  # noqa: BLE001 - handed to the test
            failures.append(error)

    threads = [Thread(target=press) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    store.rate(ANNA, message.id, "dislike", "不对")
    assert [item.feedback for item in store.messages(ANNA, conversation.id)] == ["dislike"]


def test_answers_that_a_crash_cut_off_are_marked(store: ConversationStore) -> None:
    conversation = store.open(ANNA, None, "问")
    cut = store.add(ANNA, conversation.id, "assistant", "", state="streaming")
    done = store.add(ANNA, conversation.id, "assistant", "答")
    assert store.abandon_streaming() == 1
    assert (store.message(ANNA, cut.id).state, store.message(ANNA, done.id).state) == ("failed", "done")


def test_half_a_surrogate_pair_in_a_question_is_no_crash(store: ConversationStore) -> None:
    conversation = store.open(ANNA, None, "\ud800问")
    message = store.add(ANNA, conversation.id, "user", "问\ud800\x00")
    assert store.message(ANNA, message.id).text == "问\ufffd\ufffd"
