"""Events next to the entries of the transparency log that prove them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from registry.journal.event_messages import EventMessage, describe_events
from registry.models import Event
from registry.selectors.transparency_log import LoggedEntry, list_logged_entries


@dataclass(frozen=True, slots=True)
class LoggedAct:
    """What was done, in words, and its entry in the log."""

    line: EventMessage
    entry: LoggedEntry


def describe_logged_acts(events: Iterable[Event]) -> list[LoggedAct]:
    """Return events in words, each with its entry in the log."""
    lines = describe_events(events)
    entries = list_logged_entries(line.event.number for line in lines)
    return [LoggedAct(*each) for each in zip(lines, entries, strict=True)]
