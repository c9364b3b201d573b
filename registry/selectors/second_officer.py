"""Which changes a second officer confirms, and who has confirmed the last round of one.

One officer, or one stolen session, hands no namespace to anybody and ends none: whoever publishes
a transfer or a change of status is never the one who confirmed it (docs/process.md, Changes of
facts). This is the one place that knows; condition, pages and letters ask here.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import Role, State, VerbKind
from registry.models import RegistrationRequest, User
from registry.permissions import SECOND_OFFICER_CHANGES, Person
from registry.selectors.holder_consent import round_events


def needs_second_officer(registration_request: RegistrationRequest) -> bool:
    """Whether one officer alone never publishes this change."""
    return registration_request.change in SECOND_OFFICER_CHANGES


def list_second_officers(registration_request: RegistrationRequest) -> list[User]:
    """Return who confirmed the last round and is still an officer without a stake in it."""
    last = registration_request.last_round
    if last is None:
        return []
    confirmed = round_events(last).of_kind(VerbKind.SECOND_OFFICER).values("actor")
    officers = User.objects.filter(pk__in=confirmed).order_by("name", "pk")
    return [each for each in officers if permissions.may_countersign(each, registration_request)]


def leaves_nobody_to_publish(registration_request: RegistrationRequest, person: User) -> bool:
    """Whether nobody could publish the change any more, were `person` to confirm it."""
    last = registration_request.last_round
    if last is None:
        return False
    confirmed = round_events(last).of_kind(VerbKind.SECOND_OFFICER).values("actor")
    officers = User.objects.filter(
        permissions.q_person_holds_role(Role.REGISTRAR, Role.STANDARDS_BODY)
    )
    others = officers.exclude(pk=person.pk).exclude(pk__in=confirmed)
    return not any(permissions.may_publish(each, registration_request) for each in others)


def list_unconfirmed_changes() -> list[RegistrationRequest]:
    """Return the changes that wait for a second officer, the longest waiting first."""
    waiting = RegistrationRequest.objects.filter(
        state=State.APPROVED, change__in=SECOND_OFFICER_CHANGES
    )
    found = waiting.select_related("organization", "namespace").order_by("state_since")
    return [each for each in found if not list_second_officers(each)]


def explain_missing_second_officer(
    registration_request: RegistrationRequest, person: Person
) -> str:
    """Return why `person` cannot publish the change for want of a second officer.

    Nothing where somebody else confirmed it, or nobody has to. Whoever confirmed it themselves
    never publishes it, whoever else has confirmed it too, and though they hold no office any more.
    """
    last = registration_request.last_round
    if last is None or not needs_second_officer(registration_request):
        return ""
    confirmed = round_events(last).of_kind(VerbKind.SECOND_OFFICER)
    if isinstance(person, User) and confirmed.filter(actor=person.pk).exists():
        return _("You confirmed this change as second officer. Another registrar publishes it.")
    if list_second_officers(registration_request):
        return ""
    return _(
        "A second officer has to confirm this change first: another registrar, or the standards "
        "body. The officer who confirms it cannot publish it."
    )
