"""Conflicts of interest: hints for an expert to consider, and declared conflicts."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from registry import selectors
from registry.enums import RECUSAL_STATES
from registry.models import (
    ConflictOfInterest,
    Event,
    Organization,
    RegistrationRequest,
    User,
)
from registry.workflow import perform
from registry.workflow.events import record_event, write_events_last


def list_conflict_hints(expert: User, registration_request: RegistrationRequest) -> list[str]:
    """Return hints that `expert` has a stake, which prove nothing: shared mail domains.

    A domain where anyone can have an address is ignored (`REGISTRY_SHARED_MAIL`).
    """
    own = find_mail_domain(expert.email)
    if own in settings.REGISTRY_SHARED_MAIL:
        return []
    organization = registration_request.organization
    site = (urlsplit(organization.website).hostname or "").removeprefix("www.")
    writes = [registration_request.author, *User.objects.speaking_for(organization)]
    hints = [
        _("%(name)s uses the mail domain %(domain)s too.") % {"domain": own, "name": person}
        for person in dict.fromkeys(writes)
        if person != expert and are_related_domains(own, find_mail_domain(person.email))
    ]
    if are_related_domains(own, site):
        hints.append(
            _("The mail domain %(domain)s goes with the site of %(organization)s, %(site)s.")
            % {"domain": own, "organization": organization, "site": site}
        )
    return hints


def find_mail_domain(address: str) -> str:
    return address.rpartition("@")[2].lower()


def are_related_domains(one: str, other: str) -> bool:
    """Whether two domains are the same, or one is a subdomain of the other."""
    return bool(one and other) and (
        one == other or one.endswith(f".{other}") or other.endswith(f".{one}")
    )


@transaction.atomic
@write_events_last()
def step_back_from_request(
    registration_request: RegistrationRequest,
    expert: User,
    *,
    comment: str,
    seen: int,
    for_good: bool,
) -> Event:
    """Let `expert` step back from a request, and if `for_good` from all of its organization."""
    if for_good:
        lock_judged_requests(expert, registration_request.organization)
    event = perform(registration_request, "recuse", actor=expert, comment=comment, seen=seen)
    if for_good:
        declare_conflict(expert, registration_request.organization)
    return event


@transaction.atomic
@write_events_last()
def declare_conflict(
    expert: User, organization: Organization, *, reason: str = ""
) -> ConflictOfInterest:
    """Declare a standing conflict, and step back from the organization's current requests."""
    theirs = lock_judged_requests(expert, organization)
    conflict, made = ConflictOfInterest.objects.get_or_create(
        expert=expert,
        organization=organization,
        defaults={"reason": reason, "declared_at": timezone.now()},
    )
    if made:
        record_conflict(conflict, "declare_conflict")
    for registration_request in theirs:
        perform(
            registration_request,
            "recuse",
            actor=expert,
            comment=_("A conflict of interest with the organization that asks."),
        )
    return conflict


def lock_judged_requests(expert: User, organization: Organization) -> list[RegistrationRequest]:
    """Return the requests that the expert judges for `organization`, or for what it holds, locked
    until the end of the transaction.

    All are locked before the first event is written: a transaction with a request may wait for the
    journal, but never the other way round.
    """
    judged = selectors.requests_assigned_to(expert).filter(state__in=RECUSAL_STATES)
    theirs = judged.concerning(organization)
    return list(theirs.select_for_update(no_key=True).order_by("pk"))


@transaction.atomic
def end_conflict(conflict: ConflictOfInterest) -> None:
    """End a declared conflict; the journal keeps that there was one."""
    record_conflict(conflict, "end_conflict")
    conflict.delete()


def record_conflict(conflict: ConflictOfInterest, verb: str) -> Event:
    """Record in the journal what happened to a declared conflict."""
    told = {"organization": str(conflict.organization), "organization_id": conflict.organization_id}
    return record_event(
        conflict.organization,
        actor=conflict.expert,
        verb=verb,
        comment=conflict.reason,
        data=told,
    )
