"""Which requests lie before an expert: the tabs of the queue, and what its lines are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import (
    Case,
    Count,
    Exists,
    JSONField,
    OuterRef,
    Prefetch,
    Q,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from registry import queries, rules
from registry.choices import BEFORE_EXPERTS, ENDS, Change, State
from registry.models import (
    Assignment,
    Event,
    Organization,
    RegistrationRequest,
    Round,
    User,
    Visit,
)
from registry.models.request import RequestQuerySet, RoundQuerySet
from registry.pages.leading import calling_the_lead
from registry.pages.order import in_order

DECIDED: Final = (*ENDS, State.APPROVED, State.REPORTED, State.DECLINED, State.APPEALED)


@dataclass(frozen=True, slots=True)
class Tab:
    """One tab of the queue: its key in the address, its title, and what it holds in what order."""

    key: str
    title: str | Promise
    holds: Callable[[User], RequestQuerySet]
    sort: str = "turn"


def mine(person: User) -> RequestQuerySet:
    """Return what `person` has taken and is to work on."""
    return queries.assigned_to(person).filter(state__in=BEFORE_EXPERTS)


def with_registrants(person: User) -> RequestQuerySet:
    """Return what was sent back for changes."""
    return RegistrationRequest.objects.public().filter(state=State.CHANGES_REQUESTED)


def decided(person: User) -> RequestQuerySet:
    """Return what experts are done with."""
    return RegistrationRequest.objects.public().filter(state__in=DECIDED)


def for_the_lead(person: User) -> RequestQuerySet:
    """Return what waits for whoever leads the experts."""
    return calling_the_lead(RegistrationRequest.objects.public()).exclude(Q(calls_the_lead=""))


TABS: Final = (
    Tab("mine", _("Mine"), mine),
    Tab("unassigned", _("Unassigned"), lambda person: queries.unassigned()),
    Tab("waiting", _("Waiting for registrants"), with_registrants, sort="oldest"),
    Tab("open", _("All open"), lambda person: RegistrationRequest.objects.live().public()),
    Tab("decided", _("Decided"), decided, sort="latest"),
)
OF_THE_LEAD: Final = Tab("lead", _("For the lead"), for_the_lead)


def tabs_of(person: User) -> tuple[Tab, ...]:
    """Return the tabs that `person` sees."""
    return (TABS[0], OF_THE_LEAD, *TABS[1:]) if rules.is_lead(person) else TABS


def tab(key: str | None, person: User) -> Tab:
    """Return the tab of that key, the first for any other."""
    return next((each for each in tabs_of(person) if each.key == key), TABS[0])


def waiting_for(person: User) -> int:
    """Return how many requests wait for `person` as an expert, and as the lead."""
    waits = Q(pk__in=mine(person).values("pk"))
    if rules.is_lead(person):
        waits |= Q(pk__in=for_the_lead(person).values("pk"))
    return RegistrationRequest.objects.filter(waits).count()


def with_stake_of(person: User, requests: RequestQuerySet) -> RequestQuerySet:
    """Annotate `stake`: what makes `person` party to each, empty for nothing.

    The same facts as `rules.is_party`, asked of many requests in one query.
    """
    delegated = Organization.objects.filter(pk=OuterRef("organization"), delegates=person)
    invited = RegistrationRequest.objects.filter(
        Q(co_editors=person) | Q(invitations__joined_by=person), pk=OuterRef("pk")
    )
    stakes = [
        When(author=person, then=Value("author")),
        When(Exists(delegated), then=Value("delegate")),
        When(Exists(invited), then=Value("co_editor")),
    ]
    if person.organization_id:
        stakes.append(When(organization=person.organization_id, then=Value("organization")))
    return requests.annotate(stake=Case(*stakes, default=Value("")))


def for_queue(person: User, requests: RequestQuerySet) -> RequestQuerySet:
    """Return them with everything a line of the queue says, in three queries."""
    last = sent_rounds().order_by("-number")
    conflicts = person.conflicts.filter(organization=OuterRef("organization"))
    own = Assignment.objects.active().filter(registration_request=OuterRef("pk"), expert=person)
    seen = Visit.objects.filter(person=person, registration_request=OuterRef("pk"))
    news = Event.objects.filter(
        registration_request=OuterRef("pk"), number__gt=OuterRef("last_event_seen")
    ).exclude(actor=person)
    return (
        calling_the_lead(with_stake_of(person, requests))
        .select_related("organization", "namespace", "author")
        .annotate(
            rounds_sent=Subquery(last.values("number")[:1]),
            last_findings=Subquery(last.values("findings")[:1], output_field=JSONField()),
            has_conflict=Exists(conflicts),
            has_approved=Exists(own) & ~Exists(own.undecided()),
            last_event_seen=Subquery(seen.values("last_event")[:1]),
        )
        .annotate(news=how_many(news))
        .prefetch_related(
            Prefetch("assignments", Assignment.objects.with_approval().select_related("expert")),
            "organization__delegates",
        )
    )


def how_many(events: Any) -> Coalesce:
    """Return the number of `events` of the request of the outer query."""
    counted = events.order_by().values("registration_request").annotate(n=Count("pk"))
    return Coalesce(Subquery(counted.values("n")), 0)


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


def neighbours(
    person: User, registration_request: RegistrationRequest
) -> tuple[str | None, str | None]:
    """Return the references before and after the request among those that `person` has taken."""
    queue = in_order(for_queue(person, mine(person)), TABS[0].sort)
    references = [None, *queue.values_list("reference", flat=True), None]
    if registration_request.reference not in references:
        return None, references[1]
    place = references.index(registration_request.reference)
    return references[place - 1], references[place + 1]
