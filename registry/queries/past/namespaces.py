"""Which namespaces were registered then, and what the registry said of each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q, QuerySet

from registry.models import Event, Namespace, Organization, Registration
from registry.queries.namespaces import listed
from registry.queries.past.moments import Moment

FACTS: Final = ("status", "notice", "summary", "contact", "references", "last_known_version")
"""What a line of the journal says that it was before, by the columns of a namespace."""


@dataclass(frozen=True, slots=True)
class Then:
    """A namespace as it was: its facts, and the version in force, as far as they are known.

    `is_certain` says whether it was registered for certain, or only perhaps because nobody knows
    the day. Nothing is known of facts before the first line of the journal about it.
    """

    namespace: Namespace
    moment: Moment
    is_certain: bool
    has_facts: bool
    versions: tuple[Registration, ...]

    @property
    def version(self) -> int | None:
        """The version in force, none where none of those held here was published."""
        return self.versions[0].number if self.versions else None


def namespaces_then(moment: Moment, among: QuerySet[Namespace] | None = None) -> list[Then]:
    """Return the namespaces that were registered, perhaps or for certain, by NID."""
    known = listed() if among is None else among
    rows = list(known.order_by("nid"))
    lines = lines_of(rows)
    versions = versions_of(rows)
    every = (then(row, moment, lines.get(row.pk, []), versions.get(row.pk, [])) for row in rows)
    return [each for each in every if each is not None]


def namespace_then(nid: str, moment: Moment) -> Then | None:
    """Return one namespace as it was, none where it was not registered."""
    found = namespaces_then(moment, listed().filter(nid=nid))
    return found[0] if found else None


def lines_of(namespaces: Iterable[Namespace]) -> dict[int, list[Event]]:
    """Return the lines that changed what is said of each namespace, the last one first."""
    changing = Q(verb="register") | Q(registration_request=None)
    found: dict[int, list[Event]] = {}
    for event in Event.objects.filter(changing, namespace__in=namespaces).order_by("-number"):
        found.setdefault(event.namespace_id or 0, []).append(event)
    return found


def versions_of(namespaces: Iterable[Namespace]) -> dict[int, list[Registration]]:
    """Return the versions of each namespace, the newest first."""
    found: dict[int, list[Registration]] = {}
    every = Registration.objects.filter(namespace__in=namespaces).order_by("-number")
    for registration in every.select_related("namespace"):
        found.setdefault(registration.namespace_id, []).append(registration)
    return found


def then(
    namespace: Namespace, moment: Moment, lines: list[Event], versions: list[Registration]
) -> Then | None:
    """Return a namespace as it was, none where it was not registered."""
    has_facts = bool(lines) and lines[-1].at < moment.at
    is_ours = bool(lines) and lines[-1].verb == "register"
    if not has_facts and (is_ours or not may_have_been(namespace, moment)):
        return None
    for event in lines:
        if event.at >= moment.at:
            take_back(namespace, event.data.get("before") or {})
    published = {
        line.data["version"] for line in lines if line.at < moment.at and line.data.get("version")
    }
    held = tuple(each for each in versions if each.number in published)
    is_certain = has_facts or (
        bool(namespace.registered_on) and moment.is_after(namespace.registered_on)
    )
    return Then(namespace, moment, is_certain, has_facts, held)


def may_have_been(namespace: Namespace, moment: Moment) -> bool:
    """Whether an imported namespace may have been registered already, by the date that is known."""
    return not namespace.registered_on or not moment.is_before(namespace.registered_on)


def take_back(namespace: Namespace, before: Mapping[str, Any]) -> None:
    """Have the row in hand, which is not saved, say what it said before a line."""
    for name in FACTS:
        if name in before:
            setattr(namespace, name, before[name])
    if "registrant" in before:
        was = before["registrant"]
        namespace.registrant = Organization(name=was) if was else None
