"""A filled-in registration template, as a value, and numbering an informal one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Self

from registry.template.fields import ORDER, field
from registry.urn.nid import PLACEHOLDER, informal_number

LIST_FIELDS: Final = frozenset({"examples", "counter_examples", "equivalence"})
CHOICE_FIELDS: Final = tuple(name for name in ORDER if field(name).choices)
WORD_FIELDS: Final = frozenset({"nid", "version", "date", "grammar_start", *CHOICE_FIELDS})

_LINE_END: Final = re.compile(r"\r\n?")
_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_BLANK: Final = " \t"


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """The thirteen fields of Appendix A as texts, and their subfields.

    Frozen, hashable and equal by content. Line ends become LF; spaces at the end of a line, empty
    lines around a text and spaces around a single word are removed; what UTF-8 cannot express
    becomes U+FFFD; nothing else changes. `template["purpose"]` is the text of any field by name,
    with lists one entry per line.
    """

    nid: str = ""
    version: str = ""
    date: str = ""
    registrant: str = ""
    purpose: str = ""
    syntax: str = ""
    grammar_kind: str = ""
    grammar: str = ""
    grammar_start: str = ""
    examples: tuple[str, ...] = ()
    counter_examples: tuple[str, ...] = ()
    equivalence: tuple[str, ...] = ()
    prior_use: str = ""
    assignment: str = ""
    security_privacy: str = ""
    interoperability: str = ""
    known_issues: str = ""
    resolution: str = ""
    resolution_intended: str = ""
    resolution_operator: str = ""
    documentation: str = ""
    additional_information: str = ""
    revision_information: str = ""

    def __post_init__(self) -> None:
        for each in fields(self):
            object.__setattr__(self, each.name, _tidy_value(each.name, getattr(self, each.name)))
        for name in CHOICE_FIELDS:
            if self[name] not in field(name).choices:
                raise ValueError(f"“{self[name]}” is no answer to “{field(name).label}”.")

    def __getitem__(self, name: str) -> str:
        if name not in self.__slots__:
            raise KeyError(name)
        value: str | tuple[str, ...] = getattr(self, name)
        return value if isinstance(value, str) else "\n".join(value)

    @classmethod
    def blank(cls) -> Self:
        """An empty template."""
        return cls()

    @classmethod
    def from_dict(cls, values: Mapping[str, object]) -> Self:
        """The template with these values by field name; fields left out are empty.

        None is empty too, numbers and dates are converted to text, and a list may be given as text,
        one entry per line. Raises KeyError for an unknown field, ValueError for a value that is
        none of the field's choices.
        """
        unknown = values.keys() - set(cls.__slots__)
        if unknown:
            raise KeyError(min(unknown))
        return cls(**{name: _convert_value(name, value) for name, value in values.items()})

    def to_dict(self) -> dict[str, str | list[str]]:
        """The values by field name, in reading order, fit for JSON and for `from_dict`."""
        return {
            each.name: list(value) if isinstance(value, tuple) else value
            for each in fields(self)
            for value in (getattr(self, each.name),)
        }

    def replace(self, **changes: object) -> Self:
        """The same template with some fields changed; values and errors as for `from_dict`."""
        return self.from_dict({**self.to_dict(), **changes})


def _convert_value(name: str, value: object) -> Any:
    if name not in LIST_FIELDS:
        return "" if value is None else str(value)
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Iterable):
        return (str(value),)
    return tuple(str(entry) for entry in value)


def _tidy_value(name: str, value: Any) -> str | tuple[str, ...]:
    if name in LIST_FIELDS:
        return _tidy_entries(value)
    return _tidy_text(value).strip() if name in WORD_FIELDS else _tidy_text(value)


def _tidy_text(text: str) -> str:
    lines = _LONE_SURROGATE.sub("\ufffd", _LINE_END.sub("\n", text)).split("\n")
    return "\n".join(line.rstrip(_BLANK) for line in lines).strip("\n")


def _tidy_entries(entries: Iterable[str]) -> tuple[str, ...]:
    lines = (line.strip(_BLANK) for entry in entries for line in _tidy_text(entry).split("\n"))
    return tuple(line for line in lines if line)


# The registrant writes `urn-N`; the registry replaces it by the identifier when it publishes.

_WHOLE_WORD: Final = re.compile(rf"\b{PLACEHOLDER}\b")


def number(template: Template, nid: str) -> Template:
    """The template with `nid`, such as `urn-9`, wherever the placeholder is a whole word.

    Raises ValueError when `nid` is not the identifier of an informal namespace.
    """
    if informal_number(nid) is None:
        raise ValueError(f"“{nid}” is not the identifier of an informal namespace.")
    return template.replace(
        **{name: _WHOLE_WORD.sub(nid, template[name]) for name in occurrences(template)}
    )


def occurrences(template: Template) -> dict[str, int]:
    """How often the placeholder is in each field that has it, in reading order."""
    counted = {name: len(_WHOLE_WORD.findall(template[name])) for name in template.to_dict()}
    return {name: count for name, count in counted.items() if count}
