"""What changed, for one text, from each specification of URN syntax to the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from registry.urn.spec.reading import Reading, readings


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two specifications in what they make of a text.

    `component` is the part by the name that the newer one has for it, or the older where the
    newer has none, and `verdict` where one takes the text for a URN and the other does not;
    `before` and `after` are what stands in it, `None` where the part is not there.
    """

    older: Reading
    newer: Reading
    component: str
    before: str | None
    after: str | None


def changes(text: str) -> tuple[Change, ...]:
    """All differences, from RFC 2141 through the two drafts to RFC 8141; `()` where none."""
    return tuple(
        change for older, newer in pairwise(readings(text)) for change in _between(older, newer)
    )


def _between(older: Reading, newer: Reading) -> Iterator[Change]:
    if older.is_valid != newer.is_valid:
        yield Change(older, newer, "verdict", _verdict(older), _verdict(newer))
    if not (older.is_valid and newer.is_valid):
        return
    before = {_renamed(name, newer): part for name, part in older.parts.items()}
    for component in before | dict(newer.parts):
        was, now = before.get(component), newer.parts.get(component)
        if was != now:
            yield Change(older, newer, component, was, now)


def _renamed(component: str, newer: Reading) -> str:
    """Draft -03 says query and fragment where the later texts say q- and f-component."""
    known = {rule.component for rule in newer.profile.rules}
    later = {"query": "q", "fragment": "f"}.get(component, component)
    return later if component not in known and later in known else component


def _verdict(reading: Reading) -> str:
    return "a URN" if reading.error is None else str(reading.error.message)
