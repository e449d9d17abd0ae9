"""The sheet 字段: what an applicant is asked, with the options, other words and bounds of each field."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

from rules.cells.choices import unknown_value
from rules.cells.reading import base_unit, read_amount, read_bounds
from rules.cells.requirements import read_requirement
from rules.conditions import Interval
from rules.faults import CellFault, bad_cell
from rules.findings import Code, Severity
from rules.sheets.columns import Record, heading, records
from rules.sheets.grid import Sheet
from rules.sheets.notes import Notes
from rules.sheets.synonyms import read_other_words
from rules.spelling import listed, plain, tight
from rules.table import NO, ORDERED, YES, Field, FieldType, Required

NEEDED = ("字段", "类型", "必填")
OPTIONAL = ("编码", "必填条件", "可选值", "同义词", "取值范围", "追问顺序", "追问话术", "值无效话术")
MOST = 300
"""Fields. Nobody answers more; what reading them costs stays bounded."""
_NAMED = 5  # fields named in one sentence


@dataclass(frozen=True, slots=True)
class Fields:
    """`broken` are names of rows that cannot be read; what refers to them is not reported again."""

    read: tuple[Field, ...] = ()
    broken: frozenset[str] = frozenset()
    nameless: bool = False  # a row's name itself cannot be read
    units: dict[str, str] = field(default_factory=dict)  # field -> the unit its type is written with

    def named(self, name: str) -> Field | None:
        return next((item for item in self.read if name == item.name), None)

    def may_name(self, *names: str) -> bool:
        """Whether a row that was told to be broken may be the field of this name."""
        return self.nameless or not self.broken.isdisjoint(names)

    def names(self) -> tuple[str, ...]:
        return tuple(item.name for item in self.read)


def read_fields(sheet: Sheet, unit: str, notes: Notes) -> Fields:
    """`unit` is that of amounts whose type has none: 元."""
    found = records(sheet, NEEDED, OPTIONAL, notes)
    if len(found) > MOST:
        why = f"字段有 {len(found)} 个，最多读 {MOST} 个，没有读。"
        notes.add(Code.BAD_SHEET, why, "请只留申请人要回答的字段。", sheet=sheet.title, row=found[MOST].row)
        return Fields()
    reader = _Reader(sheet.title, unit, notes)
    for record in found:
        reader.read(record)
    return reader.finished()


class _Reader:
    """Rows one by one; conditions of 必填 only when every field is known."""

    def __init__(self, title: str, unit: str, notes: Notes) -> None:
        self.title = title
        self.unit = unit
        self.notes = notes
        self.fields: list[Field] = []
        self.rows: list[Record] = []
        self.units: dict[str, str] = {}
        self.broken: set[str] = set()
        self.nameless = False

    def read(self, record: Record) -> None:
        """A row whose name, type or options cannot be read is left out; other faults lose only their cell."""
        column = "字段"
        try:
            name = record.word(column)
            if not name:
                raise bad_cell("", "字段名是空的", "请写上字段名，或删掉这一行。")
            self._refuse_repeated(name, record)
            column = "类型"
            type_, unit = _type(record.word(column))
            column = "可选值"
            options = self._options(record, type_)
        except CellFault as fault:
            self.notes.fault(fault, self.title, record.row, column)
            if column == "字段":
                self.nameless = self.nameless or fault.code is not Code.DUPLICATE
            self.broken.add(plain(record.cell("字段").text))
            return
        if type_ is FieldType.AMOUNT:
            unit = unit or self.unit
        self.units[name] = unit
        self.rows.append(record)
        self.fields.append(self._field(record, name, type_, unit, options))

    def finished(self) -> Fields:
        required = [self._required(item, row) for item, row in zip(self.fields, self.rows, strict=True)]
        self._note_circle(required)
        self._note_mistaken()
        ordered = [self._ordered(item, row) for item, row in zip(required, self.rows, strict=True)]
        return Fields(tuple(ordered), frozenset(self.broken), self.nameless, self.units)

    def _refuse_repeated(self, name: str, record: Record) -> None:
        code = record.word("编码")
        for item in self.fields:
            if name in (item.name, item.code) or (code and code in (item.name, item.code)):
                word = name if name in (item.name, item.code) else code
                raise CellFault(
                    Code.DUPLICATE,
                    f"字段「{word}」已经有了。",
                    "请换一个名字或编码，或删掉这一行。",
                    value=word,
                )

    def _options(self, record: Record, type_: FieldType) -> tuple[str, ...]:
        options = tuple(dict.fromkeys(listed(record.text("可选值"))))
        if "任意" in options or "-" in options:
            raise bad_cell(
                record.text("可选值"), "「任意」不是选项", "请去掉它：条件格里写「任意」就是每个选项都可以。"
            )
        if type_ is FieldType.CHOICE and not options:
            raise bad_cell("", "单选字段没有可选值", "请在「可选值」里写上选项，用顿号隔开。")
        if type_ is not FieldType.YES_NO:
            return options
        if set(options) - {YES, NO}:
            raise bad_cell(
                record.text("可选值"), "「是否」字段只能是「是、否」", "别的选项请把类型改成「单选」。"
            )
        return (YES, NO)

    def _field(
        self, record: Record, name: str, type_: FieldType, unit: str, options: tuple[str, ...]
    ) -> Field:
        tell = partial(self.notes.fault, sheet=self.title, row=record.row, column="同义词")
        words = read_other_words(self._text(record, "同义词"), options, tell)
        return Field(
            name=name,
            code=self._text(record, "编码") or name,
            type=type_,
            options=options,
            synonyms=words.synonyms,
            aliases=tuple(words.aliases),
            bounds=self._bounds(record, type_, unit),
            question=self._text(record, "追问话术"),
            invalid=self._text(record, "值无效话术"),
            unit=base_unit(unit),
        )

    def _text(self, record: Record, column: str) -> str:
        try:
            return record.text(column)
        except CellFault as fault:
            self.notes.fault(fault, self.title, record.row, column)
            return ""

    def _bounds(self, record: Record, type_: FieldType, unit: str) -> Interval | None:
        try:
            text = record.text("取值范围")
            if not text or tight(text) in ("任意", "-"):
                return None
            if type_ not in ORDERED:
                raise bad_cell(text, f"「{type_}」字段没有取值范围", "请把这一格清空，或者改写「可选值」。")
            return read_bounds(text, type_, unit)
        except CellFault as fault:
            self._lost(fault, record, "取值范围")
            return None

    def _required(self, item: Field, record: Record) -> Field:
        """必填 is 是, 否, 条件 (then 必填条件 says which), or the condition itself."""
        column = "必填"
        try:
            said = record.word(column)
            if said in (Required.ALWAYS, Required.NEVER):
                return replace(item, required=Required(said))
            if said == Required.WHEN:
                column = "必填条件"
                said = record.text(column)
            elif not said:
                raise bad_cell("", "必填没有写", "请写「是」「否」或「条件」。")
            clauses = read_requirement(said, self.fields, own=item.name)
            return replace(item, required=Required.WHEN, required_when=clauses)
        except CellFault as fault:
            if not (fault.code is Code.UNKNOWN_FIELD and fault.value in self.broken):
                self._lost(fault, record, column)
            return item

    def _note_mistaken(self) -> None:
        """Another word for a field that is the name of a second one: what is said with it is nobody's."""
        names = {item.name for item in self.fields}
        for item, record in zip(self.fields, self.rows, strict=True):
            for word in sorted((names - {item.name}).intersection(item.aliases)):
                why = f"「{word}」是另一个字段的名字，不能又是「{item.name}」的叫法。"
                fault = CellFault(Code.DUPLICATE, why, "请删掉这个叫法。", value=word)
                self.notes.fault(fault, self.title, record.row, "同义词")

    def _note_circle(self, fields: Sequence[Field]) -> None:
        """Fields required only under conditions on each other: of none is it known that it must be asked."""
        conditional = (item for item in fields if item.required is Required.WHEN)
        open_ = {item.name: {each.field for each in item.required_when} for item in conditional}
        while settled := [name for name, others in open_.items() if not others & open_.keys()]:
            for name in settled:
                del open_[name]
        if open_:
            names = "、".join(f"「{name}」" for name in islice(open_, _NAMED))
            more = "等" if len(open_) > _NAMED else ""
            why = f"{names}{more}是否必填互相取决于对方，都没有回答时谁也不会先问。"
            mend = "请让其中一个总是必填，或者改成取决于别的字段。"
            fault = CellFault(Code.BAD_CELL, why, mend, severity=Severity.WARNING)
            row = next(row.row for row, item in zip(self.rows, fields, strict=True) if item.name in open_)
            self.notes.fault(fault, self.title, row, "必填条件")

    def _lost(self, fault: CellFault, record: Record, column: str) -> None:
        """A fault on which the check of the tables or the test cases rests."""
        self.notes.fault(fault, self.title, record.row, column)
        self.notes.broken.add(plain(record.cell("字段").text))

    def _ordered(self, item: Field, record: Record) -> Field:
        """A required field without a place in the questions is asked after the others."""
        order = self._order(record)
        told = item.name in self.notes.broken or record.lacks("追问顺序")
        if order is None and item.required is not Required.NEVER and not told:
            last = max((self._order(row, quiet=True) or 0 for row in self.rows), default=0)
            order = last + 1 + self.rows.index(record)
            self.notes.add(
                Code.BAD_CELL,
                f"「{item.name}」是必填的，却没有写追问顺序，只好排在最后问。",
                "请在「追问顺序」里写上第几个问。",
                severity=Severity.WARNING,
                sheet=self.title,
                row=record.row,
                column="追问顺序",
            )
        return replace(item, order=order)

    def _order(self, record: Record, *, quiet: bool = False) -> int | None:
        try:
            text = record.word("追问顺序")
            return int(read_amount(text, FieldType.INTEGER)) if text not in ("", "-") else None
        except CellFault as fault:
            if not quiet:
                self.notes.fault(fault, self.title, record.row, "追问顺序")
            return None


def _type(text: str) -> tuple[FieldType, str]:
    """金额(元) is an amount in 元. Raises CellFault."""
    said = heading(text, 0)
    try:
        return FieldType(said.name), said.unit
    except ValueError:
        raise unknown_value(said.name, [type_.value for type_ in FieldType], "") from None
