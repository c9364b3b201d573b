"""Co-editors: invited to write one request with its author, and party to it once they said yes."""

from __future__ import annotations

import datetime
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import rules
from registry.choices import LIVE
from registry.delegation.delegates import account_of
from registry.models import Invitation, RegistrationRequest, User
from registry.notices import own
from registry.workflow.recording import record
from registry.workflow.step import Refused

MOST_INVITED: Final = 20
"""So many invitations may one person write within a day."""

TOLD: Final[dict[str, Any]] = {"to": ["registrant"]}
"""Who co-edits is news for those who write, and for nobody else."""


def invite(registration_request: RegistrationRequest, address: str, *, actor: User) -> Invitation:
    """Invite whoever reads that mail address; done twice, the invitation that is open.

    Whether there is an account with it is not told: the letter leads to one either way.
    """
    address = address.strip().lower()
    with transaction.atomic():
        asked = RegistrationRequest.objects.select_for_update(no_key=True).get(
            pk=registration_request.pk
        )
        refuse_by_person_or_address(asked, address, actor)
        before = asked.invitations.filter(address=address, closed_at=None).first()
        if before and not is_too_old(before):
            return before
        if before:
            close(before)
        invitation = Invitation.objects.create(
            registration_request=asked,
            address=address,
            invited_by=actor,
            invited_at=timezone.now(),
        )
        event = record(asked, actor=actor, verb="invite", data=TOLD)
        context = {"invitation": invitation, "until": open_until(invitation)}
        why = _("Somebody who writes a request in the registry gave this address as yours.")
        key = f"invitation:{invitation.pk}"
        own.write("invitation", context, why=why, key=key, address=address, event=event)
    return invitation


def join(invitation: Invitation, *, actor: User) -> None:
    """Have `actor` follow the invitation, once; raise `Refused` where it is not theirs."""
    with transaction.atomic():
        invitation = Invitation.objects.select_for_update(no_key=True).get(pk=invitation.pk)
        if invitation.joined_by_id == actor.pk:
            return
        registration_request = invitation.registration_request
        if obstacle := why_not(invitation, actor):
            raise Refused(obstacle)
        close(invitation, joined_by=actor)
        registration_request.co_editors.add(actor)
        record(registration_request, actor=actor, verb="join", data=TOLD)


def remove(registration_request: RegistrationRequest, co_editor: User, *, actor: User) -> None:
    """Have `co_editor` write the request no longer; nothing is done where they did not."""
    if actor != co_editor and not rules.is_registrant(actor, registration_request):
        raise Refused(_("Who co-edits is said by the registrant."))
    with transaction.atomic():
        asked = RegistrationRequest.objects.select_for_update(no_key=True).get(
            pk=registration_request.pk
        )
        if not rules.is_co_editor(co_editor, asked):
            return
        asked.co_editors.remove(co_editor)
        data = TOLD | {"co_editor": str(co_editor), "people": [co_editor.pk]}
        record(asked, actor=actor, verb="remove_co_editor", data=data)


def current_and_former(registration_request: RegistrationRequest) -> QuerySet[User]:
    """Return who co-edits the request, or did until somebody took them off.

    Those alone are named to whoever asks to take somebody off, as a second click does; by any
    other number there is nobody.
    """
    joined = registration_request.invitations.filter(joined_by__isnull=False).values("joined_by")
    writing = registration_request.co_editors.values("pk")
    return User.objects.filter(Q(pk__in=writing) | Q(pk__in=joined))


def take_back(invitation: Invitation, *, actor: User) -> None:
    """Have the link of an invitation that nobody followed lead nowhere."""
    with transaction.atomic():
        asked = RegistrationRequest.objects.select_for_update(no_key=True).get(
            pk=invitation.registration_request_id
        )
        if not rules.is_registrant(actor, asked):
            raise Refused(_("Who co-edits is said by the registrant."))
        invitation.refresh_from_db()
        if invitation.closed_at is None:
            close(invitation)
            record(asked, actor=actor, verb="take_invitation_back", data=TOLD)


def why_not(invitation: Invitation, person: User) -> str:
    """Return what keeps `person` from following the invitation, nothing where nothing does."""
    registration_request = invitation.registration_request
    if invitation.closed_at:
        return _("This invitation was followed or taken back.")
    if is_too_old(invitation):
        return _("This invitation is too old. Ask for a new one.")
    if registration_request.state not in LIVE:
        return _("The request has come to an end.")
    if invitation.address not in addresses_of(person):
        return _(
            "The invitation went to another mail address. Sign in with the account that has it, "
            "or add that address to this account and confirm it."
        )
    if rules.is_on_it(person, registration_request):
        return _("You review this request as an expert. Step back from it first.")
    return ""


def invitations_of(person: User) -> QuerySet[Invitation]:
    """Return the invitations that `person` can follow."""
    since = timezone.now() - datetime.timedelta(settings.REGISTRY_INVITATION_DAYS)
    return Invitation.objects.filter(
        closed_at=None,
        invited_at__gt=since,
        address__in=addresses_of(person),
        registration_request__state__in=LIVE,
    ).select_related("registration_request", "invited_by")


def addresses_of(person: User) -> list[str]:
    """Return the confirmed mail addresses of `person`, in lower case."""
    confirmed = person.emailaddress_set.filter(verified=True)
    return [address.lower() for address in confirmed.values_list("email", flat=True)]


def open_until(invitation: Invitation) -> datetime.datetime:
    """Return until when the invitation can be followed."""
    return invitation.invited_at + datetime.timedelta(settings.REGISTRY_INVITATION_DAYS)


def is_too_old(invitation: Invitation) -> bool:
    """Whether the time to follow it is over."""
    return timezone.now() > open_until(invitation)


def close(invitation: Invitation, joined_by: User | None = None) -> None:
    """Have nobody follow the invitation from now on."""
    invitation.closed_at, invitation.joined_by = timezone.now(), joined_by
    invitation.save(update_fields=["closed_at", "joined_by"])


def refuse_by_person_or_address(
    registration_request: RegistrationRequest, address: str, actor: User
) -> None:
    """Raise `Refused` where `actor` may not invite, does so too often, or the reader writes it."""
    if not rules.may_invite(actor, registration_request):
        raise Refused(_("Who co-edits is said by the registrant, while the request is open."))
    lately = timezone.now() - datetime.timedelta(1)
    if actor.invitations_made.filter(invited_at__gt=lately).count() >= MOST_INVITED:
        raise Refused(_("That is often for one day. Go on tomorrow."))
    reader = account_of(address)
    if reader and rules.may_write(reader, registration_request):
        raise Refused(_("%(address)s writes this request already.") % {"address": address})
