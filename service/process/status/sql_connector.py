"""Applications in an approval system's own tables or views: SELECT only, values always bound."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, tzinfo
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from sqlalchemy import (
    ColumnClause,
    Connection,
    Engine,
    Row,
    TableClause,
    column,
    create_engine,
    event,
    select,
    table,
)
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from service import logs
from service.process.status.applications import MOST_LISTED, Application, Outcome, Status, newest_first
from service.process.status.errors import StatusMisconfigured, StatusUnavailable, StatusUnreadable
from service.process.status.mapping import ZoneText
from service.process.status.moments import CHINA, ISO, read_moment, zone_of
from service.process.status.records import ApplicationRecord, StepRecord, Words, assembled

log = logs.get(__name__)

MOST_STEPS = 5_000  # of all the applications that one question looks at
_SQLITE = "sqlite"
_NO_COLUMN = ""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class ApplicationColumns(_Table):
    """Names of the table or view and its columns; an empty name: there is no such column."""

    table: str = "applications"
    table_schema: str | None = Field(None, alias="schema")
    id: str = Field("id", min_length=1)
    process_id: str = "process_id"
    process: str = Field("process", min_length=1)
    title: str = "title"
    applicant_id: str = Field("applicant_id", min_length=1)
    applicant_name: str = "applicant_name"
    status: str = "status"
    submitted_at: str = Field("submitted_at", min_length=1)


class StepColumns(_Table):
    """A pending step is a row too, with the time it began."""

    table: str = "steps"
    table_schema: str | None = Field(None, alias="schema")
    application_id: str = Field("application_id", min_length=1)
    node: str = Field("node", min_length=1)
    person_id: str = Field("person_id", min_length=1)
    person_name: str = "person_name"
    outcome: str = Field("outcome", min_length=1)
    at: str = Field("at", min_length=1)
    comment: str = "comment"


class SqlMapping(_Table):
    name: str = "审批系统的数据库"
    time: str = ISO
    zone: ZoneText = CHINA
    applications: ApplicationColumns = ApplicationColumns()
    steps: StepColumns = StepColumns()
    statuses: dict[str, Status] = {}
    outcomes: dict[str, Outcome] = {}

    @model_validator(mode="after")
    def _tables(self) -> Self:
        if not self.applications.table or not self.steps.table:
            raise ValueError("applications.table 与 steps.table 都要写")
        return self


class SqlConnector:
    def __init__(self, url: str, mapping: SqlMapping, words: Words) -> None:
        """Raises StatusMisconfigured when the address is none that SQLAlchemy knows."""
        self._mapping = mapping
        self._words = words.extended(mapping.statuses, mapping.outcomes)
        self._zone = zone_of(mapping.zone)
        self._applications = _table_of(mapping.applications)
        self._steps = _table_of(mapping.steps)
        self._engine = _reading_engine(url)

    @property
    def window_days(self) -> int | None:
        return None

    def by_id(self, application_id: str) -> Application | None:
        found = self._found(self._mapping.applications.id, application_id)
        return found[0] if found else None

    def of_applicant(self, person_id: str) -> Sequence[Application]:
        return newest_first(self._found(self._mapping.applications.applicant_id, person_id))

    def close(self) -> None:
        self._engine.dispose()

    def _found(self, name: str, value: str) -> list[Application]:
        rows, columns = self._mapping.applications, self._applications.c
        statement = select(self._applications).where(columns[name] == value)
        statement = statement.order_by(columns[rows.submitted_at].desc()).limit(MOST_LISTED)
        try:
            with self._engine.connect() as connection:
                applications = list(connection.execute(statement))
                steps = self._steps_of(connection, [_text(row, rows.id) for row in applications])
        except SQLAlchemyError as error:
            # The driver's message may quote the address; the class says enough to begin with.
            log.warning("status.database_failed", system=self._mapping.name, reason=type(error).__name__)
            raise StatusUnavailable(f"{self._mapping.name}暂时查不到，请稍后再试") from error
        return [self._application(row, steps.get(_text(row, rows.id), [])) for row in applications]

    def _steps_of(self, connection: Connection, ids: Sequence[str]) -> Mapping[str, list[StepRecord]]:
        names = self._mapping.steps
        if not ids:
            return {}
        columns = self._steps.c
        statement = select(self._steps).where(columns[names.application_id].in_(ids))
        found: dict[str, list[StepRecord]] = {}
        rows = connection.execute(statement.order_by(columns[names.at]).limit(MOST_STEPS + 1)).all()
        if len(rows) > MOST_STEPS:  # the last ones say where it stands: a part would be wrong
            told = f"{self._mapping.name}里这些申请的环节超过 {MOST_STEPS:,} 条"
            raise StatusUnreadable(f"{told}，没有读完，请联系管理员")
        for row in rows:
            found.setdefault(_text(row, names.application_id), []).append(self._step(row))
        return found

    def _step(self, row: Row[Any]) -> StepRecord:
        names = self._mapping.steps
        return StepRecord(
            node=_text(row, names.node),
            outcome=_text(row, names.outcome),
            person_id=_text(row, names.person_id),
            person_name=_text(row, names.person_name),
            at=self._moment(row, names.at),
            comment=_text(row, names.comment),
        )

    def _application(self, row: Row[Any], steps: Sequence[StepRecord]) -> Application:
        names = self._mapping.applications
        record = ApplicationRecord(
            id=_text(row, names.id),
            number="",
            process_id=_text(row, names.process_id),
            process=_text(row, names.process),
            title=_text(row, names.title),
            applicant_id=_text(row, names.applicant_id),
            applicant_name=_text(row, names.applicant_name),
            status=_text(row, names.status),
            submitted_at=self._moment(row, names.submitted_at),
            steps=tuple(steps),
        )
        return assembled(record, self._words)

    def _moment(self, row: Row[Any], name: str) -> datetime | None:
        value = row._mapping[name]
        if isinstance(value, datetime):
            return _aware(value, self._zone)
        if isinstance(value, date):
            return datetime.combine(value, time(), self._zone)
        try:
            return read_moment("" if value is None else str(value), self._mapping.time, self._zone)
        except ValueError as error:
            said = f"{self._mapping.name}的列 {name} 不是 {self._mapping.time} 写法的时刻"
            raise StatusUnreadable(f"{said}，请联系管理员核对映射文件") from error


def _aware(value: datetime, zone: tzinfo) -> datetime:
    return value.astimezone(zone) if value.tzinfo else value.replace(tzinfo=zone)


def _table_of(names: ApplicationColumns | StepColumns) -> TableClause:
    """The named columns of the named table. SQLAlchemy quotes what needs it and writes the table before each
    column: SQLite takes a quoted name that stands alone and is no column for a text."""
    said = names.model_dump(exclude={"table", "table_schema"})
    columns: list[ColumnClause[object]] = [column(name) for name in dict.fromkeys(said.values()) if name]
    return table(names.table, *columns, schema=names.table_schema)


def _text(row: Row[Any], name: str) -> str:
    if name == _NO_COLUMN:
        return ""
    value = row._mapping[name]
    return "" if value is None else str(value).strip()


def _reading_engine(url: str) -> Engine:
    """An engine on which even a mistake of ours could not write, where the database offers that."""
    try:
        engine = create_engine(url, pool_pre_ping=True, hide_parameters=True)
    except (ArgumentError, NoSuchModuleError, ImportError) as error:
        raise StatusMisconfigured("ZHIXING_STATUS_SOURCE 里的数据库地址不对，或者没有装它的驱动") from error
    if engine.dialect.name == _SQLITE:

        @event.listens_for(engine, "connect")
        def _read_only(connection: object, _record: object) -> None:
            connection.execute("PRAGMA query_only=ON")  # type: ignore[attr-defined]

        return engine
    if engine.dialect.name == "postgresql":
        return engine.execution_options(postgresql_readonly=True)
    return engine
