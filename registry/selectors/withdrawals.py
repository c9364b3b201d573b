"""Withdrawals that others of the registrant's side can undo for some days."""

from __future__ import annotations

import datetime

from django.db.models import Q
from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import State
from registry.models import Event, RegistrationRequest, User
from registry.models.dates import load_calendar
from registry.permissions import Person, remember_fact
from registry.selectors.organizations import is_known_body


def list_people_who_can_undo(registration_request: RegistrationRequest, actor: User) -> list[User]:
    """Return who else can undo a withdrawal by `actor`.

    That is everybody else of the registrant's side. Who asks in the name of a known body and is not
    shown to act for it cannot undo what a delegate of that body withdrew.
    """
    delegates = permissions.q_person_is_delegate(registration_request)
    is_for_body = is_known_body(registration_request.organization) and permissions.is_delegate(
        actor, registration_request
    )
    side = delegates if is_for_body else delegates | Q(pk=registration_request.author_id)
    people = User.objects.filter(side, is_active=True).exclude(pk=actor.pk)
    return list(people.order_by("name", "pk"))


def may_be_undone(registration_request: RegistrationRequest, actor: User) -> bool:
    """Whether a withdrawal by `actor` ends the request only after some days."""
    is_own = permissions.is_author(actor, registration_request)
    if is_own and not is_known_body(registration_request.organization):
        return False
    return bool(list_people_who_can_undo(registration_request, actor))


def find_undoable_withdrawal(registration_request: RegistrationRequest) -> Event | None:
    """Return the withdrawal that can still be undone; None if there is none."""
    if registration_request.state != State.WITHDRAWN:
        return None
    came = registration_request.events.filter(target=State.WITHDRAWN)
    last = came.exclude(source=State.WITHDRAWN).order_by("number").last()
    if last is None or not last.data.get("can_be_undone"):
        return None
    return last if timezone.now() < find_end_of_withdrawal(last) else None


def find_end_of_withdrawal(withdrawal: Event) -> datetime.datetime:
    """Return until when a withdrawal can be undone."""
    calendar = load_calendar()
    return calendar.add_days(withdrawal.at, calendar.dates.waiting_days)


def may_undo(person: Person, registration_request: RegistrationRequest) -> bool:
    """Whether `person` can bring a withdrawn request back to where it was."""
    withdrawal = find_undoable_withdrawal(registration_request)
    if withdrawal is None or withdrawal.actor is None:
        return False
    return person == withdrawal.actor or person in list_people_who_can_undo(
        registration_request, withdrawal.actor
    )


def list_returning_requests(nid: str) -> list[RegistrationRequest]:
    """Return the withdrawn requests for a new NID that can still come back."""
    withdrawn = RegistrationRequest.objects.filter(nid=nid, namespace=None, state=State.WITHDRAWN)
    return remember_fact(
        (list_returning_requests, nid),
        lambda: [each for each in withdrawn if find_undoable_withdrawal(each)],
    )


def explain_returning_rival(registration_request: RegistrationRequest) -> str:
    """Say which withdrawn rival can still come back, so that this one waits; empty if none can."""
    if (
        registration_request.state != State.APPROVED
        or registration_request.namespace_id
        or not registration_request.nid
    ):
        return ""
    for rival in list_returning_requests(registration_request.nid):
        if withdrawal := find_undoable_withdrawal(rival):
            return _(
                "Request %(reference)s for the same identifier was withdrawn, and that can be "
                "undone until %(day)s UTC. Nothing is registered before."
            ) % {
                "reference": rival.reference,
                "day": date_format(find_end_of_withdrawal(withdrawal), "j F Y, H:i"),
            }
    return ""
