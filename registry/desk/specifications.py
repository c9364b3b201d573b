"""What the earlier specifications would have said of a text, beside RFC 8141."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from registry.urn import URNSyntaxError, spec

_TITLES: Final = {
    spec.RFC_2141.name: "RFC 2141",
    spec.DRAFT_03.name: "draft-ietf-urnbis-rfc2141bis-urn-03",
    spec.DRAFT_12.name: "draft-ietf-urnbis-rfc2141bis-urn-12",
    spec.RFC_8141.name: "RFC 8141",
}
_SINCE: Final = {"query": "q", "fragment": "f"}


@dataclass(frozen=True, slots=True)
class Specification:
    """One specification of URN syntax and what it makes of a text.

    `differing` are the parts, by its own names, that it finds otherwise than RFC 8141 does;
    `converted` is a URN of RFC 8141 that says what the text says in a draft, empty where that is
    the text itself or cannot be said.
    """

    reading: spec.Reading
    differing: Mapping[str, str]
    converted: str = ""

    @property
    def title(self) -> str:
        """The name under which it is found."""
        return _TITLES[self.reading.profile.name]

    @property
    def is_in_force(self) -> bool:
        """Whether it is RFC 8141 itself."""
        return self.reading.profile is spec.RFC_8141


def specifications(text: str) -> tuple[Specification, ...]:
    """Read `text` by RFC 2141, drafts -03 and -12 and RFC 8141, the oldest first."""
    readings = spec.readings(text)
    today = readings[-1]
    return tuple(
        Specification(reading, differing(reading, today), converted(text, reading))
        for reading in readings
    )


def differing(reading: spec.Reading, today: spec.Reading) -> dict[str, str]:
    """Return the parts of `reading` that are not the same in `today`."""
    if not reading.is_valid or reading is today:
        return {}
    known = today.parts if today.is_valid else {}
    return {
        name: part
        for name, part in reading.parts.items()
        if known.get(_SINCE.get(name, name)) != part
    }


def converted(text: str, reading: spec.Reading) -> str:
    """Return the components of a draft as RFC 8141 writes them, empty where nothing changes."""
    if not reading.is_valid or reading.profile not in (spec.DRAFT_03, spec.DRAFT_12):
        return ""
    try:
        written = spec.convert(text, reading.profile).text
    except URNSyntaxError:
        return ""
    return "" if written[4:] == text[4:] else written
