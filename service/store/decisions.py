"""What processes told people: by which version and rows, on which inputs, whom, when. For audit and usage."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import uuid4

from sqlalchemy import func, select

from rules.flow import Route
from rules.table import Facts, Process
from rules.wording import typed
from service.access import LOCAL, Principal, Role
from service.errors import Forbidden
from service.logs import request_id
from service.store.database import Database
from service.store.models import ApiKeyRow, now
from service.store.process_models import ProcessDecisionRow

WINDOW_DAYS = 90  # how far back usage is counted unless told otherwise


class Origin(StrEnum):
    """Where the question came from."""

    CASE = "case"  # a conversation
    EVALUATE = "evaluate"  # another program, over the API


@dataclass(frozen=True, slots=True)
class MatchedRows:
    """The rows of one table that matched, by their ids."""

    table: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """`action` is a word of the process path (card, ask, no_match, conflict, …); `inputs` are by field code.
    `name` is empty where it is not known."""

    id: str
    at: datetime
    process_id: str
    digest: str
    version: str
    principal_id: str
    name: str
    origin: Origin
    action: str
    engine: str
    inputs: dict[str, str]
    matched: tuple[MatchedRows, ...]


@dataclass(frozen=True, slots=True)
class RuleUse:
    """How often a row took part in a decision."""

    table: str
    rule: str
    times: int


@dataclass(frozen=True, slots=True)
class Usage:
    """The rules used most often come first."""

    total: int
    by_action: dict[str, int]
    by_rule: tuple[RuleUse, ...]


class DecisionStore:
    """Read by administrators only: what reads raises Forbidden for others."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def record_decision(
        self,
        principal: Principal,
        process: Process,
        facts: Facts,
        outcome: Route | None,
        engine: str,
        action: str,
        *,
        origin: Origin = Origin.CASE,
    ) -> str:
        """Append one line and return its id. `outcome` is None where no table was asked."""
        row = ProcessDecisionRow(
            id=str(uuid4()),
            process_id=process.id,
            digest=process.digest,
            version=process.version,
            principal_id=principal.id,
            origin=origin.value,
            action=action,
            engine=engine,
            inputs=_inputs(process, facts),
            matched=_matched(process, outcome) if outcome else [],
            request_id=request_id(),
        )
        with self._database.session() as session:
            session.add(row)
        return row.id

    def page(
        self, principal: Principal, process_id: str, number: int = 1, page_size: int = 50
    ) -> tuple[Sequence[Decision], int]:
        """The latest first, and how many there are."""
        _check(principal)
        mine = ProcessDecisionRow.process_id == process_id
        statement = (
            select(ProcessDecisionRow, ApiKeyRow.name)
            .outerjoin(ApiKeyRow, ProcessDecisionRow.principal_id == "key:" + ApiKeyRow.id)
            .where(mine)
            .order_by(ProcessDecisionRow.at.desc(), ProcessDecisionRow.id)
            .offset((number - 1) * page_size)
            .limit(page_size)
        )
        with self._database.session() as session:
            total = session.scalar(select(func.count()).select_from(ProcessDecisionRow).where(mine)) or 0
            return [_decision(row, name) for row, name in session.execute(statement)], total

    def usage(self, principal: Principal, process_id: str, days: int = WINDOW_DAYS) -> Usage:
        """Of the last `days`."""
        _check(principal)
        statement = select(ProcessDecisionRow.action, ProcessDecisionRow.matched).where(
            ProcessDecisionRow.process_id == process_id, ProcessDecisionRow.at >= now() - timedelta(days=days)
        )
        actions: Counter[str] = Counter()
        rules: Counter[tuple[str, str]] = Counter()
        with self._database.session() as session:
            for action, matched in session.execute(statement, execution_options={"yield_per": 1000}):
                actions[action] += 1
                rules.update((each["table"], rule) for each in matched for rule in each["rules"])
        used = tuple(RuleUse(table, rule, times) for (table, rule), times in rules.most_common())
        return Usage(actions.total(), dict(actions.most_common()), used)


def _inputs(process: Process, facts: Facts) -> dict[str, str]:
    return {field.code: typed(facts[field.name]) for field in process.fields if field.name in facts}


def _matched(process: Process, route: Route) -> list[dict[str, str | list[str]]]:
    outcomes = (route.outcome, *route.further)
    return [
        {"table": table.name, "rules": [rule.id for rule in outcome.hits]}
        for table, outcome in zip(process.tables, outcomes, strict=True)
        if outcome.hits
    ]


def _decision(row: ProcessDecisionRow, name: str | None) -> Decision:
    return Decision(
        id=row.id,
        at=row.at,
        process_id=row.process_id,
        digest=row.digest,
        version=row.version,
        principal_id=row.principal_id,
        name=name or (LOCAL.name if row.principal_id == LOCAL.id else ""),
        origin=Origin(row.origin),
        action=row.action,
        engine=row.engine,
        inputs=dict(row.inputs),
        matched=tuple(MatchedRows(each["table"], tuple(each["rules"])) for each in row.matched),
    )


def _check(principal: Principal) -> None:
    if not principal.allows(Role.ADMIN):
        raise Forbidden("流程的使用记录只有管理员能看")
