"""What lies open on a conversation's desk, and every turn that made it so: enough to replay a case."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import uuid4

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from service.errors import Conflict
from service.store.database import Database
from service.store.models import now
from service.store.process_models import ProcessDeskRow, ProcessTurnRow


class Overtaken(Conflict):
    """Another turn of the conversation was kept meanwhile, by this service or another one."""

    code = "overtaken"

    def __init__(self) -> None:
        super().__init__("这段对话刚刚在别处有了新的进展，请把这句话再发一次")


@dataclass(frozen=True, slots=True)
class StoredDesk:
    """A desk as `service.process.case` wrote it, and the number of turns that led to it; of a conversation
    without one it is empty."""

    desk: str = ""
    turns: int = 0


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """`pieces` are {field, text, start, end}: what was found in the message, by `engine`. `desk` is the state
    after it, as `service.process.case` writes it."""

    message: str
    pieces: Sequence[dict[str, str | int]]
    action: str
    engine: str
    desk: str
    at: datetime = field(default_factory=now)


class CaseStore:
    """One desk a conversation. Whose conversation it is was checked by whoever opened it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def desk(self, conversation_id: str) -> StoredDesk:
        with self._database.session() as session:
            row = session.get(ProcessDeskRow, conversation_id)
            return StoredDesk(row.desk, row.turns) if row else StoredDesk()

    def save(self, conversation_id: str, turn: StoredTurn, after: int) -> None:
        """The desk and the turn that led to it, together; `after` is the number of turns it began from.

        Raises Overtaken where there are more by now: nothing of another turn is ever lost.
        """
        try:
            self._save(conversation_id, turn, after)
        except IntegrityError as error:  # both found the same number, and this one came second
            raise Overtaken from error

    def _save(self, conversation_id: str, turn: StoredTurn, after: int) -> None:
        with self._database.session() as session:
            row = session.get(ProcessDeskRow, conversation_id)
            if (row.turns if row else 0) != after:
                raise Overtaken
            if row is None:
                row = ProcessDeskRow(conversation_id=conversation_id, turns=0)
                session.add(row)
            row.turns += 1
            row.desk, row.updated_at = turn.desk, now()
            session.add(
                ProcessTurnRow(
                    id=str(uuid4()),
                    conversation_id=conversation_id,
                    number=row.turns,
                    message=turn.message,
                    pieces=list(turn.pieces),
                    action=turn.action,
                    engine=turn.engine,
                    desk=turn.desk,
                    at=turn.at,
                )
            )

    def turns(self, conversation_id: str) -> list[StoredTurn]:
        """All of them, the first one first."""
        statement = (
            select(ProcessTurnRow)
            .where(ProcessTurnRow.conversation_id == conversation_id)
            .order_by(ProcessTurnRow.number)
        )
        with self._database.session() as session:
            return [
                StoredTurn(row.message, row.pieces, row.action, row.engine, row.desk, row.at)
                for row in session.scalars(statement)
            ]
