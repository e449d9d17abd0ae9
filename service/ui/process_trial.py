"""The try-out panel: one field for each that the process asks, and what the tables say, with every change."""

from dataclasses import dataclass
from datetime import date

from starlette.concurrency import run_in_threadpool

from rules.conditions import Within
from rules.table import NO, YES, FieldType, Process, Required
from rules.table import Field as Asked
from rules.wording import said
from service.access import Principal
from service.errors import BadRequest, Conflict, ZhixingError
from service.process.evaluating import Evaluation, evaluated, read_facts
from service.store.processes import Version
from service.ui.elements import Choice, Field, box, button, icon, listen, words
from service.ui.pages import Visit
from service.ui.process_addresses import VALUE
from service.ui.process_outcome import OutcomeView, headline
from service.ui.process_shown import Shown
from service.ui.process_words import STATUSES

NOTHING = ""


@dataclass(frozen=True, slots=True)
class Tried:
    """What came out, and by which version or draft."""

    found: Evaluation
    subject_name: str


class TrialView:
    """What one visitor has filled in. Answers can overtake each other: only the latest is shown."""

    def __init__(self, visit: Visit, shown: Shown, process: Process) -> None:
        self._visit = visit
        self._shown = shown
        self._process = process
        self._asked = 0
        self._opened: set[str] = set()
        self._controls: dict[str, Field | Choice] = {}

    async def show(self) -> None:
        with box("section", "trial"):
            with box("form", "panel trial-form", aria_label="试算") as form:
                words("h2", "填一个情况", "section-title")
                self._draw_day()
                for field in _in_order(self._process):
                    self._controls[field.name] = self._control(field)
                button("清空", self._clear)
                words("p", "试算不记入使用记录，也不影响正在办的申请。", "hint")
                self._said = words("p", "", "trial-said", role="status")
            listen(form, "submit.prevent", self._changed)
            self._result = box("section", "trial-result", aria_label="试算结果")
        await self._changed()

    def _draw_day(self) -> None:
        day = self._visit.asked("day") or date.today().isoformat()
        which = "那一天有效的版本与行" if self._shown.by_day else "这一份里那一天有效的行"
        self._day = Field("哪一天申请", kind="date", value=day, hint=f"用{which}", on_change=self._changed)

    def _control(self, field: Asked) -> Field | Choice:
        given = self._visit.asked(f"{VALUE}{field.code}")
        options = field.options or ((YES, NO) if field.type is FieldType.YES_NO else ())
        label = _label(field)
        if options:
            offered = {NOTHING: "（没有填）", **{option: option for option in options}}
            value = given if given in offered else NOTHING
            return Choice(label, offered, value=value, on_change=self._changed)
        if field.type is FieldType.DATE:
            return Field(label, kind="date", value=given, hint=_hint(field), on_change=self._changed)
        mode = "decimal" if field.type in (FieldType.AMOUNT, FieldType.INTEGER) else "text"
        return Field(
            label,
            value=given,
            hint=_hint(field),
            on_change=self._changed,
            inputmode=mode,
            autocomplete="off",
        )

    async def _clear(self) -> None:
        for control in self._controls.values():
            control.clear()
        await self._changed()

    async def _changed(self) -> None:
        self._asked += 1
        mine = self._asked
        principal = await self._visit.visitor.principal(self._shown.role)
        came: Tried | ZhixingError
        try:
            came = await run_in_threadpool(self._try, principal)
        except (BadRequest, Conflict) as error:
            came = error
        if mine != self._asked or self._result.is_deleted:
            return
        self._said.set_text(_summary(came))
        self._result.clear()
        with self._result:
            if isinstance(came, Tried):
                OutcomeView(self._shown.subject, came.found, came.subject_name, self._opened).show()
            else:
                _tell(came)

    def _try(self, principal: Principal) -> Tried:
        """Raises BadRequest for what cannot be used, Conflict where nothing is in force."""
        try:
            day = date.fromisoformat(self._day.value) if self._day.value else date.today()
        except ValueError as error:
            raise BadRequest("日期填得不对") from error
        process, name = self._process, f"草稿 {self._shown.subject.version}"
        if isinstance(self._shown.subject, Version):
            process, name = self._version(self._shown.subject, day)
        texts = {code: each.value for code, each in self._controls.items() if process.field(code)}
        return Tried(evaluated(process, read_facts(process, texts), day, matrix=True), name.strip())

    def _version(self, shown: Version, day: date) -> tuple[Process, str]:
        if not self._shown.by_day:
            return self._process, f"版本 {shown.version}"
        library = self._visit.parts.processes
        serving = library.serving(shown.process_id, day)
        process = library.process(serving) if serving is not None else None
        if serving is None or process is None:
            raise Conflict(f"这个流程在 {day} 没有有效的版本；可以换一天，或在上面选一个版本。")
        return process, f"版本 {serving.version}"


def _summary(came: Tried | ZhixingError) -> str:
    """In one line, for those who cannot see the result beside the fields."""
    if isinstance(came, Tried):
        return f"{STATUSES[came.found.status]}：{headline(came.found)}"
    return "有的值不能用" if came.details.get("problems") else came.message


def _tell(problem: ZhixingError) -> None:
    """Each value that cannot be used, by its field; else the message alone."""
    found = problem.details.get("problems")
    with box("div", "problem trial-problem"):
        icon("warning")
        with box("div"):
            if not isinstance(found, list):
                words("p", problem.message)
                return
            for each in found:
                words("p", f"{each['field']}：{each['message']}{each['mend']}")


def _in_order(process: Process) -> list[Asked]:
    """As they are asked; those never asked come last."""
    return sorted(process.fields, key=lambda field: (field.order is None, field.order or 0))


def _label(field: Asked) -> str:
    unit = f"（{field.unit}）" if field.unit else ""
    optional = "" if field.required is Required.ALWAYS else "，可以不填"
    return f"{field.name}{unit}{optional}"


def _hint(field: Asked) -> str:
    if field.bounds is not None:
        return said(Within((field.bounds,)))
    return ""
