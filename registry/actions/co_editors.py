"""Co-editors: invited to write one request with its author, and party to it once they accept."""

from __future__ import annotations

import datetime
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import LIVE_STATES
from registry.models import Invitation, RegistrationRequest, User
from registry.notifications import outbox
from registry.selectors.accounts import find_account
from registry.workflow.events import record_event
from registry.workflow.step import ActionRefused, refuse_daily_limit

MAX_INVITATIONS_PER_DAY: Final = 20
"""How many invitations one person may send per day."""

TO_REGISTRANTS: Final[dict[str, Any]] = {"to": ["registrant"]}
"""Events about co-editors are news for the request's authors only."""


def invite_co_editor(
    registration_request: RegistrationRequest, address: str, *, actor: User
) -> Invitation:
    """Invite the owner of that email address; a second time, return the open invitation.

    It stays secret whether there is an account with it: the letter leads to one either way.
    """
    address = address.strip().lower()
    with transaction.atomic():
        asked = RegistrationRequest.objects.select_for_update(no_key=True).get(
            pk=registration_request.pk
        )
        refuse_invitation(asked, address, actor)
        before = asked.invitations.filter(address=address, closed_at=None).first()
        if before and not is_invitation_expired(before):
            return before
        if before:
            close_invitation(before)
        invitation = Invitation.objects.create(
            registration_request=asked,
            address=address,
            invited_by=actor,
            invited_at=timezone.now(),
        )
        context = {"invitation": invitation, "until": find_invitation_expiry(invitation)}
        why = _("Somebody who writes a request in the registry gave this address as yours.")
        key = f"invitation:{invitation.pk}"
        letter = outbox.write_direct_letter(
            "invitation", context, why=why, key=key, address=address
        )
        letter.event = record_event(asked, actor=actor, verb="invite", data=TO_REGISTRANTS)
        letter.save(update_fields=["event"])
    return invitation


def accept_invitation(invitation: Invitation, *, actor: User) -> None:
    """Let `actor` accept the invitation, once; raise `ActionRefused` if it is not theirs."""
    with transaction.atomic():
        invitation = Invitation.objects.select_for_update(no_key=True).get(pk=invitation.pk)
        if invitation.joined_by_id == actor.pk:
            return
        registration_request = invitation.registration_request
        if obstacle := explain_closed_invitation(invitation, actor):
            raise ActionRefused(obstacle)
        close_invitation(invitation, joined_by=actor)
        registration_request.co_editors.add(actor)
        record_event(registration_request, actor=actor, verb="join", data=TO_REGISTRANTS)


def remove_co_editor(
    registration_request: RegistrationRequest, co_editor: User, *, actor: User
) -> None:
    """Remove a co-editor from the request; does nothing if they were none."""
    if actor != co_editor and not permissions.is_registrant(actor, registration_request):
        raise ActionRefused(_("Only the registrant chooses co-editors."), code="not_registrant")
    with transaction.atomic():
        asked = RegistrationRequest.objects.select_for_update(no_key=True).get(
            pk=registration_request.pk
        )
        if not permissions.is_co_editor(co_editor, asked):
            return
        asked.co_editors.remove(co_editor)
        data = TO_REGISTRANTS | {"co_editor": str(co_editor), "people": [co_editor.pk]}
        record_event(asked, actor=actor, verb="remove_co_editor", data=data)


def current_and_former_co_editors(registration_request: RegistrationRequest) -> QuerySet[User]:
    """Return who co-edits the request, or did until somebody removed them.

    Only these are named to a person asking to remove somebody, for example by a second click; any
    other number finds nobody.
    """
    return User.objects.filter(permissions.q_person_has_co_edited(registration_request))


def revoke_invitation(invitation: Invitation, *, actor: User) -> None:
    """Disable the link of an invitation that nobody has accepted."""
    with transaction.atomic():
        asked = RegistrationRequest.objects.select_for_update(no_key=True).get(
            pk=invitation.registration_request_id
        )
        if not permissions.is_registrant(actor, asked):
            raise ActionRefused(_("Only the registrant chooses co-editors."), code="not_registrant")
        invitation.refresh_from_db()
        if invitation.closed_at is None:
            close_invitation(invitation)
            record_event(asked, actor=actor, verb="take_invitation_back", data=TO_REGISTRANTS)


def explain_closed_invitation(invitation: Invitation, person: User) -> str:
    """Return why `person` cannot accept the invitation, or nothing if they can."""
    registration_request = invitation.registration_request
    if invitation.closed_at:
        return _("This invitation has been used or withdrawn.")
    if is_invitation_expired(invitation):
        return _("This invitation is too old. Ask for a new one.")
    if registration_request.state not in LIVE_STATES:
        return _("The request is closed.")
    if invitation.address not in list_confirmed_addresses(person):
        return _(
            "The invitation went to another email address. Sign in with the account that has "
            "it, or add that address to this account and confirm it."
        )
    if permissions.is_assigned_expert(person, registration_request):
        return _("You review this request as an expert. Recuse yourself first.")
    return ""


def invitations_open_to(person: User) -> QuerySet[Invitation]:
    """Return the invitations that `person` can accept."""
    since = timezone.now() - datetime.timedelta(settings.REGISTRY_INVITATION_DAYS)
    return Invitation.objects.filter(
        closed_at=None,
        invited_at__gt=since,
        address__in=list_confirmed_addresses(person),
        registration_request__state__in=LIVE_STATES,
    ).select_related("registration_request", "invited_by")


def list_confirmed_addresses(person: User) -> list[str]:
    """Return the confirmed mail addresses of `person`, in lower case."""
    confirmed = person.emailaddress_set.filter(verified=True)
    return [address.lower() for address in confirmed.values_list("email", flat=True)]


def find_invitation_expiry(invitation: Invitation) -> datetime.datetime:
    """Return until when the invitation can be accepted."""
    return invitation.invited_at + datetime.timedelta(settings.REGISTRY_INVITATION_DAYS)


def is_invitation_expired(invitation: Invitation) -> bool:
    """Whether the time for accepting it has passed."""
    return timezone.now() > find_invitation_expiry(invitation)


def close_invitation(invitation: Invitation, joined_by: User | None = None) -> None:
    """Close the invitation so that nobody can accept it."""
    invitation.closed_at, invitation.joined_by = timezone.now(), joined_by
    invitation.save(update_fields=["closed_at", "joined_by"])


def refuse_invitation(registration_request: RegistrationRequest, address: str, actor: User) -> None:
    """Raise `ActionRefused` if `actor` may not invite now, or the person is already an author."""
    if not permissions.may_invite(actor, registration_request):
        raise ActionRefused(
            _("Only the registrant chooses co-editors, while the request is open."),
            code="not_registrant",
        )
    refuse_daily_limit(actor.invitations_made.all(), "invited_at", MAX_INVITATIONS_PER_DAY)
    reader = find_account(address)
    if reader and permissions.may_write(reader, registration_request):
        raise ActionRefused(
            _("%(address)s already writes this request.") % {"address": address},
            code="already_editor",
        )
