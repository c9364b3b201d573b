"""Delegates: those who write and send requests in the name of an organization."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from registry import permissions
from registry.enums import EXPERT_STATES
from registry.models import Assignment, Event, Organization, User
from registry.workflow.events import record_event
from registry.workflow.step import ActionRefused


def name_delegate(organization: Organization, address: str, *, actor: User) -> User:
    """Have whoever has an account with that mail address act for `organization`; return them.

    Raises `ActionRefused` where nobody has, or where it would take an expert off a request.
    """
    with transaction.atomic():
        body = lock_own_organization(organization, actor)
        person = find_account(address)
        if person is None:
            raise ActionRefused(
                _(
                    "Nobody has an account with the address %(address)s, confirmed. Ask them to "
                    "make one, then name them again."
                )
                % {"address": address}
            )
        if body.delegates.filter(pk=person.pk).exists():
            return person
        refuse_reviewing_expert(body, person)
        told = list_other_delegates(body, actor)
        body.delegates.add(person)
        data = build_delegate_data(body, person) | {"people": [*told, person.pk]}
        record_event(body, actor=actor, verb="name_delegate", data=data)
    return person


def remove_delegate(
    organization: Organization, person: User, *, actor: User, knows_last: bool
) -> None:
    """Have `person` act for `organization` no longer; nothing is done where they did not.

    `knows_last` says whether the actor was told that nobody would be left.
    """
    with transaction.atomic():
        if not organization.delegates.filter(pk=person.pk).exists():
            return
        body = lock_own_organization(organization, actor)
        if not knows_last and body.delegates.count() == 1:
            raise ActionRefused(
                _("%(who)s is the last delegate by now. Read what follows from that.")
                % {"who": person}
            )
        body.delegates.remove(person)
        data = build_delegate_data(body, person) | {
            "people": [*list_other_delegates(body, actor), person.pk]
        }
        record_event(body, actor=actor, verb="remove_delegate", data=data)


def current_and_former_delegates(organization: Organization) -> QuerySet[User]:
    """Return who acts for the organization, or did until somebody took them off.

    Those alone are named to whoever asks to take somebody off, as a second click does; by any
    other number there is nobody.
    """
    removals = Event.objects.filter(
        verb="remove_delegate", data__organization_id=organization.pk
    ).values_list("data", flat=True)
    former = {key for data in removals for key in data["people"]}
    return User.objects.filter(Q(pk__in=organization.delegates.values("pk")) | Q(pk__in=former))


def lock_own_organization(organization: Organization, actor: User) -> Organization:
    """Return the organization, its row ours until the transaction ends, if `actor` names delegates.

    Of two who take each other off at once, the second is told.
    """
    body = Organization.objects.select_for_update(no_key=True).get(pk=organization.pk)
    if not permissions.may_name_delegates(actor, body):
        raise ActionRefused(
            _("Who acts for %(organization)s is said by its delegates.") % {"organization": body}
        )
    return body


def find_account(address: str) -> User | None:
    """Return who has an account in use with that mail address, confirmed, whatever its case."""
    confirmed = User.objects.filter(
        is_active=True, emailaddress__email__iexact=address.strip(), emailaddress__verified=True
    )
    return confirmed.first()


def refuse_reviewing_expert(organization: Organization, person: User) -> None:
    """Raise `ActionRefused` where `person` reviews a request of the organization.

    A delegate is party to its requests: naming an expert would take them off one that they judge.
    """
    reviewed = current_reviews(organization, person).first()
    if reviewed:
        raise ActionRefused(
            _(
                "%(who)s reviews the request %(reference)s of this organization, and cannot act "
                "for it meanwhile."
            )
            % {"who": person, "reference": reviewed.registration_request.reference}
        )


def current_reviews(organization: Organization, person: User) -> QuerySet[Assignment]:
    """Return what `person` reviews as an expert for this organization now."""
    return (
        Assignment.objects.active()
        .filter(
            expert=person,
            registration_request__organization=organization,
            registration_request__state__in=EXPERT_STATES,
        )
        .select_related("registration_request")
    )


def list_other_delegates(organization: Organization, actor: User) -> list[int]:
    """Return the keys of the delegates beside `actor`, who are told of it."""
    return list(organization.delegates.exclude(pk=actor.pk).values_list("pk", flat=True))


def build_delegate_data(organization: Organization, person: User) -> dict[str, Any]:
    """Return whom it is about, for the journal."""
    return {
        "organization": str(organization),
        "organization_id": organization.pk,
        "delegate": str(person),
    }
