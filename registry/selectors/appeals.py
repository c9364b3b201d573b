"""Appeals: which decisions can be appealed, which appeal is being heard, and what it holds up.

The standards body hears them (RFC 8126, sections 5.2.1 and 10), within two months of the decision
(RFC 2026, section 6.5.4). Only this module knows what is under appeal; conditions, pages, lists and
letters ask here.
"""

from __future__ import annotations

import datetime
from typing import Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.utils.translation import gettext as _

from registry import enums
from registry.enums import (
    UNSUCCESSFUL_STATES,
    AppealGround,
    AppealOutcome,
    ChangeKind,
    State,
    VerbKind,
)
from registry.models import Event, Namespace, RegistrationRequest, User
from registry.models.dates import load_calendar
from registry.models.event import EventQuerySet
from registry.models.request import RequestQuerySet
from registry.permissions import remember_fact

DECISION_STATES: Final = {
    State.DECLINED: State.DECLINED,
    State.REFUSED: State.REFUSED,
    State.APPROVED: State.APPROVED,
    State.REGISTERED: State.APPROVED,
}
"""The states in which a decision can be appealed, and the state to which it led."""

GROUNDS_OF_OWN_DECISIONS: Final = frozenset({AppealGround.RULE, AppealGround.RECOGNITION})
"""On these an appeal is heard where no expert decided: *complete*, and changes of facts."""

CORRECTED_CHANGES: Final = {
    AppealOutcome.CORRECT: (ChangeKind.REVISION, ChangeKind.CONTACT, ChangeKind.REFERENCE),
    AppealOutcome.DEPRECATE: (ChangeKind.STATUS,),
}
"""The changes for which a direction stands in for the holder's consent: never a transfer (5.1)."""


def find_decision(registration_request: RegistrationRequest) -> Event | None:
    """Return the decision by which the request is where it is; None if it can have none.

    A decision that stood on appeal stays the one that was appealed.
    """
    led_to = DECISION_STATES.get(State(registration_request.state))
    if led_to is None:
        return None
    came = registration_request.events.filter(target=led_to).exclude(
        source__in=(led_to, State.WITHDRAWN)
    )
    upheld = Q(
        verb__in=enums.list_verbs_of_kind(VerbKind.APPEAL_OUTCOME),
        data__outcome=AppealOutcome.STANDS,
    )
    return came.exclude(upheld).order_by("number").last()


def list_appealable_decisions(registration_request: RegistrationRequest) -> list[Event]:
    """Return the decisions of the last two months that can be appealed, the newest first.

    These are the one by which the request is where it is, and rulings that changed no state. None
    while an appeal is heard. Once it is registered, the time counts from then.
    """
    if find_pending_appeal(registration_request):
        return []
    calendar = load_calendar()
    since = calendar.subtract_days(timezone.now(), calendar.dates.appeal_days)
    outcomes = enums.list_verbs_of_kind(VerbKind.APPEAL_OUTCOME)
    rulings = registration_request.events.of_kind(VerbKind.RULING).exclude(verb__in=outcomes)
    found = list(rulings.filter(source=F("target"), at__gte=since))
    if decision := find_decision(registration_request):
        is_registered = registration_request.state == State.REGISTERED
        if (registration_request.state_since if is_registered else decision.at) >= since:
            found.append(decision)
    return sorted(found, key=lambda event: -event.number)


def may_be_appealed(registration_request: RegistrationRequest) -> bool:
    """Whether a decision can be appealed on some ground."""
    decisions = list_appealable_decisions(registration_request)
    return any(list_open_grounds(each) for each in decisions)


def list_open_grounds(decision: Event) -> list[AppealGround]:
    """Return the grounds on which an appeal of `decision` can still be heard.

    What was heard is not heard again. Where no expert decided, there are only two.
    """
    appeals = Event.objects.of_kind(VerbKind.APPEAL).filter(
        registration_request=decision.registration_request_id, data__decision=decision.number
    )
    heard = set(appeals.values_list("data__ground", flat=True))
    is_own = enums.is_verb_of_kind(decision.verb, VerbKind.ASKS_FOR_ROUND)
    possible = GROUNDS_OF_OWN_DECISIONS if is_own else frozenset(AppealGround)
    return [each for each in AppealGround if each in possible and each not in heard]


def select_pending_appeals() -> EventQuerySet:
    """Return the appeals being heard, unless their request has ended without a registration.

    An appeal ends with its outcome. That of a decline, a refusal or an approval also ends once the
    request goes on in another way; a withdrawal can be undone, and a registration ends no appeal.
    """
    later = Event.objects.filter(
        registration_request=OuterRef("registration_request"), number__gt=OuterRef("number")
    )
    stays = Q(target=F("source")) | Q(target__in=("", State.REGISTERED, State.WITHDRAWN))
    goes_on = Q(source__in=(State.APPROVED, State.APPEALED)) & ~stays
    outcome = Q(verb__in=enums.list_verbs_of_kind(VerbKind.APPEAL_OUTCOME))
    return Event.objects.of_kind(VerbKind.APPEAL).exclude(Exists(later.filter(goes_on | outcome)))


def find_pending_appeal(registration_request: RegistrationRequest) -> Event | None:
    """Return the appeal that the standards body hears, if any; a page queries it once."""
    if registration_request.state in UNSUCCESSFUL_STATES:
        return None
    key = (find_pending_appeal, registration_request.pk, registration_request.revision)
    appeals = select_pending_appeals().filter(registration_request=registration_request.pk)
    return remember_fact(key, lambda: appeals.order_by("number").last())


def list_requests_under_appeal() -> RequestQuerySet:
    """Return the requests of which an appeal is heard, the longest waiting first."""
    pending = select_pending_appeals().filter(registration_request=OuterRef("pk"))
    found = RegistrationRequest.objects.filter(Q(state=State.APPEALED) | Exists(pending))
    found = found.exclude(state__in=UNSUCCESSFUL_STATES).order_by("state_since", "pk")
    return found.select_related("organization", "namespace")


def list_appellants(registration_request: RegistrationRequest) -> QuerySet[User]:
    """Return who made the last appeal."""
    last = registration_request.events.of_kind(VerbKind.APPEAL).order_by("-number")
    return User.objects.filter(pk__in=last.values("actor")[:1])


def find_appealed_decision(appeal: Event) -> Event:
    """Return the decision that `appeal` is against."""
    return Event.objects.get(number=appeal.data["decision"])


def is_ruling(decision: Event) -> bool:
    """Whether a decision changed no state."""
    return decision.source == decision.target


def list_possible_outcomes(registration_request: RegistrationRequest) -> list[AppealOutcome]:
    """Return how the pending appeal can end.

    The standards body decides anew what experts or itself decided, never what an organization asked
    for; and never in place of a report, without which nothing becomes part of a standard (6.2).
    """
    appeal = find_pending_appeal(registration_request)
    if appeal is None:
        return []
    if registration_request.state == State.REGISTERED:
        return [AppealOutcome.STANDS, AppealOutcome.CORRECT, AppealOutcome.DEPRECATE]
    decision = find_appealed_decision(appeal)
    lacks_report = decision.target == State.DECLINED and registration_request.standards_action
    if (
        is_ruling(decision)
        or lacks_report
        or enums.is_verb_of_kind(decision.verb, VerbKind.ASKS_FOR_ROUND)
    ):
        return [AppealOutcome.STANDS, AppealOutcome.GOES_BACK]
    return [AppealOutcome.STANDS, AppealOutcome.GOES_BACK, AppealOutcome.ANEW]


def find_stay_end(registration_request: RegistrationRequest) -> datetime.date | None:
    """Return the last day on which an appeal keeps an approved request from being registered.

    That is some days after the appeal, or the day that the standards body has set since; None if
    no appeal does today.
    """
    if registration_request.state != State.APPROVED:
        return None
    appeal = find_pending_appeal(registration_request)
    if appeal is None:
        return None
    calendar = load_calendar()
    first = timezone.localdate(calendar.add_days(appeal.at, calendar.dates.waiting_days))
    last = max(first, registration_request.extended_to or first)
    return last if timezone.localdate() <= last else None


def explain_stay(registration_request: RegistrationRequest) -> str:
    """Say until when an appeal keeps the request from being registered; empty if none does."""
    last = find_stay_end(registration_request)
    if last is None:
        return ""
    return _(
        "The approval is under appeal. It is not registered before the standards body has decided "
        "on that, or %(day)s is over."
    ) % {"day": date_format(last, "j F Y")}


def is_directed_anew(events: EventQuerySet) -> bool:
    """Whether one of `events` is the outcome of an appeal that directs what was refused."""
    outcomes = events.of_kind(VerbKind.APPEAL_OUTCOME).filter(target=State.APPROVED)
    return outcomes.filter(data__outcome=AppealOutcome.ANEW).exists()


def find_promised_outcome(registration_request: RegistrationRequest) -> datetime.date | None:
    """Return by when the standards body decides on the pending appeal, if any."""
    appeal = find_pending_appeal(registration_request)
    if appeal is None:
        return None
    calendar = load_calendar()
    return timezone.localdate(calendar.add_days(appeal.at, calendar.dates.decision_days))


def is_directed_after_appeal(namespace: Namespace, change: str) -> bool:
    """Whether the outcome of an appeal stands in for the holder's consent to this change.

    It does so until one such change has been registered.
    """
    directed_at = max(
        (
            at
            for key, outcome, at in list_directions_after_appeals()
            if key == namespace.pk and change in CORRECTED_CHANGES[AppealOutcome(outcome)]
        ),
        default=None,
    )
    if directed_at is None:
        return False
    registered = namespace.requests.filter(change=change, state=State.REGISTERED)
    return not registered.filter(state_since__gt=directed_at).exists()


def list_directions_after_appeals() -> list[tuple[int, str, datetime.datetime]]:
    """Return which namespace was to be changed how by the outcome of an appeal, and since when.

    They are few; a page queries them once.
    """
    outcomes = Event.objects.of_kind(VerbKind.APPEAL_OUTCOME).filter(
        data__outcome__in=list(CORRECTED_CHANGES)
    )
    rows = outcomes.values_list("registration_request__namespace", "data__outcome", "at")
    return remember_fact((list_directions_after_appeals,), lambda: list(rows))
