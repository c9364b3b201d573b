"""What comes of reading a text: the template, where each value stood, and what is left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from registry.template.template import Template

Generation: TypeAlias = Literal["8141", "3406", "2611", "mixed", ""]
"""By which RFC the text was laid out; "mixed" with labels of both, "" where it has none."""


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of the text as they were given, counted from 1, and the label before them, if any."""

    text: str
    first: int
    last: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a value was found: the label as it was written, and the lines from there on.

    `old_field` is what the older template calls it, empty where RFC 8141 has the same.
    """

    label: str
    old_field: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ReadField:
    """A field that was found, the value taken from it, and what people should know of that."""

    name: str
    value: str
    sources: tuple[Source, ...]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What was understood of a text, and what was not.

    `fields` holds those that were found, in reading order. `left_over` is text that belongs to
    no field, `taken_out` what is no text at all: headers and footers of pages, marks of a
    format. Each line that is not empty is in one of the three.
    """

    template: Template
    generation: Generation = ""
    fields: tuple[ReadField, ...] = ()
    left_over: tuple[Passage, ...] = ()
    taken_out: tuple[Passage, ...] = ()
    remarks: tuple[str, ...] = ()

    def found(self, name: str) -> ReadField | None:
        """The field by its name; None where the text does not have it."""
        return next((each for each in self.fields if each.name == name), None)
