"""Advisers: the lead invites anybody by mail address to advise in public (RFC 8141, section 6.2).

It takes no account to be invited, and gives no role. Once the address is confirmed to an account,
what that person writes in the discussion is marked.
"""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import EXPERT_STATES
from registry.models import Letter, RegistrationRequest, User
from registry.notifications import outbox
from registry.secret_box import list_address_digests
from registry.workflow.events import record_event
from registry.workflow.step import ActionRefused, refuse_daily_limit

MAX_INVITATIONS_PER_DAY: Final = 20
"""How many invitations go out about one request per day."""


def invite_adviser(
    registration_request: RegistrationRequest, *, address: str, comment: str, lead: User
) -> None:
    """Write to an address whose owner is to advise in public; the journal does not name it."""
    with transaction.atomic():
        asked = RegistrationRequest.objects.select_for_update(no_key=True).get(
            pk=registration_request.pk
        )
        if asked.state not in EXPERT_STATES or not permissions.may_lead(lead, asked):
            raise ActionRefused(explain_no_invitation(), code="not_lead")
        keys = list_letter_keys(asked, address)
        if Letter.objects.filter(key__in=keys).exists():
            raise ActionRefused(_("This address has been invited already."), code="invited")
        earlier = Letter.objects.filter(key__startswith=f"adviser:{asked.pk}:")
        refuse_daily_limit(earlier, "written_at", MAX_INVITATIONS_PER_DAY)
        event = record_event(asked, actor=lead, verb="invite_adviser", comment=comment)
        outbox.write_direct_letter(
            "adviser",
            {
                "registration_request": asked,
                "lead": lead,
                "comment": comment,
                "list_address": settings.REGISTRY_LIST_ADDRESS,
            },
            why=_("The lead expert of the registry gave this address as yours."),
            key=keys[0],
            address=address,
            event=event,
        )


def explain_no_invitation() -> str:
    """Say who invites advisers, and when."""
    return _("The lead expert invites advisers while experts are on the request.")


def list_letter_keys(registration_request: RegistrationRequest, address: str) -> list[str]:
    """Return the keys of the letter that invites an address, by each key of the registry."""
    return [
        f"adviser:{registration_request.pk}:{digest}" for digest in list_address_digests(address)
    ]


def is_invited_adviser(person: User, registration_request: RegistrationRequest) -> bool:
    """Whether the lead invited a confirmed address of `person` to advise on the request."""
    confirmed = person.emailaddress_set.filter(verified=True).values_list("email", flat=True)
    keys = [key for each in confirmed for key in list_letter_keys(registration_request, each)]
    return Letter.objects.filter(key__in=keys).exists()
