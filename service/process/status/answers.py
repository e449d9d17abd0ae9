"""From an approval system's JSON to records, by the paths of its mapping."""

from collections.abc import Iterator
from datetime import datetime

from pydantic import JsonValue

from service.process.status.applications import Outcome
from service.process.status.errors import StatusUnreadable
from service.process.status.mapping import Mapping, Steps, Where
from service.process.status.moments import read_moment, zone_of
from service.process.status.paths import JsonPath
from service.process.status.records import ApplicationRecord, StepRecord

_JOINT = "/"


class Reader:
    """Reads answers of one approval system. Holds no state."""

    def __init__(self, mapping: Mapping) -> None:
        self._mapping = mapping
        self._zone = zone_of(mapping.zone)

    def application(self, value: JsonValue, asked: str = "") -> ApplicationRecord:
        """`asked` is the id that was asked for. Raises StatusUnreadable, which names the key and its path."""
        fields = self._mapping.fields
        own_id = fields.id.text_of(value) or asked or self._needed("fields.id", fields.id, value)
        key = self._text(fields.process_key, value)
        name = self._text(fields.process, value)
        submitted = self._moment("fields.submitted_at", fields.submitted_at, value)
        status = _JOINT.join(text for path in fields.status if (text := path.text_of(value)))
        applicant = self._needed("fields.applicant", fields.applicant, value)
        applicant_name = self._text(fields.applicant_name, value)
        first = StepRecord("", Outcome.SUBMITTED.value, applicant, applicant_name, submitted)
        return ApplicationRecord(
            id=own_id,
            number=self._text(fields.number, value),
            process_id=self._mapping.processes.get(key, self._mapping.processes.get(name, "")),
            process=name or key,
            title=self._text(fields.title, value),
            applicant_id=applicant,
            applicant_name=applicant_name,
            status=status,
            submitted_at=submitted,
            steps=(first, *self._steps(value)),
        )

    def _steps(self, value: JsonValue) -> Iterator[StepRecord]:
        for place, steps in enumerate(self._mapping.steps):
            key = f"steps.{place}"
            nodes = listed(steps.items, value)
            meant = [
                (number, node)
                for number, node in enumerate(nodes, 1)
                if all(_among(where, node, node) for where in steps.node_where)
            ]
            for number, node in meant[:1] if steps.only_first_node else meant:
                for item in listed(steps.each, node) if steps.each else [node]:
                    if all(_among(where, node, item) for where in steps.where):
                        yield from self._records(key, steps, node, item, number)

    def _records(
        self, key: str, steps: Steps, node: JsonValue, item: JsonValue, number: int
    ) -> Iterator[StepRecord]:
        """One for each of the step's people, or one without a person."""
        named = steps.node.text_of(node, item) if steps.node else ""
        shown = self._mapping.nodes.get(named, named) or steps.node_numbered.replace("{n}", str(number))
        outcome = steps.outcome_is.value if steps.outcome_is else ""
        if steps.outcome is not None:
            outcome = steps.outcome.text_of(node, item)
        at = steps.at.text_of(node, item) if steps.at else ""
        moment = self._read_moment(f"{key}.at", at)
        comment = steps.comment.text_of(node, item) if steps.comment else ""
        name = steps.person_name.text_of(node, item) if steps.person_name else ""
        for person in steps.person.texts(node, item) or [""]:
            yield StepRecord(shown, outcome, person, name, moment, comment)

    def _text(self, path: JsonPath | None, value: JsonValue) -> str:
        return path.text_of(value) if path else ""

    def _needed(self, key: str, path: JsonPath, value: JsonValue) -> str:
        text = path.text_of(value)
        if not text:
            raise StatusUnreadable(
                f"{self._mapping.name}的应答里 {key}（{path.text}）没有值，请联系管理员核对映射文件"
            )
        return text

    def _moment(self, key: str, path: JsonPath | None, value: JsonValue) -> datetime | None:
        return self._read_moment(key, path.text_of(value)) if path else None

    def _read_moment(self, key: str, text: str) -> datetime | None:
        try:
            return read_moment(text, self._mapping.time, self._zone)
        except ValueError as error:
            said = f"{self._mapping.name}的应答里 {key} 不是 {self._mapping.time} 写法的时刻"
            raise StatusUnreadable(f"{said}，请联系管理员核对映射文件") from error


def words_of_codes() -> dict[str, Outcome]:
    """Our own codes, which a mapping's `outcome_is` and the first step use."""
    return {outcome.value: outcome for outcome in Outcome}


def listed(path: JsonPath, value: JsonValue) -> list[JsonValue]:
    """What the path leads to, lists at its end spread out."""
    return [item for found in path.all(value) for item in (found if isinstance(found, list) else [found])]


def _among(where: Where, node: JsonValue, item: JsonValue) -> bool:
    return where.path.text_of(node, item) in where.among
