"""Which changes a second officer confirms, and who has confirmed the last round of one.

One officer, or one stolen session, cannot hand a namespace to somebody else or end it: the officer
who publishes a transfer or a change of status is never the one who confirmed it (docs/process.md,
Changes of facts). Only this module knows this rule; condition, pages and letters ask here.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from django.db.models import Q
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import Role, State, VerbKind
from registry.models import Event, RegistrationRequest, Round, User
from registry.models.request import RequestQuerySet
from registry.permissions import SECOND_OFFICER_CHANGES, Person
from registry.selectors.holder_consent import round_events


def needs_second_officer(registration_request: RegistrationRequest) -> bool:
    """Whether one officer alone can never publish this change."""
    return registration_request.change in SECOND_OFFICER_CHANGES


def list_second_officers(registration_request: RegistrationRequest) -> list[User]:
    """Return who confirmed the last round and is still an officer without a stake in it."""
    last = registration_request.last_round
    if last is None:
        return []
    confirmed = round_events(last).of_kind(VerbKind.SECOND_OFFICER).in_force().values("actor")
    officers = User.objects.filter(pk__in=confirmed).order_by("name", "pk")
    return [each for each in officers if permissions.may_countersign(each, registration_request)]


def leaves_nobody_to_publish(registration_request: RegistrationRequest, person: User) -> bool:
    """Whether nobody could publish the change any more if `person` confirmed it."""
    last = registration_request.last_round
    if last is None:
        return False
    confirmed = round_events(last).of_kind(VerbKind.SECOND_OFFICER).in_force().values("actor")
    officers = User.objects.filter(
        permissions.q_person_holds_role(Role.REGISTRAR, Role.STANDARDS_BODY)
    )
    others = officers.exclude(pk=person.pk).exclude(pk__in=confirmed)
    return not any(permissions.may_publish(each, registration_request) for each in others)


def list_unconfirmed_changes() -> list[RegistrationRequest]:
    """Return the changes that wait for a second officer, the longest waiting first.

    Those for which `list_second_officers` returns nobody; many cost as many queries as one.
    """
    waiting = RegistrationRequest.objects.filter(
        state=State.APPROVED, change__in=SECOND_OFFICER_CHANGES
    )
    found = waiting.select_related("organization", "namespace").order_by("state_since")
    return list(found.exclude(build_confirmation_condition(waiting)))


def build_confirmation_condition(waiting: RequestQuerySet) -> Q:
    """Return the condition for those of `waiting` whose last round an unbiased officer confirmed.

    A stake is checked by one condition per officer, all of them in one query.
    """
    sent = Round.objects.filter(registration_request__in=waiting).sent().order_by("number")
    last = {
        key: (number, sha256)
        for key, number, sha256 in sent.values_list("registration_request", "number", "sha256")
    }
    confirmed: dict[int, set[int]] = {}
    acts = (
        Event.objects.of_kind(VerbKind.SECOND_OFFICER)
        .in_force()
        .filter(registration_request__in=last)
    )
    for event in acts.only("actor", "registration_request", "data"):
        officer, asked = event.actor_id, event.registration_request_id
        said = event.data.get("round"), event.data.get("sha256")
        if officer and asked and said == last[asked]:
            confirmed.setdefault(officer, set()).add(asked)
    officers = User.objects.filter(
        permissions.q_person_holds_role(Role.REGISTRAR, Role.STANDARDS_BODY), pk__in=confirmed
    )
    each = (Q(pk__in=confirmed[one.pk]) & ~permissions.q_is_party(one) for one in officers)
    return reduce(or_, each, permissions.NOTHING)


def explain_missing_second_officer(
    registration_request: RegistrationRequest, person: Person
) -> str:
    """Say why `person` cannot publish the change for lack of a second officer.

    Empty if somebody else confirmed it, or nobody has to. People who confirmed it themselves can
    never publish it, even if others have confirmed it too, or they no longer hold an office.
    """
    last = registration_request.last_round
    if last is None or not needs_second_officer(registration_request):
        return ""
    confirmed = round_events(last).of_kind(VerbKind.SECOND_OFFICER).in_force()
    if isinstance(person, User) and confirmed.filter(actor=person.pk).exists():
        return _("You confirmed this change as second officer. Another registrar publishes it.")
    if list_second_officers(registration_request):
        return ""
    return _(
        "A second officer has to confirm this change first: another registrar, or the standards "
        "body. The officer who confirms it cannot publish it."
    )
