"""What people asked is grouped and counted for the administrator, and for nobody else."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import update

from service.access import LOCAL, Principal, Role
from service.errors import Forbidden
from service.store.conversations import ConversationStore, Message
from service.store.database import Database
from service.store.keys import KeyStore
from service.store.models import MessageRow, now
from service.store.question_log import QuestionLog, question_key

Ask = Callable[..., Message]


@pytest.fixture
def log(database: Database) -> QuestionLog:
    return QuestionLog(database)


@pytest.fixture
def ask(database: Database) -> Ask:
    store = ConversationStore(database)

    def ask(question: str, reason: str | None = None, by: Principal = LOCAL, days_ago: int = 0) -> Message:
        conversation = store.open(by, None, question)
        store.add(by, conversation.id, "user", question)
        answer = store.add(by, conversation.id, "assistant", "")
        refusal = {"reason": reason, "message": "未覆盖"} if reason else None
        store.finish(answer.id, "答", "done", "offline", {"question": question, "refusal": refusal})
        with database.session() as session:
            at = now() - timedelta(days=days_ago)
            session.execute(update(MessageRow).where(MessageRow.id == answer.id).values(created_at=at))
        return answer

    return ask


def test_the_same_question_in_other_signs_is_counted_once(log: QuestionLog, ask: Ask) -> None:
    ask("年假有几天?", "nothing_found", days_ago=2)
    ask("请问年假有几天", days_ago=1)
    ask("  年假 有几天？", "below_threshold")
    ask("病假呢", "nothing_found")
    ask("产假呢")
    (first, second), total = log.unanswered(LOCAL, 1, 10)
    assert total == 2
    assert (first.question, first.times, first.refused) == ("  年假 有几天？", 3, 2)
    assert (first.reason, second.question) == ("below_threshold", "病假呢")
    frequent, _total = log.frequent(LOCAL, 1, 10)
    assert [(item.question, item.times) for item in frequent] == [("  年假 有几天？", 3)]


def test_only_the_chosen_days_count(log: QuestionLog, ask: Ask) -> None:
    ask("旧问题", "nothing_found", days_ago=40)
    ask("新问题", "nothing_found", days_ago=20)
    assert [item.question for item in log.unanswered(LOCAL, 1, 10, days=30)[0]] == ["新问题"]
    assert log.unanswered(LOCAL, 1, 10, days=90)[1] == 2


def test_lists_come_a_page_at_a_time_the_heaviest_first(log: QuestionLog, ask: Ask) -> None:
    for number in range(5):
        for _ in range(number + 1):
            ask(f"问题{number}", "nothing_found")
    page, total = log.unanswered(LOCAL, 2, 2)
    assert ([item.question for item in page], total) == (["问题2", "问题1"], 5)


def test_a_disliked_answer_is_told_with_who_and_why(log: QuestionLog, ask: Ask, database: Database) -> None:
    key_id, _key = KeyStore(database).create("王五", Role.READER)
    store, wang = ConversationStore(database), Principal(f"key:{key_id}")
    first, second, liked = ask("甲问", by=wang), ask("乙问", "nothing_found"), ask("丙问")
    store.rate(wang, first.id, "dislike", "城市不对")
    store.rate(LOCAL, second.id, "dislike", "")
    store.rate(LOCAL, liked.id, "like", "")
    (latest, earlier), total = log.disliked(LOCAL, 1, 10)
    assert total == 2
    assert (latest.question, latest.reason) == ("乙问", "nothing_found")
    assert (latest.by, latest.name) == ("local", "本机用户")
    assert (earlier.question, earlier.answer, earlier.comment) == ("甲问", "答", "城市不对")
    assert (earlier.name, earlier.reason) == ("王五", None)
    assert [item.question for item in log.disliked(LOCAL, 2, 1)[0]] == ["甲问"]


@pytest.mark.parametrize("role", [Role.READER, Role.CONTRIBUTOR, Role.PROCESS_ADMIN])
def test_nobody_below_an_administrator_sees_what_others_asked(log: QuestionLog, role: Role) -> None:
    for listed in (log.unanswered, log.frequent, log.disliked):
        with pytest.raises(Forbidden):
            listed(Principal("p", role=role), 1, 10)


def test_a_deleted_conversation_s_question_is_gone(log: QuestionLog, ask: Ask, database: Database) -> None:
    answer = ask("删掉的", "nothing_found")
    ConversationStore(database).delete(LOCAL, answer.conversation_id)
    assert log.unanswered(LOCAL, 1, 10) == ([], 0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("VPN怎么连？", "vpn 怎么连", True),
        ("您好，请问印章谁管", "印章谁管", True),
        ("？？", "！！", False),
        ("年假", "病假", False),
    ],
)
def test_questions_are_the_same_but_for_signs_and_courtesy(one: str, other: str, same: bool) -> None:
    assert (question_key(one) == question_key(other)) is same
