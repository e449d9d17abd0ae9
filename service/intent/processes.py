"""The words of the published processes, as evidence for the reader."""

from rules.table import Field, FieldType, Process
from service.intent.cues import ProcessWords


def process_words(process: Process) -> ProcessWords:
    """Name, aliases, its fields and what they are answered with."""
    choices = [item for item in process.fields if item.type is FieldType.CHOICE]
    others = [item for item in process.fields if item.type is not FieldType.CHOICE]
    named = tuple(word for item in process.fields for word in (item.name, *item.aliases))
    return ProcessWords(process.name, process.aliases, _words(choices), _words(others), named)


def _words(fields: list[Field]) -> tuple[str, ...]:
    return tuple(word for item in fields for word in (*item.options, *item.synonyms))
