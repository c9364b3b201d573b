"""Which requests lie before an expert: the tabs of the queue, its filters and its order."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db.models import (
    Case,
    DateTimeField,
    Exists,
    ExpressionWrapper,
    F,
    JSONField,
    OuterRef,
    Prefetch,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry import queries
from registry.choices import BEFORE_EXPERTS, ENDS, Change, State
from registry.models import Assignment, Event, Organization, RegistrationRequest, Round, User
from registry.models.request import RequestQuerySet, RoundQuerySet

DECIDED: Final = (*ENDS, State.APPROVED, State.REPORTED, State.DECLINED, State.APPEALED)


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab of the queue: its key in the address, its title, and what it holds in what order."""

    key: str
    title: str | Promise
    holds: Callable[[User], RequestQuerySet]
    sort: str = "due"


def mine(person: User) -> RequestQuerySet:
    """Return what `person` has taken and is to work on."""
    return queries.assigned_to(person).filter(state__in=BEFORE_EXPERTS)


def with_registrants(person: User) -> RequestQuerySet:
    """Return what was sent back for changes."""
    return RegistrationRequest.objects.public().filter(state=State.CHANGES_REQUESTED)


def decided(person: User) -> RequestQuerySet:
    """Return what experts are done with."""
    return RegistrationRequest.objects.public().filter(state__in=DECIDED)


TABS: Final = (
    Tab("mine", _("Mine"), mine),
    Tab("unassigned", _("Unassigned"), lambda person: queries.unassigned()),
    Tab("waiting", _("Waiting for registrants"), with_registrants),
    Tab("open", _("All open"), lambda person: RegistrationRequest.objects.live().public()),
    Tab("decided", _("Decided"), decided, sort="latest"),
)


def tab(key: str | None) -> Tab:
    """Return the tab of that key, the first for any other."""
    return next((each for each in TABS if each.key == key), TABS[0])


def with_stake_of(person: User, requests: RequestQuerySet) -> RequestQuerySet:
    """Annotate `stake`: what makes `person` party to each, empty for nothing.

    The same facts as `rules.is_party`, asked of many requests in one query.
    """
    delegated = Organization.objects.filter(pk=OuterRef("organization"), delegates=person)
    invited = RegistrationRequest.objects.filter(pk=OuterRef("pk"), co_editors=person)
    stakes = [
        When(author=person, then=Value("author")),
        When(Exists(delegated), then=Value("delegate")),
        When(Exists(invited), then=Value("co_editor")),
    ]
    if person.organization_id:
        stakes.append(When(organization=person.organization_id, then=Value("organization")))
    return requests.annotate(stake=Case(*stakes, default=Value("")))


def for_queue(person: User, requests: RequestQuerySet) -> RequestQuerySet:
    """Return them with everything a line of the queue says, in two queries."""
    last = sent_rounds().order_by("-number")
    approved = Event.objects.filter(
        registration_request=OuterRef("pk"),
        actor=person,
        verb="approve",
        at__gte=OuterRef("last_sent_at"),
    )
    return (
        with_stake_of(person, requests)
        .select_related("organization", "namespace")
        .annotate(
            rounds_sent=Subquery(last.values("number")[:1]),
            last_sent_at=Subquery(last.values("submitted_at")[:1]),
            last_findings=Subquery(last.values("findings")[:1], output_field=JSONField()),
        )
        .annotate(has_approved=Exists(approved))
        .prefetch_related(Prefetch("assignments", Assignment.objects.select_related("expert")))
    )


def sent_rounds() -> RoundQuerySet:
    """Return the rounds sent of the request of the outer query."""
    return Round.objects.filter(registration_request=OuterRef("pk")).sent()


def narrowed(requests: RequestQuerySet, wanted: Mapping[str, Any]) -> RequestQuerySet:
    """Return those that have every one of `words` in them, and are of the kind `path`."""
    for word in wanted.get("words", "").split():
        requests = requests.filter(
            Q(nid__icontains=word)
            | Q(reference__icontains=word)
            | Q(summary__icontains=word)
            | Q(organization__name__icontains=word)
        )
    path = wanted.get("path")
    if path == Change.REVISION:
        return requests.filter(change=Change.REVISION)
    return requests.filter(path=path) if path else requests


def in_order(requests: RequestQuerySet, sort: str | None) -> RequestQuerySet:
    """Return them by what is due first, what was sent first, or what was decided last."""
    sent = requests.annotate(
        first_sent_at=Subquery(sent_rounds().order_by("number").values("submitted_at")[:1])
    )
    if sort == "oldest":
        return sent.order_by(F("first_sent_at"), "pk")
    if sort == "latest":
        return sent.order_by("-state_since", "-pk")
    due = Case(
        When(state=State.IN_REVIEW, then=after(settings.REGISTRY_DECISION_DAYS)),
        When(state=State.APPROVED, then=after(settings.REGISTRY_PUBLISH_DAYS)),
        default=None,
    )
    return sent.order_by(due.asc(nulls_last=True), F("first_sent_at"), "pk")


def after(days: int) -> Combinable:
    """Return the moment so many days after a request came into its state."""
    later = F("state_since") + datetime.timedelta(days)
    return ExpressionWrapper(later, output_field=DateTimeField())


def neighbours(
    person: User, registration_request: RegistrationRequest
) -> tuple[str | None, str | None]:
    """Return the references before and after the request among those that `person` has taken."""
    queue = in_order(mine(person), "due")
    references = [None, *queue.values_list("reference", flat=True), None]
    if registration_request.reference not in references:
        return None, references[1]
    place = references.index(registration_request.reference)
    return references[place - 1], references[place + 1]


def contended() -> list[list[RegistrationRequest]]:
    """Return the live requests that ask for the same NID, those of one NID together."""
    held = queries.held_by_others(None)
    rivals = held.filter(nid=OuterRef("nid")).exclude(pk=OuterRef("pk"))
    together: dict[str, list[RegistrationRequest]] = {}
    for registration_request in held.filter(Exists(rivals)).order_by("nid", "created_at"):
        together.setdefault(registration_request.nid, []).append(registration_request)
    return list(together.values())
