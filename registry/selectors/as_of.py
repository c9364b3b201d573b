"""The registry as it was at another time, reconstructed from the journal and the versions."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from django.db.models import DateTimeField, F, Max, Min, OuterRef, Q, QuerySet, Subquery, Value
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from registry import enums
from registry.enums import VerbKind
from registry.errors import RegistryError
from registry.models import Event, Namespace, Organization, Registration, RegistrationRequest, Round
from registry.selectors.nids import namespaces_for_lists
from registry.validators import PARTIAL_DATE

# A day, month or year means its end, in UTC; one that is not over means now. A namespace registered
# in "2004" was certainly registered at the end of 2004, perhaps during 2004, and not before.

MONTHS_IN_YEAR: Final = 12


class UnknownMoment(RegistryError):
    """The text is not a date, or nothing is known of that time; the message can be shown."""

    status = HTTPStatus.BAD_REQUEST


@dataclass(frozen=True, slots=True)
class Moment:
    """Everything that happened before this instant counts."""

    at: datetime.datetime

    def is_after(self, date: str) -> bool:
        """Whether a partially known date was over."""
        return find_date_span(date)[1] <= self.at

    def is_before(self, date: str) -> bool:
        """Whether a partially known date had not begun."""
        return self.at <= find_date_span(date)[0]


def parse_moment(text: str, now: datetime.datetime | None = None) -> Moment:
    """Return the moment that `text` names; raise `UnknownMoment` if it names none."""
    present = now or timezone.now()
    begins, ends = parse_interval(text)
    if begins > present:
        raise UnknownMoment(_("“%(text)s” is in the future.") % {"text": text})
    moment, first = Moment(min(ends, present)), find_first_date()
    if first is None or moment.is_before(first):
        words = _("The registry knows of nothing before %(first)s.")
        raise UnknownMoment(words % {"first": first or _("today")})
    return moment


def parse_interval(text: str) -> tuple[datetime.datetime, datetime.datetime]:
    """Return when what `text` names begins, and when it is over."""
    if PARTIAL_DATE.fullmatch(text):
        try:
            return find_date_span(text)
        except (ValueError, OverflowError):
            raise make_date_error(text) from None
    try:
        instant = parse_datetime(re.sub(r"(?<=\d)[tT ](?=\d)", "T", text))
    except ValueError:
        raise make_date_error(text) from None
    if instant is None or instant.tzinfo is None:
        raise make_date_error(text)
    try:
        return (exact := instant.astimezone(datetime.UTC)), exact
    except OverflowError:
        raise make_date_error(text) from None


def make_date_error(text: str) -> UnknownMoment:
    """Return the error for a text that is not a date."""
    words = _("“%(text)s” is not a date. Write 2026-11-20, 2026-11, 2026 or 2026-11-20T12:00:00Z.")
    return UnknownMoment(words % {"text": text})


def find_date_span(date: str) -> tuple[datetime.datetime, datetime.datetime]:
    """Return when a year, month or day begins in UTC, and when it is over."""
    parts = [int(part) for part in date.split("-")]
    year, month, day = (*parts, 1, 1)[:3]
    first = datetime.datetime(year, month, day, tzinfo=datetime.UTC)
    if len(parts) == 1:
        return first, first.replace(year=year + 1)
    if len(parts) == 2:
        later = (year + 1, 1) if month == MONTHS_IN_YEAR else (year, month + 1)
        return first, first.replace(year=later[0], month=later[1])
    return first, first + datetime.timedelta(1)


def find_first_date() -> str | None:
    """Return the day, month or year of the oldest thing that the registry knows of."""
    dated = Namespace.objects.exclude(registered_on="").order_by("registered_on")
    oldest = dated.values_list("registered_on", flat=True).first()
    line = Event.objects.order_by("number").values_list("at", flat=True).first()
    known = [each for each in (oldest, line and f"{line:%Y-%m-%d}") if each]
    return min(known, default=None)


CHANGEABLE_FACTS: Final = (
    "status",
    "notice",
    "summary",
    "contact",
    "references",
    "last_known_version",
    "iana_reference",
)
"""The columns of a namespace whose earlier values events record."""


@dataclass(frozen=True, slots=True)
class NamespaceAsOf:
    """A namespace as it was: its facts, and the version in force, as far as they are known.

    `is_certain` says whether it was certainly registered, or only perhaps, since nobody knows the
    day. Facts before the namespace's first event are unknown.
    """

    namespace: Namespace
    moment: Moment
    is_certain: bool
    has_facts: bool
    versions: tuple[Registration, ...]

    @property
    def version(self) -> int | None:
        """The version in force; None if no version stored here had been published."""
        return self.current.number if self.current else None

    @property
    def current(self) -> Registration | None:
        """The same with its text."""
        return self.versions[0] if self.versions else None

    @property
    def as_of(self) -> datetime.datetime:
        """The time at which it was so."""
        return self.moment.at

    @property
    def was_registered(self) -> str:
        """Whether it was registered: "yes" or "perhaps"."""
        return "yes" if self.is_certain else "perhaps"


def list_namespaces_as_of(
    moment: Moment, among: QuerySet[Namespace] | None = None
) -> list[NamespaceAsOf]:
    """Return the namespaces that were registered, perhaps or certainly, by NID."""
    known = namespaces_for_lists() if among is None else among
    rows = list(known.order_by("nid"))
    lines = load_fact_events(rows)
    versions = load_versions(rows)
    every = (
        rebuild_namespace(row, moment, lines.get(row.pk, []), versions.get(row.pk, []))
        for row in rows
    )
    return [each for each in every if each is not None]


def find_namespace_as_of(nid: str, moment: Moment) -> NamespaceAsOf | None:
    """Return one namespace as it was; None if it was not registered."""
    found = list_namespaces_as_of(moment, namespaces_for_lists().filter(nid=nid))
    return found[0] if found else None


def load_fact_events(namespaces: Iterable[Namespace]) -> dict[int, list[Event]]:
    """Return the events that changed the facts of each namespace, the last first."""
    changing = Q(verb__in=enums.list_verbs_of_kind(VerbKind.PUBLICATION)) | Q(
        registration_request=None
    )
    found: dict[int, list[Event]] = {}
    for event in Event.objects.filter(changing, namespace__in=namespaces).order_by("-number"):
        found.setdefault(event.namespace_id or 0, []).append(event)
    return found


def load_versions(namespaces: Iterable[Namespace]) -> dict[int, list[Registration]]:
    """Return the versions of each namespace, the newest first."""
    found: dict[int, list[Registration]] = {}
    every = Registration.objects.filter(namespace__in=namespaces).order_by("-number")
    for registration in every.select_related("namespace"):
        found.setdefault(registration.namespace_id, []).append(registration)
    return found


def rebuild_namespace(
    namespace: Namespace, moment: Moment, lines: list[Event], versions: list[Registration]
) -> NamespaceAsOf | None:
    """Return a namespace as it was; None if it was not registered."""
    has_facts = bool(lines) and lines[-1].at < moment.at
    is_ours = bool(lines) and enums.is_verb_of_kind(lines[-1].verb, VerbKind.PUBLICATION)
    if not has_facts and (is_ours or not may_have_been_registered(namespace, moment)):
        return None
    for event in lines:
        if event.at >= moment.at:
            undo_event(namespace, event.data.get("before") or {})
    published = {
        line.data["version"] for line in lines if line.at < moment.at and line.data.get("version")
    }
    held = tuple(each for each in versions if each.number in published)
    is_certain = has_facts or (
        bool(namespace.registered_on) and moment.is_after(namespace.registered_on)
    )
    return NamespaceAsOf(namespace, moment, is_certain, has_facts, held)


def may_have_been_registered(namespace: Namespace, moment: Moment) -> bool:
    """Whether an imported namespace may already have been registered, going by its known date."""
    return not namespace.registered_on or not moment.is_before(namespace.registered_on)


def undo_event(namespace: Namespace, before: Mapping[str, Any]) -> None:
    """Set the row, which is not saved, back to what it said before an event."""
    for name in CHANGEABLE_FACTS:
        if name in before:
            setattr(namespace, name, before[name])
    if "registrant" in before:
        was = before["registrant"]
        namespace.registrant = Organization(name=was) if was else None


def requests_as_of(moment: Moment) -> QuerySet[Any]:
    """Return the requests that were public, each with what it was then.

    `as_of` is the moment, `state_then` and `since_then` the state and its start, `nid_then` the NID
    of the last round, `rounds_then` the number of rounds.
    """
    sent = Q(rounds__submitted_at__lt=moment.at)
    moved = (
        request_events_until(moment)
        .exclude(target="")
        .exclude(target=F("source"))
        .order_by("-number")
    )
    round_then = Round.objects.filter(
        registration_request=OuterRef("pk"), submitted_at__lt=moment.at
    ).order_by("-number")
    known = RegistrationRequest.objects.select_related("organization", "namespace", "author")
    return known.filter(pk__in=public_request_keys(moment)).annotate(
        as_of=Value(moment.at, DateTimeField()),
        state_then=Subquery(moved.values("target")[:1]),
        since_then=Subquery(moved.values("at")[:1]),
        nid_then=Subquery(round_then.values("nid")[:1]),
        rounds_then=Max("rounds__number", filter=sent),
    )


def public_request_keys(moment: Moment) -> QuerySet[Any, Any]:
    """Return the keys of the requests whose first round had been sent."""
    first = Round.objects.sent().values("registration_request").annotate(at=Min("submitted_at"))
    return first.filter(at__lt=moment.at).values("registration_request")


def request_events_until(moment: Moment) -> QuerySet[Event]:
    """Return the events of a request until then."""
    return Event.objects.filter(registration_request=OuterRef("pk"), at__lt=moment.at)


def find_path_as_of(registration_request: RegistrationRequest, moment: Moment) -> tuple[str, bool]:
    """Return the path of a request as it was, and whether a standard was to come of it."""
    later = registration_request.events.filter(
        verb__in=enums.list_verbs_of_kind(VerbKind.PATH_CHANGE), at__gte=moment.at
    )
    change = later.order_by("number").first()
    if change is None:
        return registration_request.path, registration_request.standards_action
    return change.data["path_before"], change.data["standards_action_before"]
