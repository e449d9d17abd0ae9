"""The desk of a conversation and its turns: kept together, in order, and never over another turn."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.access import Principal
from service.store.cases import CaseStore, Overtaken, StoredDesk, StoredTurn
from service.store.conversations import ConversationStore
from service.store.database import Database

ANNA = Principal("anna")


@pytest.fixture
def cases(database: Database) -> CaseStore:
    return CaseStore(database)


@pytest.fixture
def conversation(database: Database) -> str:
    return ConversationStore(database).open(ANNA, None, "申请服务器").id


def turn(desk: str) -> StoredTurn:
    piece: dict[str, str | int] = {"field": "是否紧急", "text": "不急", "start": 0, "end": 2}
    return StoredTurn("不急", [piece], "ask", "offline", desk)


def test_the_desk_is_that_of_the_last_turn(cases: CaseStore, conversation: str) -> None:
    assert cases.desk(conversation) == StoredDesk()
    for number in range(3):
        cases.save(conversation, turn(f"desk {number}"), after=number)
    assert cases.desk(conversation) == StoredDesk("desk 2", 3)
    assert [each.desk for each in cases.turns(conversation)] == ["desk 0", "desk 1", "desk 2"]


def test_a_turn_that_began_before_another_was_kept_is_not_kept(cases: CaseStore, conversation: str) -> None:
    cases.save(conversation, turn("first"), after=0)
    with pytest.raises(Overtaken):
        cases.save(conversation, turn("second"), after=0)
    assert cases.desk(conversation) == StoredDesk("first", 1)
    assert len(cases.turns(conversation)) == 1


def test_of_turns_kept_at_once_exactly_one_is_the_next(cases: CaseStore, conversation: str) -> None:
    def kept(number: int) -> bool:
        try:
            cases.save(conversation, turn(f"desk {number}"), after=0)
        except Overtaken:
            return False
        return True

    with ThreadPoolExecutor(4) as pool:
        won = [number for number, done in enumerate(pool.map(kept, range(4))) if done]
    assert len(won) == 1
    assert cases.desk(conversation) == StoredDesk(f"desk {won[0]}", 1)
